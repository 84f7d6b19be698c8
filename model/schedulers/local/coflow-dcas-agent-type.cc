/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// The attributes of DcasAgent. Those that the fluid engine has as well come from DcasProtocol.

#include "ns3/boolean.h"
#include "ns3/coflow-attribute-spec.h"
#include "ns3/coflow-dcas-agent.h"
#include "ns3/coflow-dcas-protocol.h"
#include "ns3/coflow-spec-attribute.h"
#include "ns3/double.h"
#include "ns3/uinteger.h"

namespace ns3::coflow
{

namespace DcasProtocol = ::coflow::DcasProtocol;

TypeId
DcasAgent::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::coflow::DcasAgent")
            .SetParent<HostAgent>()
            .SetGroupName("Coflow")
            .AddConstructor<DcasAgent>()
            .AddAttribute("Delta",
                          SpecAttribute::GetHelp(DcasProtocol::Delta()),
                          SpecAttribute::GetTime(DcasProtocol::Delta()),
                          MakeTimeAccessor(&DcasAgent::m_delta),
                          SpecAttribute::MakeTimeChecker(DcasProtocol::Delta()))
            .AddAttribute("T",
                          SpecAttribute::GetHelp(DcasProtocol::Patience()),
                          SpecAttribute::GetTime(DcasProtocol::Patience()),
                          MakeTimeAccessor(&DcasAgent::m_patience),
                          SpecAttribute::MakeTimeChecker(DcasProtocol::Patience()))
            .AddAttribute("Expiry",
                          SpecAttribute::GetHelp(DcasProtocol::Expiry()),
                          SpecAttribute::GetTime(DcasProtocol::Expiry()),
                          MakeTimeAccessor(&DcasAgent::m_expiry),
                          SpecAttribute::MakeTimeChecker(DcasProtocol::Expiry()))
            .AddAttribute("MinWait",
                          "Shortest time for which a sender waits for feedback; it waits three "
                          "round trips of messages if that is longer",
                          TimeValue(MicroSeconds(500)),
                          MakeTimeAccessor(&DcasAgent::m_minWait),
                          Declared(MakeTimeChecker(NanoSeconds(1)),
                                   ::coflow::Unit::SECONDS,
                                   ::coflow::Scaling::WORKLOAD))
            .AddAttribute("FeedbackDelay",
                          "Time between an announcement and the answer, in which announcements of "
                          "the same round arrive; with 0s the first of them are answered without "
                          "the others",
                          TimeValue(MicroSeconds(100)),
                          MakeTimeAccessor(&DcasAgent::m_feedbackDelay),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("Threshold",
                          SpecAttribute::GetHelp(DcasProtocol::Threshold()),
                          SpecAttribute::GetBytes(DcasProtocol::Threshold()),
                          MakeUintegerAccessor(&DcasAgent::m_threshold),
                          SpecAttribute::MakeBytesChecker(DcasProtocol::Threshold()))
            .AddAttribute("FinAnnouncements",
                          "Whether a sender tells a receiver when no flow to it is left; otherwise "
                          "its last announcement counts until it expires",
                          BooleanValue(true),
                          MakeBooleanAccessor(&DcasAgent::m_finAnnouncements),
                          MakeBooleanChecker())
            .AddAttribute("UrgentMessages",
                          "Whether messages go before all data in the network; otherwise behind, "
                          "as best effort",
                          BooleanValue(true),
                          MakeBooleanAccessor(&DcasAgent::m_urgentMessages),
                          MakeBooleanChecker())
            .AddAttribute(
                "LossRate",
                "Probability that a message is lost where it arrives, besides what queues drop",
                DoubleValue(0),
                MakeDoubleAccessor(&DcasAgent::m_lossRate),
                MakeDoubleChecker<double>(0, 1));
    return tid;
}

} // namespace ns3::coflow
