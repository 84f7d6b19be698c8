/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Every reader of traces, also of texts that it does not recognise.

#include "fuzz-check.h"

#include "ns3/coflow-text.h"
#include "ns3/coflow-trace-reader.h"

#include <cstddef>
#include <cstdint>

extern "C" int
LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const std::string text(reinterpret_cast<const char*>(data), size);
    for (const auto& [name, reader] : coflow::TraceReaders::All())
    {
        for (const coflow::TraceOptions& options :
             {coflow::TraceOptions{1'000'000, false}, coflow::TraceOptions{1 << 20, true}})
        {
            try
            {
                std::istringstream in(text);
                coflow::TextLines lines(in, "input");
                lines.Next();
                reader.recognise(lines.Line());
                coflow::test::RequireRoundTrip(reader.read(lines, options));
            }
            catch (const coflow::InputError& error)
            {
                coflow::test::RequireReadable(error);
            }
        }
    }
    return 0;
}
