/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Loads the workload that the options describe.

#include "ns3/coflow-error.h"
#include "ns3/coflow-generator.h"
#include "ns3/coflow-replay-options.h"
#include "ns3/coflow-text.h"
#include "ns3/coflow-trace-reader.h"
#include "ns3/coflow-transform.h"

#include <algorithm>

namespace ns3::coflow
{

using ::coflow::InputError;
using ::coflow::Workload;

Workload
LoadWorkload(const ReplayOptions& options)
{
    Workload workload;
    if (!options.trace.empty())
    {
        workload = ::coflow::ReadTrace(options.trace, options.traceOptions);
    }
    else
    {
        if (options.traceOptions != ::coflow::TraceOptions())
        {
            throw InputError("options --bytesPerMb and --roundUpToWholeMb have no effect on what "
                             "is generated; allowed: with --trace=FILE, a file in the Facebook "
                             "format");
        }
        const auto parts = ::coflow::SplitText(options.generate, ',');
        if (std::ranges::find(parts, "") != parts.end())
        {
            throw InputError("option --generate is '" + options.generate +
                             "'; allowed: NAME,KEY=VALUE,...");
        }
        workload = ::coflow::Generate(parts.front(), {parts.begin() + 1, parts.end()});
    }
    ::coflow::ApplyTransforms(workload, options.transforms);
    return workload;
}

} // namespace ns3::coflow
