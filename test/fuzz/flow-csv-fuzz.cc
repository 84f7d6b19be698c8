/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fuzz-check.h"

#include <cstddef>
#include <cstdint>

extern "C" int
LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    try
    {
        std::istringstream in(std::string(reinterpret_cast<const char*>(data), size));
        coflow::test::RequireRoundTrip(coflow::ReadFlowCsv(in, "input"));
    }
    catch (const coflow::InputError& error)
    {
        coflow::test::RequireReadable(error);
    }
    return 0;
}
