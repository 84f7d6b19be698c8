/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Every check of the diagnosis, where it fires and where it does not.

#include "coflow-test-paths.h"

#include "ns3/coflow-diagnosis.h"

#include <algorithm>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <string>
#include <vector>

using namespace coflow;

namespace
{

/// Numbers of a run at which no check has anything to find: 100 coflows, of which 50 met.
RunFacts
Healthy()
{
    RunFacts facts;
    facts.coflows = 100;
    facts.scheduled = 100;
    facts.medianGamma = 1;
    facts.medianCct = 2;
    facts.controlPeriods = {{"controlBatch", 0.1}};
    facts.metAtPort = 50;
    facts.utilisation = 0.5;
    facts.offeredLoad = 0.7;
    facts.arrivalSpan = 100;
    facts.arrivalsMoved = true;
    facts.shortestTimeout = 0.005;
    facts.skippedHops = 0;
    facts.network = NetworkConstants{.bandwidthDelayProduct = 30e3,
                                     .markingThreshold = 30e3,
                                     .queueLimit = 262144};
    return facts;
}

/// @return the only finding; its id is empty where there is none or more than one
Finding
OnlyFinding(const RunFacts& facts)
{
    const auto findings = Diagnose(facts);
    return findings.size() == 1 ? findings.front() : Finding();
}

/// There is one finding, and its sentence has a text in it.
void
ExpectOnly(const RunFacts& facts, const std::string& id, const std::string& text)
{
    const auto finding = OnlyFinding(facts);
    EXPECT_EQ(finding.id, id);
    EXPECT_NE(finding.sentence.find(text), std::string::npos) << finding.sentence;
}

/// Two coflows of a flow each from host 0; the first takes 1 s from time 0.
struct TwoCoflows
{
    Workload workload;
    std::vector<CoflowRecord> records;
    PortRates rates = PortRates::Uniform(3, 100);

    /// @param secondSource who sends the second coflow
    /// @param secondArrival when it arrives, seconds
    TwoCoflows(HostId secondSource, double secondArrival)
    {
        workload.hosts = 3;
        const auto arrival = static_cast<Nanoseconds>(secondArrival * 1e9);
        workload.coflows = {
            Coflow{.id = 1, .arrival = 0, .flows = {{.id = 0, .src = 0, .dst = 1, .bytes = 100}}},
            Coflow{.id = 2,
                   .arrival = arrival,
                   .flows = {{.id = 0, .src = secondSource, .dst = 2, .bytes = 300}}}};
        records = MakeCoflowRecords(workload, rates);
        records[0].finish = 1'000'000'000;
        records[1].finish = arrival + 3'000'000'000;
    }

    RunFacts Facts(const std::vector<FlowRecord>& flows = {}, double shortestTimeout = 0) const
    {
        RunFacts facts;
        facts.shortestTimeout = shortestTimeout;
        facts.Add(workload, records, flows, rates);
        return facts;
    }
};

} // namespace

TEST(Diagnosis, FindsNothingInAHealthyRun)
{
    EXPECT_TRUE(Diagnose(Healthy()).empty()) << Format(Diagnose(Healthy()));
    EXPECT_EQ(Format(Diagnose(Healthy())), "");
}

TEST(Diagnosis, ControlPeriodLongerThanCoflows)
{
    auto facts = Healthy();
    facts.controlPeriods = {{"controlBatch", 1.1}};
    facts.arrivalsMoved = false;
    const auto finding = OnlyFinding(facts);
    EXPECT_EQ(finding.id, "control-period");
    EXPECT_NE(finding.sentence.find("controlBatch is 1.10 s"), std::string::npos)
        << finding.sentence;
    facts.scheduled = 0; // all bypassed, or none finished
    EXPECT_TRUE(Diagnose(facts).empty());
}

TEST(Diagnosis, Bypass)
{
    auto facts = Healthy();
    facts.bypassed = 40;
    facts.bypassedBytes = 0.014;
    const auto finding = OnlyFinding(facts);
    EXPECT_EQ(finding.id, "bypass");
    EXPECT_TRUE(finding.sentence.starts_with("40 of 100 coflows (40.0 %) with 1.40 % of the bytes"))
        << finding.sentence;
}

TEST(Diagnosis, RareContention)
{
    auto facts = Healthy();
    facts.metAtPort = 4;
    EXPECT_EQ(OnlyFinding(facts).id, "rare-contention");
    facts.metAtPort = 5;
    EXPECT_TRUE(Diagnose(facts).empty());
    facts.metAtPort = 0;
    EXPECT_EQ(OnlyFinding(facts).sentence.find("nothing to decide"), std::string::npos)
        << "links inside the fabric may have been shared";
    facts.contended = false;
    EXPECT_NE(OnlyFinding(facts).sentence.find("nothing to decide"), std::string::npos);
    facts.coflows = 1;
    EXPECT_TRUE(Diagnose(facts).empty()) << "one coflow has nobody to meet";
}

