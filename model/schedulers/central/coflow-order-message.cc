/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-order-message.h"

namespace ns3::coflow
{

COFLOW_REGISTER_MESSAGE(CoflowOrderMessage);

void
PlaceRecord::Write(Buffer::Iterator& to) const
{
    to.WriteHtonU64(coflow);
    to.WriteHtonU32(place);
}

bool
PlaceRecord::Read(ControlReader& reader)
{
    coflow = reader.ReadU64();
    place = reader.ReadU32();
    return true;
}

void
PlaceRecord::Print(std::ostream& os) const
{
    os << "coflow=" << coflow << " place=" << place;
}

} // namespace ns3::coflow
