/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_LEAF_SPINE_H
#define COFLOW_LEAF_SPINE_H

#include "ns3/coflow-topology.h"

namespace ns3::coflow
{

/// Two tiers: every leaf switch is connected to every spine switch, and hosts are attached to
/// leaves. Two hosts of different leaves have one path of 4 ports per spine. Oversubscription sets
/// the rate of links between switches. Where there are fewer hosts than the leaves can have, the
/// hosts are spread evenly over the leaves. Switches are called leaf and spine.
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
    uint32_t m_hostsPerLeaf;   ///< largest number of hosts at a leaf
    double m_oversubscription; ///< see Oversubscribe()
    uint32_t m_hosts;          ///< number of hosts; 0: the largest number

    VertexId m_leaf0{0};  ///< first leaf
    VertexId m_spine0{0}; ///< first spine
};

} // namespace ns3::coflow

#endif // COFLOW_LEAF_SPINE_H
