/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_CONGESTION_CONTROL_NEEDS_H
#define COFLOW_CONGESTION_CONTROL_NEEDS_H

#include "ns3/type-id.h"

namespace ns3::coflow
{

/// What a congestion control needs of TCP and what ns-3's interface of it does not say.
struct CongestionControlNeeds
{
    bool ecn{false}; ///< both ends use ECN

    /// The receiver says of every segment whether it was marked (RFC 8257, 3.2). The congestion
    /// control of an end that only receives hears nothing of what arrives.
    bool exactMarks{false};

    /// The congestion control of a receiver changes the next byte in the receive buffer, and sends
    /// acknowledgements: ns-3's TcpDctcp where a mark begins or ends.
    bool receiveBuffer{false};

    /// @param control a subclass of TcpCongestionOps
    /// @return its needs
    static CongestionControlNeeds Of(TypeId control);
};

} // namespace ns3::coflow

#endif // COFLOW_CONGESTION_CONTROL_NEEDS_H
