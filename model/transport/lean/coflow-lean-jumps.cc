/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// What jumps over time ask of a connection: whether it goes on evenly, what becomes of bytes that
// are not simulated.

#include "ns3/coflow-lean-connection.h"
#include "ns3/coflow-lean-ends.h"
#include "ns3/coflow-lean-host.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <utility>

namespace ns3::coflow
{

void
LeanConnection::TakeBack(uint32_t zeros)
{
    m_streamOut->TakeBack(zeros);
    out.TakeBack(zeros);
}

bool
LeanConnection::IsRead() const
{
    return !m_streamOut || m_streamOut->IsRead();
}

void
LeanConnection::CloseByRule()
{
    const Ptr<LeanConnection> self(this);
    const Ptr<LeanConnection> peer(LeanEnds::Get(route.end));
    const auto isIdle = [](const LeanConnection& end) {
        return end.life == TcpSocket::ESTABLISHED && end.IsRead();
    };
    if (!peer || !isIdle(*this) || !isIdle(*peer))
    {
        Close();
        return;
    }
    for (const auto& end : {self, peer})
    {
        end->SetLife(TcpSocket::CLOSED); // who is told may close once more
        end->CloseAndTell();
    }
}

LeanConnection*
LeanConnection::GetPeer() const
{
    // Where the other end is gone, its number may be somebody else's.
    auto* peer = LeanEnds::Get(route.end);
    return peer && peer->route.end == m_end ? peer : nullptr;
}

} // namespace ns3::coflow
