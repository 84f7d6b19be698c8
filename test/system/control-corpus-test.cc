/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// The corpus of the fuzz target for control messages has the layout that messages have now: a file
// that is named for a message is one, and a bad one is bad for the reason in its name.

#include "coflow-test-paths.h"

#include "ns3/coflow-central-messages.h"
#include "ns3/coflow-control-header.h"
#include "ns3/coflow-coordinated-messages.h"
#include "ns3/coflow-hybrid-messages.h"
#include "ns3/packet.h"

#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::coflow;

namespace
{

using Bytes = std::vector<uint8_t>;

Bytes
ReadCorpus(const std::string& name)
{
    std::ifstream file(COFLOW_SOURCE_DIR "/test/fuzz/corpus/control-message/" + name,
                       std::ios::binary);
    EXPECT_TRUE(file) << name;
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

template <class H>
bool
IsValid(const Bytes& bytes)
{
    H header;
    Create<Packet>(bytes.data(), bytes.size())->RemoveHeader(header);
    return header.IsValid();
}

/// @param mended the bytes of the file, but for what its name says
template <class H>
void
ExpectBad(const std::string& name, const Bytes& mended)
{
    EXPECT_FALSE(IsValid<H>(ReadCorpus(name))) << name;
    EXPECT_TRUE(IsValid<H>(mended)) << name << " is bad for another reason";
}

} // namespace

TEST(ControlCorpus, FilesAreTheMessagesOfTheirNames)
{
    EXPECT_TRUE(IsValid<ControlHeader>(ReadCorpus("frame")));
    EXPECT_TRUE(IsValid<RegisterCoflowMessage>(ReadCorpus("register")));
    EXPECT_TRUE(IsValid<UnregisterCoflowMessage>(ReadCorpus("unregister")));
    EXPECT_TRUE(IsValid<AddFlowsMessage>(ReadCorpus("puts")));
    EXPECT_TRUE(IsValid<GetFlowsMessage>(ReadCorpus("gets")));
    EXPECT_TRUE(IsValid<GotFlowDescsMessage>(ReadCorpus("descriptions")));
    EXPECT_TRUE(IsValid<FlowProgressMessage>(ReadCorpus("progress")));
    EXPECT_TRUE(IsValid<UpdatedRatesMessage>(ReadCorpus("rates")));
    EXPECT_TRUE(IsValid<RejectedCoflowMessage>(ReadCorpus("rejected")));
    EXPECT_TRUE(IsValid<HeartbeatMessage>(ReadCorpus("heartbeat")));
    EXPECT_TRUE(IsValid<HeartbeatMessage>(ReadCorpus("heartbeat-over")));
    EXPECT_TRUE(IsValid<GlobalCoflowsMessage>(ReadCorpus("global-coflows")));
}

TEST(ControlCorpus, BadFilesAreBadForTheReasonsInTheirNames)
{
    auto rates = ReadCorpus("rates-cut-off");
    rates.push_back(0);
    ExpectBad<UpdatedRatesMessage>("rates-cut-off", rates);
    auto label = ReadCorpus("rates-bad-label");
    label.at(24) = 0; // the highest byte of the first label
    ExpectBad<UpdatedRatesMessage>("rates-bad-label", label);
    auto time = ReadCorpus("register-bad-time");
    time.at(0) = 0;
    ExpectBad<RegisterCoflowMessage>("register-bad-time", time);
    auto outcome = ReadCorpus("rejected-bad-outcome");
    outcome.at(15) = 0;
    ExpectBad<RejectedCoflowMessage>("rejected-bad-outcome", outcome);
    auto frame = ReadCorpus("frame-too-long");
    frame.at(4) = 0; // 24 bytes
    frame.at(7) = 24;
    ExpectBad<ControlHeader>("frame-too-long", frame);
}
