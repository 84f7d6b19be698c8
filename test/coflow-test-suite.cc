/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// What ns-3's own test.py runs in a source tree (./test.py -s coflow). It proves that the module
// works in that tree; the detailed tests are the googletest programs beside this file. In a build
// of our own these do run, and the suite is built with COFLOW_SMOKE_TEST: one topology, and one
// scheduler of each class.

#include "coflow-helper-test-cases.h"

#include "ns3/coflow-error.h"
#include "ns3/coflow-generator.h"
#include "ns3/coflow-packet-experiment.h"
#include "ns3/coflow-scheduler-registry.h"
#include "ns3/test.h"

#include <set>
#include <utility>

using namespace ns3;
using namespace ns3::coflow;

namespace
{

/// A generated workload runs to its end under every scheduler, every byte arrives, and no coflow
/// is faster than the fabric allows.
class ReplayTestCase : public TestCase
{
  public:
    ReplayTestCase(std::string topology, std::pair<std::string, std::string> attribute)
        : TestCase("replay on " + topology),
          m_topology(std::move(topology)),
          m_attribute(std::move(attribute))
    {
    }

  private:
    void DoRun() override
    {
        std::set<TypeId> replayed;
        for (const auto& scheduler : GetSchedulerTypes())
        {
#ifdef COFLOW_SMOKE_TEST
            if (!replayed.insert(scheduler.typeId).second)
            {
                continue;
            }
#endif
            Replay(scheduler.name);
        }
    }

    void Replay(const std::string& scheduler)
    {
        const auto workload =
            ::coflow::Generate("all-to-all", {"hosts=8", "bytes=100000", "coflows=2"});
        uint64_t bytes = 0;
        for (const auto& coflow : workload.coflows)
        {
            for (const auto& flow : coflow.flows)
            {
                bytes += static_cast<uint64_t>(flow.bytes);
            }
        }
        ExperimentConfig config;
        config.scheduler = scheduler;
        config.topology = m_topology;
        config.attributes.push_back(m_attribute);
        const auto result = RunPacketExperiment(workload, config);
        NS_TEST_EXPECT_MSG_EQ(result.deliveredBytes, bytes, "every byte arrives once");
        for (const auto& record : result.coflows)
        {
            NS_TEST_EXPECT_MSG_EQ(record.IsFinished(), true, "coflow " << record.id << " finishes");
            NS_TEST_EXPECT_MSG_GT_OR_EQ(record.CctSeconds(),
                                        record.MinCctSeconds(),
                                        "coflow " << record.id << " is not faster than its Gamma");
        }
    }

    std::string m_topology;
    std::pair<std::string, std::string> m_attribute;
};

/// Wrong input is an exception that tells what is allowed, not the end of the process.
class WrongInputTestCase : public TestCase
{
  public:
    WrongInputTestCase()
        : TestCase("wrong input is told")
    {
    }

  private:
    void DoRun() override
    {
        ExperimentConfig config;
        config.scheduler = "no-such-scheduler";
        std::string message;
        try
        {
            RunPacketExperiment({}, config);
        }
        catch (const ::coflow::InputError& error)
        {
            message = error.what();
        }
        NS_TEST_EXPECT_MSG_NE(message.find("fair"), std::string::npos, "names what is allowed");
    }
};

/// The suite "coflow".
class CoflowTestSuite : public TestSuite
{
  public:
    CoflowTestSuite()
        : TestSuite("coflow", Type::SYSTEM)
    {
        AddTestCase(new ReplayTestCase("fat-tree", {"k", "4"}), TestCase::Duration::QUICK);
#ifndef COFLOW_SMOKE_TEST
        AddTestCase(new ReplayTestCase("leaf-spine", {"hostsPerLeaf", "4"}),
                    TestCase::Duration::QUICK);
        AddTestCase(new ReplayTestCase("big-switch", {"hosts", "8"}), TestCase::Duration::QUICK);
#endif
        AddTestCase(new WrongInputTestCase, TestCase::Duration::QUICK);
        for (auto* test : MakeCoflowHelperTestCases())
        {
            AddTestCase(test, TestCase::Duration::QUICK);
        }
    }
};

const CoflowTestSuite g_coflowTestSuite;

} // namespace
