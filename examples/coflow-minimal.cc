/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// The least that runs: a workload, where to run it, what comes out. README.md shows this file.

#include "ns3/coflow-module.h"

#include <iostream>

using namespace ns3::coflow;

int
main()
{
    const auto workload = ::coflow::Generate("all-to-all", {"hosts=16", "bytes=1e5"});
    ExperimentConfig config;
    config.topology = "leaf-spine";
    config.attributes.emplace_back("hosts", "16");
    const auto result = RunPacketExperiment(workload, config);
    std::cout << ::coflow::ToCsv(result.coflows);
}
