/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_EFFORT_H
#define COFLOW_EFFORT_H

#include <cstdlib>
#include <string>

namespace coflow::test
{

/// Whether COFLOW_FULL=1 is in the environment: tests repeat as often as is useful, not as often
/// as a person can wait for. The tests of the label `full` have it (test/CMakeLists.txt).
inline bool
IsFull()
{
    const char* text = std::getenv("COFLOW_FULL");
    return text && std::string(text) == "1";
}

/// How often a test repeats, or how large it is.
/// @param quick on every change
/// @param full with COFLOW_FULL=1. The suite is to be listed in test/CMakeLists.txt, so that the
/// label `full` runs it; utils/check-source sees that.
template <typename T>
T
Effort(T quick, T full)
{
    return IsFull() ? full : quick;
}

} // namespace coflow::test

#endif // COFLOW_EFFORT_H
