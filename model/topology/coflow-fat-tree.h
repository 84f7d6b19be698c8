/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_FAT_TREE_H
#define COFLOW_FAT_TREE_H

#include "ns3/coflow-topology.h"

namespace ns3::coflow
{

/// The three-tier fat-tree of k-port switches (Al-Fares et al., SIGCOMM 2008): k pods of k/2
/// edge and k/2 aggregation switches, (k/2)^2 core switches, k/2 hosts per edge switch. Any two
/// hosts in different pods are joined by (k/2)^2 paths of 6 ports.
///
/// HostsPerEdge attaches more or fewer hosts to an edge switch; Oversubscription slows the links
/// between switches down. With fewer hosts than there is room
/// for, they are spread over the edge switches as evenly as can be.
/// Switches are called edge, agg and core; those of pod p are edge and agg p*k/2 and following;
/// agg i of any pod is joined to core i*k/2 .. i*k/2 + k/2 - 1.
class FatTreeTopology : public Topology
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

  private:
    void DoBuild() override;
    PortRange DoGetEqualCostPorts(VertexId vertex, HostId dst) const override;

    uint32_t m_k;              ///< ports of a switch
    uint32_t m_hostsPerEdge;   ///< room for hosts at an edge switch; 0: k/2
    double m_oversubscription; ///< see Oversubscribe()
    uint32_t m_hosts;          ///< number of hosts; 0: all there is room for

    uint32_t m_half{0};         ///< k/2
    VertexId m_edge0{0};        ///< first edge switch
    VertexId m_agg0{0};         ///< first aggregation switch
    VertexId m_core0{0};        ///< first core switch
    uint32_t m_edgeAggLinks{0}; ///< first link between edge and aggregation
    uint32_t m_aggCoreLinks{0}; ///< first link between aggregation and core
};

} // namespace ns3::coflow

#endif // COFLOW_FAT_TREE_H
