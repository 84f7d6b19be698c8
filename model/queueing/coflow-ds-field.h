/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_DS_FIELD_H
#define COFLOW_DS_FIELD_H

#include "ns3/packet.h"

#include <cstdint>

namespace ns3::coflow
{

/// Writes the DS field, DSCP and ECN bits, into a packet's IPv4 header.
/// @param packet a packet, IPv4 header first
/// @param dsField the whole field
void WriteDsField(Packet& packet, uint8_t dsField);

} // namespace ns3::coflow

#endif // COFLOW_DS_FIELD_H