TEST(Diagnosis, Overload)
{
    auto facts = Healthy();
    facts.offeredLoad = 1.01;
    EXPECT_EQ(OnlyFinding(facts).id, "overload");
    facts.offeredLoad = 0; // all arrive at once
    EXPECT_TRUE(Diagnose(facts).empty());
    facts.offeredLoad = 1.01;
    facts.metAtPort = 0; // who never meets does not make others late
    EXPECT_EQ(OnlyFinding(facts).id, "rare-contention");
}

TEST(Diagnosis, ABurstShorterThanTenPeriods)
{
    auto facts = Healthy();
    facts.arrivalSpan = 0.99;
    EXPECT_EQ(OnlyFinding(facts).id, "burst");
    facts.arrivalSpan = 1;
    EXPECT_TRUE(Diagnose(facts).empty());
    facts.arrivalSpan = 0.043;
    facts.arrivalsMoved = false; // somebody wants a burst
    EXPECT_TRUE(Diagnose(facts).empty());
}

TEST(Diagnosis, MarkingThresholdFarFromRateTimesRoundTrip)
{
    auto facts = Healthy();
    facts.network->bandwidthDelayProduct = 250e3;
    EXPECT_EQ(OnlyFinding(facts).id, "marking-threshold");
    facts.network->bandwidthDelayProduct = 200e3;
    EXPECT_TRUE(Diagnose(facts).empty());
    facts.network->bandwidthDelayProduct = 10e3;
    facts.network->markingThreshold = 201e3;
    EXPECT_EQ(OnlyFinding(facts).id, "marking-threshold");
    facts.network->markingThreshold = 0; // ports do not mark
    EXPECT_TRUE(Diagnose(facts).empty());
    facts = Healthy();
    facts.network->queueLimit = 30e3;
    ExpectOnly(facts, "marking-threshold", "drop packets before they mark");
}

TEST(Diagnosis, ABufferBelowRateTimesRoundTrip)
{
    auto facts = Healthy();
    facts.network->markingThreshold = 10e3;
    facts.network->queueLimit = 29e3;
    EXPECT_EQ(OnlyFinding(facts).id, "buffer");
    facts.network->queueLimit = 30e3;
    EXPECT_TRUE(Diagnose(facts).empty());
}

TEST(Diagnosis, Timeouts)
{
    auto facts = Healthy();
    facts.timedOut = 1;
    EXPECT_EQ(OnlyFinding(facts).id, "timeouts");
    facts.coflows = 1000;
    facts.metAtPort = 500;
    EXPECT_TRUE(Diagnose(facts).empty());
    facts.timedOut = 10;
    EXPECT_EQ(OnlyFinding(facts).id, "timeouts");
}

TEST(Diagnosis, ControlRoundTrip)
{
    auto facts = Healthy();
    facts.network->roundTrip = 87e-6;
    facts.controlPeriods = {{"delta", 87e-6}};
    EXPECT_TRUE(Diagnose(facts).empty());
    facts.controlPeriods = {{"controlBatch", 10e-6}};
    EXPECT_TRUE(Diagnose(facts).empty());
    facts.controlPeriods = {{"delta", 40e-6}};
    ExpectOnly(facts, "control-round-trip", "delta is 40.0 us, shorter than the round trip");
    facts.network.reset();
    EXPECT_TRUE(Diagnose(facts).empty()) << "the fluid engine has no round trip";
}

TEST(Diagnosis, PortWaits)
{
    auto facts = Healthy();
    facts.portWaits = 3;
    ExpectOnly(facts, "port-waits", "3 connections waited");
}

TEST(Diagnosis, Silence)
{
    auto facts = Healthy();
    facts.timesAlone = 3;
    ExpectOnly(facts, "silence", "without the coordinator 3 times");
}

TEST(Diagnosis, ControlLoad)
{
    auto facts = Healthy();
    facts.controlShare = 0.0999;
    EXPECT_TRUE(Diagnose(facts).empty());
    facts.controlShare = 0.25;
    ExpectOnly(facts, "control-load", "control packets are 25.0 % of the bytes");
}

TEST(Diagnosis, LinkOrder)
{
    auto facts = Healthy();
    facts.linksWithoutOrder = true;
    ExpectOnly(facts, "link-order", "at a link, flows share alike");
}

TEST(Diagnosis, IdlePorts)
{
    auto facts = Healthy();
    facts.idleShare = 0.049;
    EXPECT_TRUE(Diagnose(facts).empty());
    facts.idleShare = 0.125;
    ExpectOnly(facts, "idle-ports", "12.5 % of all bytes");
}

TEST(Diagnosis, Jumps)
{
    auto facts = Healthy();
    facts.skippedHops = 0.994;
    ExpectOnly(facts, "jumps", "99.4 % of all packet-hops");
}

