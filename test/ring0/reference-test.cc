/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// The public Facebook trace against CoflowSim's results, with its artefacts switched on where they
// are attributes. What remains apart is explained at each test.

#include "coflow-test-data.h"
#include "fluid-test-util.h"

#include "ns3/coflow-bounds.h"
#include "ns3/coflow-facebook-trace.h"

#include <fstream>
#include <gtest/gtest.h>
#include <map>
#include <sstream>

using namespace coflow;
using namespace coflow::test;

namespace
{

/// CoflowSim's completion times in seconds by coflow id; empty: the file is absent.
std::map<CoflowId, double>
Reference(const std::string& name)
{
    std::map<CoflowId, double> ccts;
    const auto path = SharedFile("reference/coflowsim-epoch8ms-" + name + ".csv");
    if (!path)
    {
        return ccts;
    }
    std::ifstream in(*path);
    std::string line;
    std::getline(in, line);
    while (std::getline(in, line))
    {
        std::istringstream fields(line);
        std::string id;
        std::string skip;
        std::string cct;
        std::getline(fields, id, ',');
        std::getline(fields, skip, ',');
        std::getline(fields, skip, ',');
        std::getline(fields, cct, ',');
        ccts[std::stoull(id)] = std::stod(cct) / 1000;
    }
    return ccts;
}

/// CoflowSim's step of time.
constexpr Nanoseconds QUANTUM = 8'000'000;

/// How two lists of completion times compare.
struct Comparison
{
    double meanRatio{0}; ///< our mean over theirs
    int within{0};       ///< coflows that differ by at most 5 % or 30 ms
    int equal{0};        ///< coflows that do not differ by a microsecond
    int coflows{0};      ///< all coflows
};

class Trace : public testing::Test
{
  protected:
    void SetUp() override
    {
        const auto path = FacebookTrace();
        if (!path)
        {
            GTEST_SKIP() << "the Facebook trace is absent";
        }
        std::ifstream in(*path);
        m_workload = ReadFacebookTrace(in, *path);
        // Ports h send and ports n + h receive, of hosts that do nothing else: so flows within a
        // rack use both.
        m_apart = m_workload;
        m_apart.hosts = 2 * m_workload.hosts;
        for (Coflow& coflow : m_apart.coflows)
        {
            for (Flow& flow : coflow.flows)
            {
                flow.dst += m_workload.hosts;
            }
        }
    }

    /// Runs a policy at 1 Gbps; flows within a rack pay their ports, as in CoflowSim.
    /// @param quantum of time, as in CoflowSim; 0: time is exact
    FluidResult Run(const std::string& policy,
                    const std::vector<std::string>& texts,
                    Nanoseconds quantum = 0) const
    {
        FluidOptions options;
        options.quantum = quantum;
        return RunUnits(m_apart, policy, texts, options);
    }

    static Comparison Compare(const FluidResult& result,
                              const std::map<CoflowId, double>& reference)
    {
        Comparison comparison;
        double ours = 0;
        double theirs = 0;
        for (const CoflowOutcome& outcome : result.coflows)
        {
            const double cct = static_cast<double>(outcome.Cct()) * 1e-9;
            const double other = reference.at(outcome.id);
            ours += cct;
            theirs += other;
            comparison.within += std::abs(cct - other) <= std::max(0.05 * other, 0.03);
            comparison.equal += std::abs(cct - other) < 1e-6;
            ++comparison.coflows;
        }
        comparison.meanRatio = ours / theirs;
        return comparison;
    }

    Workload m_workload; ///< the trace
    Workload m_apart;    ///< the same, where flows within a rack load its ports
};

} // namespace

// The 8 ms quantum is all that was apart: with it all but 23 coflows agree to the nanosecond.
TEST_F(Trace, FairWithoutRedistribution)
{
    const auto reference = Reference("FAIR");
    if (reference.empty())
    {
        GTEST_SKIP() << "the reference results are absent";
    }
    const Comparison exactTime = Compare(Run("fair", {"redistribute=false"}), reference);
    EXPECT_NEAR(exactTime.meanRatio, 1, 1e-3);
    EXPECT_EQ(exactTime.within, exactTime.coflows);
    const Comparison c = Compare(Run("fair", {"redistribute=false"}, QUANTUM), reference);
    EXPECT_NEAR(c.meanRatio, 1, 1e-4);
    EXPECT_EQ(c.within, c.coflows);
    EXPECT_GE(c.equal, 500);
}

// What remains apart with the quantum is the order of flows of equal size at a receiver.
TEST_F(Trace, PerFlowPrioritiesByReceiver)
{
    const auto reference = Reference("PFP");
    if (reference.empty())
    {
        GTEST_SKIP() << "the reference results are absent";
    }
    const Comparison c = Compare(Run("pfabric", {"receiverOrder=true"}, QUANTUM), reference);
    EXPECT_NEAR(c.meanRatio, 1, 0.01);
    EXPECT_GE(c.within, 440);
}

// One artefact after the other: keys that do not change, what is left shared as there, the
// quantum. What remains apart is a random deadline that orders the last step there.
TEST_F(Trace, SebfApproachesTheReferenceWithEveryArtefact)
{
    const auto reference = Reference("SEBF");
    if (reference.empty())
    {
        GTEST_SKIP() << "the reference results are absent";
    }
    const Comparison own = Compare(Run("varys", {"T=0"}), reference);
    const Comparison keys = Compare(Run("varys", {"T=0", "staticKeys=true"}), reference);
    const std::vector<std::string> all{"T=0", "staticKeys=true", "pooledLeftovers=true"};
    const Comparison leftovers = Compare(Run("varys", all), reference);
    const Comparison quantum = Compare(Run("varys", all, QUANTUM), reference);
    EXPECT_NEAR(own.meanRatio, 0.828, 0.005);
    EXPECT_NEAR(keys.meanRatio, 0.856, 0.005);
    EXPECT_NEAR(leftovers.meanRatio, 0.976, 0.005);
    EXPECT_GE(keys.within, own.within);
    EXPECT_GE(leftovers.within, 520);
    EXPECT_GE(quantum.within, 520);
    EXPECT_GT(quantum.equal, leftovers.equal);
}

TEST_F(Trace, OrderingsThatThePapersClaim)
{
    const auto mean = [this](const std::string& policy) {
        const FluidResult result = RunUnits(m_workload, policy);
        return Mean(Ccts(result)) * UNIT * 1e-9;
    };
    const double varys = mean("varys");
    const double fair = mean("fair");
    const double scf = mean("scf");
    const double ncf = mean("ncf");
    EXPECT_LT(varys, scf);
    EXPECT_LT(scf, ncf);
    EXPECT_LT(ncf, mean("fifo"));
    EXPECT_GT(fair / varys, 2);
    EXPECT_LT(mean("sincronia"), fair);
    const double bound =
        LowerBound(m_workload, PortRates::Uniform(m_workload.hosts, PORT_RATE)).mean;
    EXPECT_LT(bound, varys);
    EXPECT_GT(bound, varys / 1.5);
}
