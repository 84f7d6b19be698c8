/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-segment-log.h"

#include "ns3/simulator.h"

#include <array>
#include <sstream>
#include <utility>

namespace ns3::coflow
{

namespace
{

std::string
GetLetters(uint8_t flags)
{
    constexpr std::array<std::pair<LeanSegment::Flag, char>, 6> LETTERS{{{LeanSegment::FIN, 'F'},
                                                                         {LeanSegment::SYN, 'S'},
                                                                         {LeanSegment::RST, 'R'},
                                                                         {LeanSegment::ACK, 'A'},
                                                                         {LeanSegment::ECE, 'E'},
                                                                         {LeanSegment::CWR, 'C'}}};
    std::string letters;
    for (const auto& [flag, letter] : LETTERS)
    {
        if (flags & flag)
        {
            letters += letter;
        }
    }
    return letters;
}

} // namespace

SegmentLog::SegmentLog(Sink sink)
    : m_sink(std::move(sink))
{
}

std::string
SegmentLog::GetHeader()
{
    return "time_ns\thost\tto\tfrom_port\tflags\tseq\tack\tpayload\twindow\tecn\ttimestamp\techo"
           "\theader\tflow\tpriority\tsack";
}

void
SegmentLog::Sent(::coflow::HostId host,
                 Ipv4Address destination,
                 const LeanSegment& segment,
                 uint8_t ecn,
                 const PacketClass& packetClass)
{
    std::ostringstream line;
    line << Simulator::Now().GetTimeStep() << '\t' << host << '\t' << destination << ':'
         << segment.destinationPort << '\t' << segment.sourcePort << '\t'
         << GetLetters(segment.flags) << '\t' << segment.sequence << '\t' << segment.acknowledgement
         << '\t' << segment.payload << '\t' << segment.window << '\t' << +ecn << '\t'
         << segment.timestamp << '\t' << segment.echo << '\t' << segment.GetHeaderBytes() << '\t';
    if (packetClass.flow.coflowId == PacketClass::NO_COFLOW)
    {
        line << '-';
    }
    else
    {
        line << packetClass.flow.coflowId << '/' << packetClass.flow.flowId;
    }
    line << '\t' << packetClass.priority.key << '\t';
    for (uint32_t i = 0; i < segment.nSackBlocks; ++i)
    {
        line << '[' << segment.sack[i].first << ',' << segment.sack[i].second << ')';
    }
    m_sink(line.str());
}

} // namespace ns3::coflow
