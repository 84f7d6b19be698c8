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

/// Shortest remaining flow first, as pFabric does it (Alizadeh et al., SIGCOMM 2013): the key of a
/// packet is the number of bytes of its flow that are not acknowledged when it leaves its host, a
/// retransmission's also. There is no coordinator and no message.
///
/// With Bands, flows with less than FirstBand left are in band 0, less than ten times that in
/// band 1, and so on.
///
/// The paper's transport (section 4.3) knows the product of bandwidth and delay of the network:
/// that is its first window, with which it is past slow start, and half of what a port holds. It
/// detects losses by timeouts alone, which are three round trips long; after five in a row it
/// probes with segments of one byte.
class PfabricScheduler : public PriorityScheduler
{
  public:
    /// What carries flows.
    enum Transport
    {
        MINIMAL, ///< the transport of the paper, in its short queues
        PROFILE  ///< what the TransportProfile says, in queues that hold whole windows
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
    Time m_roundTrip;             ///< of a full segment, where nothing waits
    uint32_t m_windowSegments{1}; ///< that fill the fastest host's wire for that long
    uint32_t m_mtu{0};            ///< of a full segment
};

} // namespace ns3::coflow

#endif // COFLOW_PFABRIC_SCHEDULER_H