TEST(Diagnosis, QueueDiscsOfAScript)
{
    auto facts = Healthy();
    facts.queueDiscs = "of 4 devices between hosts, some do not have ns3::coflow::FifoQueueDisc";
    EXPECT_EQ(OnlyFinding(facts).id, "queue-disc");
}

TEST(Diagnosis, CoflowsMeetAtAPortAtTheSameTime)
{
    EXPECT_EQ(TwoCoflows(0, 0.5).Facts().metAtPort, 2U);
    EXPECT_EQ(TwoCoflows(0, 1).Facts().metAtPort, 0U) << "the first has gone";
    EXPECT_EQ(TwoCoflows(1, 0.5).Facts().metAtPort, 0U) << "another port";
}

TEST(Diagnosis, AMeetingIsFoundWhoeverStaysLongest)
{
    // At one uplink: 0 to 10 s, 1 to 2 s, 3 to 4 s, and 11 to 12 s. Three meet, one does not.
    Workload workload;
    workload.hosts = 2;
    const double times[][2] = {{0, 10}, {1, 2}, {3, 4}, {11, 12}};
    std::vector<CoflowRecord> records;
    for (std::size_t i = 0; i < std::size(times); ++i)
    {
        workload.coflows.push_back({.id = i,
                                    .arrival = static_cast<Nanoseconds>(times[i][0] * 1e9),
                                    .flows = {{.id = 0, .src = 0, .dst = 1, .bytes = 1}}});
    }
    const auto rates = PortRates::Uniform(2, 1);
    records = MakeCoflowRecords(workload, rates);
    for (std::size_t i = 0; i < std::size(times); ++i)
    {
        records[i].finish = static_cast<Nanoseconds>(times[i][1] * 1e9);
    }
    RunFacts facts;
    facts.Add(workload, records, {}, rates);
    EXPECT_EQ(facts.metAtPort, 3U);
}

TEST(Diagnosis, FactsAreThoseOfTheRecords)
{
    auto two = TwoCoflows(0, 2);
    const auto facts = two.Facts();
    EXPECT_EQ(facts.scheduled, 2U);
    EXPECT_DOUBLE_EQ(facts.medianGamma, 2); // 1 s and 3 s
    EXPECT_DOUBLE_EQ(facts.medianCct, 2);
    EXPECT_DOUBLE_EQ(facts.arrivalSpan, 2);
    EXPECT_DOUBLE_EQ(facts.offeredLoad, 2) << "400 bytes from host 0, which sends 200 in 2 s";
    two.records[0].bypassed = true;
    EXPECT_EQ(two.Facts().scheduled, 1U);
    EXPECT_DOUBLE_EQ(two.Facts().bypassedBytes, 0.25);
    two.workload.history = {"transform load=0.4:1e+09"};
    EXPECT_TRUE(two.Facts().arrivalsMoved);
    two.workload.history = {"transform scale-bytes=0.4"};
    EXPECT_FALSE(two.Facts().arrivalsMoved);
}

TEST(Diagnosis, ATimeoutIsTheLastFlowsAndLateByTheShortestTimeout)
{
    auto two = TwoCoflows(0, 2);
    std::vector<FlowRecord> flows{
        {.coflow = 1, .flow = {}, .finish = 900, .retransmits = 3},
        {.coflow = 1, .flow = {}, .finish = 1'000'000'000, .retransmits = 0},
        {.coflow = 2, .flow = {}, .finish = 5'000'000'000, .retransmits = 1}};
    EXPECT_EQ(two.Facts(flows, 0.01).timedOut, 0U) << "the second took Gamma";
    two.records[1].finish += 10'000'000;
    EXPECT_EQ(two.Facts(flows, 0.01).timedOut, 1U);
    EXPECT_EQ(two.Facts(flows, 0.02).timedOut, 0U);
    EXPECT_EQ(two.Facts(flows, 0).timedOut, 0U) << "no packets";
}

TEST(Diagnosis, WhatRunsShareStandsThereOnce)
{
    const Finding bypass{.id = "bypass", .sentence = "1 of 2", .change = "none"};
    const Finding jumps{.id = "jumps", .sentence = "99 %", .change = "say so"};
    EXPECT_EQ(Format({"A", "B", "C"}, {{}, {bypass, jumps}, {bypass}}),
              "bypass (B, C): 1 of 2.\n  none.\njumps (B): 99 %.\n  say so.\n");
}

TEST(Diagnosis, ThePageListsEveryCheck)
{
    std::ifstream file(COFLOW_SOURCE_DIR "/doc/how-to/diagnosis.md");
    const std::string page{std::istreambuf_iterator<char>(file), {}};
    for (const auto& check : AllDiagnosisChecks())
    {
        EXPECT_NE(page.find("| `" + check.id + "` | " + check.meaning + " |"), std::string::npos)
            << check.id;
    }
}
