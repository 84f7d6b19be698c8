/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Stress cases as text.

#include "stress-case.h"

#include "ns3/coflow-error.h"
#include "ns3/coflow-flow-csv.h"

#include <sstream>
#include <string>

namespace ns3::coflow::test
{

namespace
{

std::string
Format(const Time& time)
{
    return std::to_string(time.GetNanoSeconds()) + "ns";
}

/// Reads "daemon 1 dies at 5ns for 7ns", "coordinator dies at 5ns for good".
std::optional<StressFailure>
ParseFailure(const std::string& line)
{
    std::istringstream words(line);
    StressFailure failure;
    std::string who;
    words >> who;
    if (who == "daemon")
    {
        words >> failure.daemon.emplace();
    }
    std::string dies;
    std::string preposition;
    std::string at;
    std::string duration;
    std::string downTime;
    words >> dies >> preposition >> at >> duration >> downTime;
    if ((who != "daemon" && who != "coordinator") || !words || dies != "dies" ||
        preposition != "at" || duration != "for")
    {
        return std::nullopt;
    }
    failure.at = Time(at);
    failure.downTime = downTime == "good" ? Time::Max() : Time(downTime);
    return failure;
}

} // namespace

std::string
StressCase::Describe() const
{
    std::ostringstream text;
    text << "--scheduler=" << config.scheduler << "\n--topology=" << config.topology
         << "\n--fabric=" << config.fabric << "\n--RngRun=" << rngRun << "\n";
    for (const auto& [name, value] : config.attributes)
    {
        text << "--" << name << "=" << value << "\n";
    }
    for (const auto& failure : failures)
    {
        text << (failure.daemon ? "daemon " + std::to_string(*failure.daemon) : "coordinator")
             << " dies at " << Format(failure.at) << " for "
             << (failure.downTime == Time::Max() ? "good" : Format(failure.downTime)) << "\n";
    }
    text << "\n";
    ::coflow::WriteFlowCsv(text, workload);
    return text.str();
}

StressCase
ReadStressCase(std::istream& in, const std::string& name)
{
    StressCase stress;
    auto& config = stress.config;
    std::string line;
    for (std::size_t number = 1; std::getline(in, line) && !line.empty(); ++number)
    {
        const auto equals = line.find('=');
        if (line.rfind("--", 0) == 0 && equals != std::string::npos)
        {
            const auto option = line.substr(2, equals - 2);
            const auto value = line.substr(equals + 1);
            if (option == "RngRun")
            {
                stress.rngRun = std::stoull(value);
            }
            else if (option == "scheduler" || option == "topology" || option == "fabric")
            {
                (option == "scheduler"  ? config.scheduler
                 : option == "topology" ? config.topology
                                        : config.fabric) = value;
            }
            else
            {
                config.attributes.emplace_back(option, value);
            }
        }
        else if (const auto failure = ParseFailure(line))
        {
            stress.failures.push_back(*failure);
        }
        else if (line.front() != '#')
        {
            throw ::coflow::InputError(name + ":" + std::to_string(number) + ": '" + line +
                                       "'; allowed: a comment, --NAME=VALUE, or daemon HOST or "
                                       "coordinator dies at TIME for TIME or good");
        }
    }
    stress.workload = ::coflow::ReadFlowCsv(in, name);
    return stress;
}

std::string
GetStressCommand(uint64_t seed, const std::string& scheduler)
{
    return "coflow-stress --seed=" + std::to_string(seed) +
           (scheduler.empty() ? "" : " --scheduler=" + scheduler);
}

} // namespace ns3::coflow::test
