/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fuzz-check.h"

#include "ns3/coflow-facebook-trace.h"

#include <cstddef>
#include <cstdint>

extern "C" int
LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const std::string text(reinterpret_cast<const char*>(data), size);
    for (const coflow::TraceOptions& options :
         {coflow::TraceOptions{1'000'000, false}, coflow::TraceOptions{1 << 20, true}})
    {
        try
        {
            std::istringstream in(text);
            coflow::test::RequireRoundTrip(coflow::ReadFacebookTrace(in, "input", options));
        }
        catch (const coflow::InputError& error)
        {
            coflow::test::RequireReadable(error);
        }
    }
    return 0;
}
