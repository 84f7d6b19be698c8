/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-dctcp.h"

#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3::coflow
{

NS_OBJECT_ENSURE_REGISTERED(Dctcp);

TypeId
Dctcp::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::coflow::Dctcp")
            .SetParent<TcpDctcp>()
            .SetGroupName("Coflow")
            .AddConstructor<Dctcp>()
            .AddAttribute(
                "MinWindow",
                "Smallest window in segments after a reduction because of marks; Linux has 2. With "
                "1, the receiver may delay the acknowledgement of the only segment in flight",
                UintegerValue(2),
                MakeUintegerAccessor(&Dctcp::m_minWindow),
                MakeUintegerChecker<uint32_t>(1, 1000));
    return tid;
}

Dctcp::Dctcp()
    : m_minWindow(2)
{
}

Dctcp::Dctcp(const Dctcp& other) = default;

Dctcp::~Dctcp() = default;

std::string
Dctcp::GetName() const
{
    return "Dctcp";
}

uint32_t
Dctcp::GetSsThresh(Ptr<const TcpSocketState> state, uint32_t bytesInFlight)
{
    if (state->m_congState == TcpSocketState::CA_RECOVERY ||
        state->m_congState == TcpSocketState::CA_LOSS)
    {
        return GetHalf(state);
    }
    return std::max(TcpDctcp::GetSsThresh(state, bytesInFlight),
                    m_minWindow * state->m_segmentSize);
}

void
Dctcp::CwndEvent(Ptr<TcpSocketState> state, const TcpSocketState::TcpCAEvent_t event)
{
    // ns-3 asks for the threshold of a timeout before it says that this is one. Repeated timeouts
    // leave the threshold as it is.
    if (event == TcpSocketState::CA_EVENT_LOSS && state->m_congState != TcpSocketState::CA_LOSS)
    {
        state->m_ssThresh = GetHalf(state);
    }
    TcpDctcp::CwndEvent(state, event);
}

Ptr<TcpCongestionOps>
Dctcp::Fork()
{
    return CopyObject<Dctcp>(this);
}

uint32_t
Dctcp::GetHalf(Ptr<const TcpSocketState> state)
{
    return std::max(state->m_cWnd.Get() / 2, 2 * state->m_segmentSize);
}

} // namespace ns3::coflow
