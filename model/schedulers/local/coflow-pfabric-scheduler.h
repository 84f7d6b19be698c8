/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_PFABRIC_SCHEDULER_H
#define COFLOW_PFABRIC_SCHEDULER_H

#include "ns3/coflow-priority-scheduler.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace ns3::coflow
{

/// Shortest remaining flow first, as in pFabric (Alizadeh et al., SIGCOMM 2013). The key of a
/// packet is the number of unacknowledged bytes of its flow when the packet leaves its host. This
/// also holds for retransmissions. There is no coordinator, and there are no messages.
///
/// With Bands, flows with less than FirstBand left are in band 0, less than ten times that in
/// band 1, and so on.
///
/// The paper's transport (section 4.3) knows the bandwidth-delay product of the network. This
/// product is the initial window, and also the slow start threshold. A port holds twice as many
/// bytes. The transport detects losses only by timeouts, which are three round trips long. After
/// five timeouts in a row it probes with segments of one byte.
class PfabricScheduler : public PriorityScheduler
{
  public:
    /// The transport of flows.
    enum Transport
    {
        MINIMAL, ///< the transport of the paper, in the short queues of the paper
        PROFILE  ///< the transport of the TransportProfile, in queues that hold whole windows
    };

    /// @return the TypeId
    static TypeId GetTypeId();

    void Configure(const HostNetwork& network, uint32_t mtu) override;
    std::vector<std::pair<std::string, std::string>> GetTransportDefaults() const override;
    std::string GetQueueDisc() const override;

  private:
    Ptr<HostAgent> CreateAgent(::coflow::HostId host) override;

    uint64_t m_firstBand;         ///< attribute FirstBand
    Transport m_transport;        ///< attribute PfabricTransport
    Time m_roundTrip;             ///< longest round trip of a full segment, with empty queues
    uint32_t m_windowSegments{1}; ///< full segments that the fastest host sends in m_roundTrip
    uint32_t m_mtu{0};            ///< size of the IPv4 packet of a full segment, in bytes
};

} // namespace ns3::coflow

#endif // COFLOW_PFABRIC_SCHEDULER_H
