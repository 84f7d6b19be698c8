/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// An application that uses coflows: a front end asks all workers at once, and is done when the
// last one has answered. The answers to a question are one coflow.
//
//     coflow-incast --workers=8 --bytes=200000 --questions=20 --scheduler=varys
//
// It shows what an application calls: Register at the driver, Put at senders, Get at receivers,
// Unregister when all has arrived. How the question itself reaches the workers is not simulated.

#include "ns3/coflow-error.h"
#include "ns3/coflow-packet-cluster.h"
#include "ns3/command-line.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <iostream>

using namespace ns3;
using namespace ns3::coflow;

namespace
{

/// Asks one question after the other.
class FrontEnd
{
  public:
    FrontEnd(const PacketCluster& cluster, uint32_t workers, uint32_t bytes, uint32_t questions)
        : m_cluster(cluster),
          m_workers(workers),
          m_bytes(bytes),
          m_questions(questions)
    {
    }

    /// Asks a question.
    void Ask()
    {
        m_asked = Simulator::Now();
        m_missing = m_workers;
        CoflowOptions options;
        options.bottleneckBytes = uint64_t{m_workers} * m_bytes; // all answers come here
        m_cluster.GetClient(FRONT_END)->Register(
            m_workers,
            options,
            [this](const CoflowHandle& coflow) { Begin(coflow); });
    }

    /// @return sum of the times until all answers were there
    Time GetSum() const
    {
        return m_sum;
    }

    /// @return questions that were answered
    uint32_t GetAnswered() const
    {
        return m_answered;
    }

  private:
    static constexpr HostId FRONT_END = 0;

    /// The coflow is registered: workers, on hosts 1, 2, ..., answer.
    void Begin(const CoflowHandle& coflow)
    {
        for (uint32_t worker = 0; worker < m_workers; ++worker)
        {
            m_cluster.GetClient(worker + 1)
                ->Put(coflow, worker, Fabric::GetHostAddress(FRONT_END), m_bytes);
            m_cluster.GetClient(FRONT_END)->Get(coflow, worker, [this, coflow] {
                if (--m_missing == 0)
                {
                    End(coflow);
                }
            });
        }
    }

    /// All answers are there.
    void End(const CoflowHandle& coflow)
    {
        m_cluster.GetClient(FRONT_END)->Unregister(coflow);
        m_sum += Simulator::Now() - m_asked;
        if (++m_answered < m_questions)
        {
            Simulator::ScheduleNow(&FrontEnd::Ask, this);
        }
        else
        {
            Simulator::Stop();
        }
    }

    const PacketCluster& m_cluster;
    uint32_t m_workers;
    uint32_t m_bytes;
    uint32_t m_questions;
    uint32_t m_missing{0};
    uint32_t m_answered{0};
    Time m_asked;
    Time m_sum;
};

void
Run(const std::string& scheduler, uint32_t workers, uint32_t bytes, uint32_t questions)
{
    ExperimentConfig config;
    config.scheduler = scheduler;
    config.topology = "big-switch";
    config.attributes.emplace_back("hosts", std::to_string(workers + 2)); // one for a coordinator
    PacketCluster cluster(config);
    FrontEnd frontEnd(cluster, workers, bytes, questions);
    Simulator::Schedule(MilliSeconds(10), &FrontEnd::Ask, &frontEnd);
    Simulator::Stop(Seconds(1000));
    Simulator::Run();
    const auto control = cluster.GetScheduler()->GetControlTotals();
    std::cout << scheduler << ": " << frontEnd.GetAnswered() << " questions to " << workers
              << " workers, "
              << 1e3 * frontEnd.GetSum().GetSeconds() / std::max(1U, frontEnd.GetAnswered())
              << " ms each; " << control.messages << " control messages\n";
}

} // namespace

int
main(int argc, char* argv[])
{
    std::string scheduler = "varys";
    uint32_t workers = 8;
    uint32_t bytes = 200'000;
    uint32_t questions = 20;
    CommandLine cmd(__FILE__);
    cmd.AddValue("scheduler", "name of the scheduler", scheduler);
    cmd.AddValue("workers", "number of hosts that answer", workers);
    cmd.AddValue("bytes", "bytes of an answer", bytes);
    cmd.AddValue("questions", "number of questions, one after the other", questions);
    cmd.Parse(argc, argv);
    try
    {
        Run(scheduler, workers, bytes, questions);
    }
    catch (const ::coflow::InputError& error)
    {
        std::cerr << "coflow-incast: " << error.what() << "\n";
        return 2;
    }
    return 0;
}
