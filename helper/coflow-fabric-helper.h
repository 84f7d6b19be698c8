/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_FABRIC_HELPER_H
#define COFLOW_FABRIC_HELPER_H

#include "ns3/coflow-fabric.h"
#include "ns3/coflow-named-type.h"
#include "ns3/object-factory.h"

#include <string>
#include <utility>

namespace ns3::coflow
{

/// Makes fabrics by name:
///
///     FabricHelper helper("fat-tree", "express");
///     helper.SetTopologyAttributes("K", UintegerValue(8), "LinkRate", StringValue("10Gbps"));
///     Ptr<Fabric> fabric = helper.Create();
///     // applications on fabric->GetHosts(), towards fabric->GetHostAddress(3)
///
/// Keep the fabric until the simulation is over.
class FabricHelper
{
  public:
    /// Throws ::coflow::InputError where there is no topology or fabric of that name.
    /// @param topology name of a topology, such as "fat-tree", "leaf-spine" or "big-switch"
    /// @param fabric name of a fabric, such as "express" or "nodes"
    explicit FabricHelper(const std::string& topology = "fat-tree",
                          const std::string& fabric = "express");

    /// @param args attributes of the topology: name, value, name, value, ...
    template <typename... Args>
    void SetTopologyAttributes(Args&&... args)
    {
        m_topology.Set(std::forward<Args>(args)...);
    }

    /// @param args attributes of the fabric: name, value, name, value, ...
    template <typename... Args>
    void SetFabricAttributes(Args&&... args)
    {
        m_fabric.Set(std::forward<Args>(args)...);
    }

    /// Throws ::coflow::InputError where an attribute has a value that is not allowed.
    /// @return a new fabric, built
    Ptr<Fabric> Create() const;

    /// Writes the packets that a host sends and receives to a file in pcap format, on any fabric.
    /// The timestamp of a sent packet is the time at which its transmission begins. The timestamp
    /// of a received packet is the time of its arrival.
    /// @param prefix beginning of the file's name; "-host3.pcap" follows
    /// @param fabric the fabric
    /// @param host the host
    static void EnablePcap(const std::string& prefix, const Fabric& fabric, HostId host);

  private:
    ObjectFactory m_topology; ///< makes the topology
    ObjectFactory m_fabric;   ///< makes the fabric
};

} // namespace ns3::coflow

#endif // COFLOW_FABRIC_HELPER_H
