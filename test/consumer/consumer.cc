/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// A program outside of this repository: a run at packet level, with everything that is installed.

#include "ns3/coflow-module.h"

#include <iostream>

int
main()
{
    const auto workload = coflow::Generate("incast", {"senders=4", "bytes=1e5"});
    ns3::coflow::ExperimentConfig config;
    config.topology = "big-switch";
    config.attributes.emplace_back("hosts", "5");
    const auto result = ns3::coflow::RunPacketExperiment(workload, config);
    std::cout << "version " << ns3::coflow::GetModuleVersion() << "\n"
              << coflow::ToCsv(result.coflows);
}
