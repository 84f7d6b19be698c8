/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-pfabric-scheduler.h"

#include "ns3/coflow-attribute-spec.h"
#include "ns3/coflow-named-type.h"
#include "ns3/coflow-pfabric.h"
#include "ns3/coflow-size-access.h"
#include "ns3/coflow-transport-profile.h"
#include "ns3/enum.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>

namespace ns3::coflow
{

using ::coflow::Scaling;
using ::coflow::Unit;

namespace
{

class PfabricAgent : public PriorityAgent
{
  public:
    explicit PfabricAgent(const KeyBands& bands)
        : m_rule(SizeAccess::Of<::coflow::Pfabric>().MakeRule([bands](uint64_t unacknowledged) {
              return PacketPriority{unacknowledged, bands.GetBand(unacknowledged)};
          })),
          m_bands(bands)
    {
    }

    void Prioritise(CoflowSource::FlowRequest& flow) override
    {
        flow.priorityRule = m_rule;
        flow.openingPriority = PacketPriority{0, m_bands.GetBand(0)}; // a SYN carries no data
    }

  private:
    CoflowSource::PriorityRule m_rule;
    KeyBands m_bands; ///< bands by bytes left
};

} // namespace

COFLOW_REGISTER(PfabricScheduler, "per-flow priority in the network: shortest remaining first");

TypeId
PfabricScheduler::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::coflow::PfabricScheduler")
            .SetParent<PriorityScheduler>()
            .SetGroupName("Coflow")
            .AddConstructor<PfabricScheduler>()
            .AddAttribute(
                "FirstBand",
                "With Bands: flows with fewer bytes left than this are in the first class; each "
                "further class reaches ten times as far",
                UintegerValue(10'000),
                MakeUintegerAccessor(&PfabricScheduler::m_firstBand),
                Declared(MakeUintegerChecker<uint64_t>(1), Unit::BYTES, Scaling::WORKLOAD))
            .AddAttribute("PfabricTransport",
                          "minimal: the transport of the paper, with windows and queues that "
                          "follow the network's bandwidth-delay product; profile: that of the "
                          "transport profile (DCTCP) in long queues, as always with Bands",
                          EnumValue(MINIMAL),
                          MakeEnumAccessor<Transport>(&PfabricScheduler::m_transport),
                          MakeEnumChecker(MINIMAL, "minimal", PROFILE, "profile"));
    return tid;
}

void
PfabricScheduler::Configure(const HostNetwork& network, uint32_t mtu)
{
    constexpr uint32_t FRAME_BYTES = TransportProfile::FRAME_BYTES;
    m_mtu = mtu;
    DataRate fastest;
    for (HostId host = 0; host < network.GetNHosts(); ++host)
    {
        fastest = std::max(fastest, network.GetUplinkRate(host));
    }
    m_roundTrip = network.GetLongestRoundTrip(mtu + FRAME_BYTES,
                                              TransportProfile::HEADER_BYTES + FRAME_BYTES);
    const double product = static_cast<double>(fastest.GetBitRate()) / 8 * m_roundTrip.GetSeconds();
    m_windowSegments =
        std::max(1U, static_cast<uint32_t>(std::ceil(product / (mtu + FRAME_BYTES))));
}

std::vector<std::pair<std::string, std::string>>
PfabricScheduler::GetTransportDefaults() const
{
    if (m_transport == PROFILE || GetBands() > 0 || m_roundTrip.IsZero())
    {
        return {};
    }
    const auto text = [](Time time) { return std::to_string(time.GetNanoSeconds()) + "ns"; };
    const uint32_t window = m_windowSegments * (m_mtu - TransportProfile::HEADER_BYTES);
    return {{"CongestionOps", "ns3::TcpNewReno"},
            {"InitialWindow", std::to_string(m_windowSegments)},
            {"SlowStartThreshold", std::to_string(window)},
            {"FastRetransmit", "false"},
            {"MinRto", text(3 * m_roundTrip)},
            {"MaxRto", text(3 * m_roundTrip)},
            {"InitialRtt", text(m_roundTrip)},
            {"ClockGranularity", text(m_roundTrip)},
            {"ProbeAfter", "5"},
            {"DelAckCount", "1"},
            {"UndoTimeouts", "false"}};
}

std::string
PfabricScheduler::GetQueueDisc() const
{
    if (m_transport == PROFILE || GetBands() > 0)
    {
        return PriorityScheduler::GetQueueDisc();
    }
    return "ns3::coflow::PfabricQueueDisc[MaxSize=" + std::to_string(2 * m_windowSegments * m_mtu) +
           "B]";
}

Ptr<HostAgent> PfabricScheduler::CreateAgent(::coflow::HostId)
{
    return CreateObject<PfabricAgent>(
        KeyBands::Logarithmic(std::max(GetBands(), 1U), m_firstBand, 10));
}

} // namespace ns3::coflow
