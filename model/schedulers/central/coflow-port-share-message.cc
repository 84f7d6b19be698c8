/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-port-share-message.h"

namespace ns3::coflow
{

COFLOW_REGISTER_MESSAGE(PortShareMessage);

uint32_t
PortShareMessage::GetSerializedSize() const
{
    return 8;
}

void
PortShareMessage::Serialize(Buffer::Iterator start) const
{
    start.WriteHtonU64(billionths);
}

bool
PortShareMessage::DoDeserialize(ControlReader& reader)
{
    billionths = reader.ReadU64();
    return true;
}

void
PortShareMessage::Print(std::ostream& os) const
{
    os << "share=" << static_cast<double>(billionths) * 1e-9;
}

} // namespace ns3::coflow
