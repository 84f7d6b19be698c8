/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_EXPRESS_FABRIC_H
#define COFLOW_EXPRESS_FABRIC_H

#include "ns3/coflow-fabric-channel.h"
#include "ns3/coflow-fabric-net-device.h"
#include "ns3/coflow-fabric.h"

#include <vector>

namespace ns3::coflow
{

/// The fabric `express`: one channel for all links and switches, and ns-3 nodes for hosts only. It
/// is faster than NodesFabric. Packets arrive at the same places and times as on NodesFabric (see
/// FabricChannel for small differences).
///
/// The queue of ports is a FifoQueueDisc or a DisciplineQueueDisc.
class ExpressFabric : public Fabric
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    Ptr<NetDevice> GetHostDevice(HostId host) const override;
    PortStatistics GetPortStatistics(LinkPort port) const override;
    std::map<std::string, uint64_t> GetDrops(LinkPort port) const override;
    uint64_t GetQueuedBytes(LinkPort port) const override;
    std::vector<BandStatistics> GetBandStatistics(LinkPort port) const override;
    void SetListener(FabricListener& listener) override;

    /// @return number of same-time ties that NodesFabric may order differently (see FifoPorts).
    ///         With 0, both fabrics give the same results
    uint64_t GetTies() const;

  protected:
    void DoDispose() override;

  private:
    void DoBuild(NodeContainer& hosts) override;
    uint64_t GetArrivedPackets(LinkPort port) const override;
    uint64_t GetUnroutedPackets() const override;

    Ptr<FabricChannel> m_channel;
};

} // namespace ns3::coflow

#endif // COFLOW_EXPRESS_FABRIC_H
