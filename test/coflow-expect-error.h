/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_EXPECT_ERROR_H
#define COFLOW_EXPECT_ERROR_H

#include "ns3/coflow-error.h"

#include <string>

namespace coflow::test
{

/// Runs something that must throw InputError.
/// @return the message, or a text that says that there was none
template <typename Action>
std::string
ErrorOf(Action action)
{
    try
    {
        action();
    }
    catch (const InputError& error)
    {
        return error.what();
    }
    return "(no error)";
}

} // namespace coflow::test

#endif // COFLOW_EXPECT_ERROR_H
