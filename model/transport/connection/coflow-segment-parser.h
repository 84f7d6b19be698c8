/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_SEGMENT_PARSER_H
#define COFLOW_SEGMENT_PARSER_H

#include "ns3/coflow-lean-segment.h"
#include "ns3/packet.h"

#include <cstdint>

namespace ns3::coflow
{

/// @param packet with a TCP segment
/// @param offset where its TCP header begins, bytes
/// @return what the header says
LeanSegment ParseSegment(const Packet& packet, uint32_t offset);

} // namespace ns3::coflow

#endif // COFLOW_SEGMENT_PARSER_H
