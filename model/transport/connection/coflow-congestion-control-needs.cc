/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-congestion-control-needs.h"

#include "ns3/coflow-dctcp.h"

namespace ns3::coflow
{

CongestionControlNeeds
CongestionControlNeeds::Of(TypeId control)
{
    const auto is = [control](TypeId tid) { return control == tid || control.IsChildOf(tid); };
    CongestionControlNeeds needs;
    needs.ecn = is(TcpDctcp::GetTypeId());
    needs.exactMarks = is(Dctcp::GetTypeId());
    needs.receiveBuffer = needs.ecn && !needs.exactMarks;
    return needs;
}

} // namespace ns3::coflow
