/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_LEAF_SPINE_H
#define COFLOW_LEAF_SPINE_H

#include "ns3/coflow-topology.h"

namespace ns3::coflow
{

/// Two tiers: every leaf switch is joined to every spine switch, hosts are attached to leaves.
/// Two hosts of different leaves are joined by one path of 4 ports per spine. Oversubscription
/// slows the links between switches down. With fewer hosts than there is room for, they are spread
/// over the leaves as evenly as can be. Switches are called leaf and spine.
class LeafSpineTopology : public Topology
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

  private:
    void DoBuild() override;
    PortRange DoGetEqualCostPorts(VertexId vertex, HostId dst) const override;

    uint32_t m_leaves;         ///< number of leaf switches
    uint32_t m_spines;         ///< number of spine switches
    uint32_t m_hostsPerLeaf;   ///< room for hosts at a leaf
    double m_oversubscription; ///< see Oversubscribe()
    uint32_t m_hosts;          ///< number of hosts; 0: all there is room for

    VertexId m_leaf0{0};  ///< first leaf
    VertexId m_spine0{0}; ///< first spine
};

} // namespace ns3::coflow

#endif // COFLOW_LEAF_SPINE_H
