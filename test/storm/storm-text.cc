/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Storm cases as text.

#include "storm-case.h"

#include "ns3/coflow-flow-csv.h"

#include <sstream>
#include <string>

namespace ns3::coflow::test
{

std::string
StormCase::Describe() const
{
    std::ostringstream text;
    text << "--scheduler=" << config.scheduler << " --topology=" << config.topology
         << " --fabric=" << config.fabric;
    for (const auto& [name, value] : config.attributes)
    {
        text << " '--" << name << "=" << value << "'";
    }
    text << "\n";
    for (const auto& failure : failures)
    {
        text << "# "
             << (failure.daemon ? "daemon " + std::to_string(*failure.daemon) : "coordinator")
             << " dies at " << failure.at.GetNanoSeconds() << " ns ";
        if (failure.downTime == Time::Max())
        {
            text << "for good\n";
        }
        else
        {
            text << "for " << failure.downTime.GetNanoSeconds() << " ns\n";
        }
    }
    ::coflow::WriteFlowCsv(text, workload);
    return text.str();
}

std::string
GetStormCommand(uint64_t seed, const std::string& scheduler)
{
    return "coflow-storm --seed=" + std::to_string(seed) +
           (scheduler.empty() ? "" : " --scheduler=" + scheduler);
}

} // namespace ns3::coflow::test
