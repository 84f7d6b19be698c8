/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-completion-message.h"

namespace ns3::coflow
{

COFLOW_REGISTER_MESSAGE(TasksDoneMessage);

uint32_t
TasksDoneMessage::GetSerializedSize() const
{
    return 12;
}

void
TasksDoneMessage::Serialize(Buffer::Iterator start) const
{
    start.WriteHtonU64(id);
    start.WriteHtonU32(host);
}

bool
TasksDoneMessage::DoDeserialize(ControlReader& reader)
{
    id = reader.ReadU64();
    host = reader.ReadU32();
    return true;
}

void
TasksDoneMessage::Print(std::ostream& os) const
{
    os << "id=" << id << " host=" << host;
}

} // namespace ns3::coflow
