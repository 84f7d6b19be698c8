/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-flow-hash.h"

namespace ns3::coflow
{

FlowTuple
GetFlowTuple(const Ipv4Header& header, const Packet& payload)
{
    constexpr uint8_t TCP = 6;
    constexpr uint8_t UDP = 17;
    FlowTuple flow;
    flow.srcAddress = header.GetSource().Get();
    flow.dstAddress = header.GetDestination().Get();
    flow.protocol = header.GetProtocol();
    const bool fragment = !header.IsLastFragment() || header.GetFragmentOffset() != 0;
    if (!fragment && (flow.protocol == TCP || flow.protocol == UDP))
    {
        // Both begin with the two ports in network byte order.
        uint8_t ports[4];
        if (payload.CopyData(ports, sizeof(ports)) == sizeof(ports))
        {
            flow.srcPort = static_cast<uint16_t>(ports[0] << 8 | ports[1]);
            flow.dstPort = static_cast<uint16_t>(ports[2] << 8 | ports[3]);
        }
    }
    return flow;
}

} // namespace ns3::coflow
