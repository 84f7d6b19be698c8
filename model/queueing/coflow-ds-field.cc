/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-ds-field.h"

#include "ns3/ipv4-header.h"
#include "ns3/node.h"

namespace ns3::coflow
{

void
WriteDsField(Packet& packet, uint8_t dsField)
{
    Ipv4Header header;
    packet.RemoveHeader(header);
    if (Node::ChecksumEnabled())
    {
        header.EnableChecksum();
    }
    header.SetTos(dsField);
    packet.AddHeader(header);
}

} // namespace ns3::coflow
