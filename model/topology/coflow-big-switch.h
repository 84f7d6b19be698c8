/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_BIG_SWITCH_H
#define COFLOW_BIG_SWITCH_H

#include "ns3/coflow-topology.h"

namespace ns3::coflow
{

/// One switch to which all hosts are attached, so that only the hosts' ports limit rates. Analyses
/// of coflow scheduling commonly assume this non-blocking fabric (Chowdhury et al., SIGCOMM 2014,
/// section 2). Every path has 2 ports. The switch is called switch0.
class BigSwitchTopology : public Topology
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

  private:
    void DoBuild() override;
    PortRange DoGetEqualCostPorts(VertexId vertex, HostId dst) const override;

    uint32_t m_hosts; ///< number of hosts
};

} // namespace ns3::coflow

#endif // COFLOW_BIG_SWITCH_H
