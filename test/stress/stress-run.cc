/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// How a StressCase is run, and what is wrong with what comes out.

#include "stress-case.h"

#include "ns3/coflow-coordinated-scheduler.h"
#include "ns3/coflow-packet-cluster.h"
#include "ns3/coflow-packet-experiment.h"
#include "ns3/rng-seed-manager.h"

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <iostream>
#include <sstream>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace ns3::coflow::test
{

namespace
{

/// @return what is wrong with what became of the coflows
std::string
Judge(const ExperimentResult& result)
{
    std::ostringstream wrong;
    uint64_t bytes = 0;
    for (std::size_t c = 0; c < result.coflows.size(); ++c)
    {
        const auto& record = result.coflows[c];
        if (record.IsFinished())
        {
            // Sizes are those of applications: headers make every run slower than this bound.
            if (record.CctSeconds() < record.MinCctSeconds() * (1 - 1e-9))
            {
                wrong << "coflow " << record.id << " has a CCT of " << record.CctSeconds()
                      << " s, below its bound of " << record.MinCctSeconds() << " s\n";
            }
        }
        else if (record.admitted)
        {
            wrong << "coflow " << record.id << " has not finished\n";
        }
    }
    for (const auto& flow : result.flows)
    {
        const bool finished = flow.finish != ::coflow::NEVER;
        bytes += finished ? static_cast<uint64_t>(flow.flow.bytes) : 0;
        const auto coflow = std::find_if(result.coflows.begin(),
                                         result.coflows.end(),
                                         [&](const auto& c) { return c.id == flow.coflow; });
        if (!finished && coflow->IsFinished())
        {
            wrong << "coflow " << coflow->id << " has finished without its flow " << flow.flow.id
                  << "\n";
        }
    }
    if (bytes != result.deliveredBytes)
    {
        wrong << result.deliveredBytes << " bytes were delivered; finished flows have " << bytes
              << "\n";
    }
    if (!wrong.str().empty())
    {
        wrong << "at " << result.simulatedSeconds << " s\n";
        for (const auto& line : result.waits)
        {
            wrong << line << "\n";
        }
    }
    return wrong.str();
}

} // namespace

ExperimentResult
RunStressExperiment(const StressCase& stress)
{
    RngSeedManager::SetSeed(1);
    RngSeedManager::SetRun(stress.rngRun);
    auto config = stress.config;
    constexpr ::coflow::Nanoseconds LONG = 1'000'000'000'000;
    config.stop = config.stop.value_or(LONG);
    config.instrument = [&stress](const PacketCluster& cluster) -> std::shared_ptr<void> {
        const auto scheduler = cluster.GetScheduler();
        for (const auto& failure : stress.failures)
        {
            const auto central = DynamicCast<CoordinatedScheduler>(scheduler);
            if (failure.daemon)
            {
                central->FailDaemon(*failure.daemon, failure.at, failure.downTime);
            }
            else
            {
                central->FailCoordinator(failure.at, failure.downTime);
            }
        }
        return nullptr;
    };
    return RunPacketExperiment(stress.workload, config);
}

std::string
RunStressCase(const StressCase& stress)
{
    return Judge(RunStressExperiment(stress));
}

std::string
RunStressCaseApart(const StressCase& stress, unsigned cpuSeconds)
{
    std::cout.flush();
    std::fflush(nullptr);
    int ends[2];
    if (::pipe(ends) != 0)
    {
        return "cannot create a pipe";
    }
    const pid_t child = ::fork();
    if (child == 0)
    {
        ::close(ends[0]);
        const rlimit limit{cpuSeconds, cpuSeconds + 1};
        ::setrlimit(RLIMIT_CPU, &limit);
        const rlimit noCore{0, 0};
        ::setrlimit(RLIMIT_CORE, &noCore);
        std::string wrong;
        try
        {
            wrong = RunStressCase(stress);
        }
        catch (const std::exception& error)
        {
            wrong = std::string("exception: ") + error.what() + "\n";
        }
        wrong.resize(std::min<std::size_t>(wrong.size(), 4000)); // a pipe holds more
        const auto written = ::write(ends[1], wrong.data(), wrong.size());
        std::fflush(nullptr);
        ::_exit(written == static_cast<ssize_t>(wrong.size()) ? 0 : 1);
    }
    ::close(ends[1]);
    std::string answer;
    char buffer[4096];
    for (ssize_t got; (got = ::read(ends[0], buffer, sizeof(buffer))) > 0;)
    {
        answer.append(buffer, static_cast<std::size_t>(got));
    }
    ::close(ends[0]);
    int status = 0;
    ::waitpid(child, &status, 0);
    if (WIFSIGNALED(status))
    {
        const auto signal = WTERMSIG(status);
        answer += signal == SIGXCPU || signal == SIGKILL
                      ? "no end after " + std::to_string(cpuSeconds) + " s of CPU\n"
                      : "ended by signal " + std::to_string(signal) + "\n";
    }
    else if (WEXITSTATUS(status) != 0)
    {
        answer += "ended with status " + std::to_string(WEXITSTATUS(status)) + "\n";
    }
    return answer;
}

} // namespace ns3::coflow::test
