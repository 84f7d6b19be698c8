/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_FAT_TREE_H
#define COFLOW_FAT_TREE_H

#include "ns3/coflow-topology.h"

namespace ns3::coflow
{

/// The three-tier fat-tree of k-port switches (Al-Fares et al., SIGCOMM 2008): k pods of k/2 edge
/// and k/2 aggregation switches, (k/2)^2 core switches, k/2 hosts per edge switch. There are
/// (k/2)^2 paths of 6 ports between any two hosts in different pods.
///
/// The attribute HostsPerEdge is the number of hosts per edge switch. Oversubscription sets the
/// rate of links between switches. Where there are fewer hosts than the edge switches can have, the
/// hosts are spread evenly over these switches. Switches are called edge, agg and core. The
/// switches of pod p are edge and agg number p*k/2 to p*k/2 + k/2 - 1. Aggregation switch i of any
/// pod is connected to core i*k/2 to i*k/2 + k/2 - 1.
class FatTreeTopology : public Topology
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

  private:
    void DoBuild() override;
    PortRange DoGetEqualCostPorts(VertexId vertex, HostId dst) const override;

    uint32_t m_k;              ///< number of ports of a switch
    uint32_t m_hostsPerEdge;   ///< largest number of hosts at an edge switch; 0: k/2
    double m_oversubscription; ///< see Oversubscribe()
    uint32_t m_hosts;          ///< number of hosts; 0: the largest number

    uint32_t m_half{0};         ///< k/2
    VertexId m_edge0{0};        ///< first edge switch
    VertexId m_agg0{0};         ///< first aggregation switch
    VertexId m_core0{0};        ///< first core switch
    uint32_t m_edgeAggLinks{0}; ///< first link between an edge and an aggregation switch
    uint32_t m_aggCoreLinks{0}; ///< first link between an aggregation and a core switch
};

} // namespace ns3::coflow

#endif // COFLOW_FAT_TREE_H
