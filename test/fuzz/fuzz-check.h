/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_FUZZ_CHECK_H
#define COFLOW_FUZZ_CHECK_H

#include "ns3/coflow-error.h"
#include "ns3/coflow-flow-csv.h"
#include "ns3/coflow-types.h"
#include "ns3/coflow-workload-check.h"

#include <cstdio>
#include <cstdlib>
#include <sstream>
#include <string>

namespace coflow::test
{

/// Ends the program where a property does not hold.
inline void
Require(bool holds, const std::string& property)
{
    if (!holds)
    {
        std::fprintf(stderr, "violated: %s\n", property.c_str());
        std::abort();
    }
}

/// An error is one printable line.
inline void
RequireReadable(const InputError& error)
{
    const std::string text = error.what();
    for (const char c : text)
    {
        Require(c >= ' ' && c <= '~', "the message is one line of printable text: " + text);
    }
    Require(text.find("; allowed: ") != std::string::npos, "the message tells what is allowed");
}

/// What a reader gives is valid, and is the same after it was written and read as flow CSV.
inline void
RequireRoundTrip(const Workload& workload)
{
    Require(!FindWorkloadProblem(workload), "the workload is valid");
    std::stringstream text;
    WriteFlowCsv(text, workload);
    const Workload again = ReadFlowCsv(text, "written");
    Require(again.hosts == workload.hosts, "hosts survive the round trip");
    Require(again.coflows == workload.coflows, "coflows survive the round trip");
}

} // namespace coflow::test

#endif // COFLOW_FUZZ_CHECK_H
