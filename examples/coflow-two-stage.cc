/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// A job of two stages: mappers shuffle to reducers, and when a reducer has all its input it
// writes what is half as much to the next host. The shuffle is one coflow, the writes another,
// which exists before the shuffle is over. Two such jobs share the hosts.
//
//     coflow-two-stage --scheduler=varys --bytes=4000000

#include "ns3/coflow-error.h"
#include "ns3/coflow-packet-cluster.h"
#include "ns3/command-line.h"
#include "ns3/simulator.h"

#include <iostream>
#include <map>

using namespace ns3;
using namespace ns3::coflow;

namespace
{

constexpr uint32_t HOSTS = 8; ///< hosts 0 to 3 map, hosts 4 to 7 reduce
constexpr uint32_t TASKS = HOSTS / 2;

/// A job.
class Job
{
  public:
    Job(const PacketCluster& cluster, std::string name, uint64_t bytes)
        : m_cluster(cluster),
          m_name(std::move(name)),
          m_bytes(bytes)
    {
    }

    /// Registers both coflows, and starts the mappers.
    void Start()
    {
        m_started = Simulator::Now();
        CoflowOptions options;
        options.bottleneckBytes = TASKS * m_bytes;
        GetDriver()->Register(TASKS * TASKS, options, [this](const CoflowHandle& coflow) {
            m_shuffle = coflow;
            StartShuffle();
        });
        options.bottleneckBytes = TASKS * m_bytes / 2;
        GetDriver()->Register(TASKS, options, [this](const CoflowHandle& coflow) {
            m_write = coflow;
        });
    }

    /// @return whether the last byte was written
    bool IsDone() const
    {
        return m_written == TASKS;
    }

  private:
    Ptr<CoflowClient> GetDriver() const
    {
        return m_cluster.GetClient(0);
    }

    /// All mappers have output for all reducers.
    void StartShuffle()
    {
        for (uint32_t mapper = 0; mapper < TASKS; ++mapper)
        {
            for (uint32_t reducer = 0; reducer < TASKS; ++reducer)
            {
                const auto flow = mapper * TASKS + reducer;
                const HostId host = TASKS + reducer;
                m_cluster.GetClient(mapper)->Put(m_shuffle,
                                                 flow,
                                                 Fabric::GetHostAddress(host),
                                                 m_bytes);
                m_cluster.GetClient(host)->Get(m_shuffle, flow, [this, reducer] {
                    if (++m_inputs[reducer] == TASKS)
                    {
                        StartWrite(reducer);
                    }
                });
            }
        }
    }

    /// A reducer has all its input, and writes at once.
    void StartWrite(uint32_t reducer)
    {
        const HostId to = TASKS + (reducer + 1) % TASKS;
        m_cluster.GetClient(TASKS + reducer)
            ->Put(m_write, reducer, Fabric::GetHostAddress(to), TASKS * m_bytes / 2);
        m_cluster.GetClient(to)->Get(m_write, reducer, [this] {
            if (++m_written == TASKS)
            {
                GetDriver()->Unregister(m_write);
                Tell("done");
            }
        });
        if (++m_reduced == TASKS)
        {
            GetDriver()->Unregister(m_shuffle);
            Tell("shuffled");
        }
    }

    void Tell(const std::string& what) const
    {
        std::cout << m_name << " " << what << " after "
                  << 1e3 * (Simulator::Now() - m_started).GetSeconds() << " ms\n";
    }

    const PacketCluster& m_cluster;
    std::string m_name;
    uint64_t m_bytes;
    Time m_started;
    CoflowHandle m_shuffle;
    CoflowHandle m_write;
    std::map<uint32_t, uint32_t> m_inputs; ///< that have arrived, by reducer
    uint32_t m_reduced{0};                 ///< reducers with all their input
    uint32_t m_written{0};                 ///< writes that have arrived
};

void
Run(const std::string& scheduler, uint64_t bytes)
{
    ExperimentConfig config;
    config.scheduler = scheduler;
    config.topology = "big-switch";
    config.attributes.emplace_back("hosts", std::to_string(HOSTS + 1)); // one for a coordinator
    PacketCluster cluster(config);
    Job large(cluster, "large job", 2 * bytes);
    Job small(cluster, "small job", bytes);
    Simulator::Schedule(MilliSeconds(10), &Job::Start, &large);
    Simulator::Schedule(MilliSeconds(20), &Job::Start, &small);
    Simulator::Stop(Seconds(100));
    Simulator::Run();
    std::cout << scheduler << ": "
              << (large.IsDone() && small.IsDone() ? "both jobs are done" : "a job is not done")
              << "\n";
}

} // namespace

int
main(int argc, char* argv[])
{
    std::string scheduler = "varys";
    uint64_t bytes = 8'000'000;
    CommandLine cmd(__FILE__);
    cmd.AddValue("scheduler", "name of the scheduler", scheduler);
    cmd.AddValue("bytes", "bytes from a mapper to a reducer of the small job", bytes);
    cmd.Parse(argc, argv);
    try
    {
        Run(scheduler, bytes);
    }
    catch (const ::coflow::InputError& error)
    {
        std::cerr << "coflow-two-stage: " << error.what() << "\n";
        return 2;
    }
    return 0;
}
