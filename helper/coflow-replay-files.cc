/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Checks the files that a run reads and writes.

#include "ns3/coflow-output-file.h"
#include "ns3/coflow-replay-options.h"
#include "ns3/coflow-result-files.h"
#include "ns3/coflow-run.h"

#include <utility>
#include <vector>

namespace ns3::coflow
{

void
CheckFiles(const ReplayOptions& options)
{
    std::vector<::coflow::NamedFile> inputs;
    if (!options.trace.empty())
    {
        inputs.push_back({"--trace", options.trace});
    }
    for (const auto& transform : options.transforms)
    {
        if (!transform.input.empty())
        {
            inputs.push_back({"the transform " + transform.text, transform.input});
        }
    }
    std::vector<::coflow::NamedFile> outputs;
    for (const auto& [option, file] : {std::pair("--segments", options.experiment.segments),
                                       std::pair("--timeline", options.experiment.timeline)})
    {
        if (!file.empty())
        {
            outputs.push_back({option, file});
        }
    }
    if (!options.out.empty())
    {
        auto folders = options.compare;
        outputs.push_back({"--out", options.out});
        if (folders.empty())
        {
            folders.emplace_back();
        }
        else
        {
            outputs.push_back({"--out", options.out + "/" + ::coflow::COMPARISON_FILE});
        }
        for (const auto& folder : folders)
        {
            for (const auto& name : GetRunFileNames())
            {
                outputs.push_back({"--out", options.out + "/" + folder + "/" + name});
            }
        }
    }
    ::coflow::CheckOutputs(inputs, outputs);
}

} // namespace ns3::coflow
