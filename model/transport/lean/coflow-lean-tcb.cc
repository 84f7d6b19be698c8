/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-lean-tcb.h"

#include "ns3/coflow-lean-connection.h"
#include "ns3/coflow-lean-host.h"

#include <utility>

namespace ns3::coflow
{

namespace
{

/// The user of connections without a user.
class NoUser final : public ConnectionUser
{
  public:
    void HandleClosed() override
    {
    }

    void HandleBroken() override
    {
    }
};

NoUser g_noUser;

} // namespace

LeanTcb::LeanTcb(LeanHost& ofHost, std::shared_ptr<const LeanSettings> ofSettings)
    : host(&ofHost),
      settings(std::move(ofSettings)),
      user(&g_noUser),
      sack(settings->sack),
      timestamps(settings->timestamps),
      windowScaling(settings->windowScaling),
      in(settings->receiveBuffer),
      sender(*this),
      recovery(*this),
      timers(*this),
      receiver(*this)
{
    if (!settings->needs.exactMarks)
    {
        // The congestion control may need events of the receiver.
        BecomeSender();
    }
}

LeanConnection&
LeanTcb::GetConnection()
{
    return static_cast<LeanConnection&>(*this);
}

void
LeanTcb::Ref()
{
    GetConnection().Ref();
}

void
LeanTcb::Unref()
{
    GetConnection().Unref();
}

void
LeanTcb::Prefetch(std::size_t stage)
{
    GetConnection().Prefetch(stage);
}

void
LeanTcb::SetLife(State to)
{
    life = to;
    if (settings->inhibitsJumps)
    {
        const bool shaking = life == TcpSocket::SYN_SENT || life == TcpSocket::SYN_RCVD ||
                             life == TcpSocket::FIN_WAIT_1 || life == TcpSocket::CLOSING ||
                             life == TcpSocket::LAST_ACK;
        // If windows of one segment overload a port, a FIN is lost again and again, and is
        // retransmitted after seconds. Nothing is in flight in between, and no application waits
        // for a FIN.
        constexpr uint32_t REPEATS_AWAITED = 2;
        inhibitor.Set(open && shaking && timers.GetFinRepeats() <= REPEATS_AWAITED);
    }
}

void
LeanTcb::SetUser(ConnectionUser* to)
{
    user = to ? to : &g_noUser;
}

void
LeanTcb::BecomeSender()
{
    if (congestion.IsCreated())
    {
        return;
    }
    congestion.Create(*settings);
    if (settings->needs.receiveBuffer)
    {
        receiver.ShowBuffer();
    }
    congestion.GetState().m_rcvTimestampValue = receiver.GetSeenTimestamp();
    if (life != TcpSocket::CLOSED)
    {
        congestion.BeginWindow(*settings);
    }
    const LeanRtt& rtt = timers.GetRtt();
    if (rtt.GetNSamples() > 0)
    {
        congestion.GetState().m_lastRtt = TimeStep(rtt.GetEstimate());
        congestion.NoteRoundTrip(rtt.GetEstimate());
    }
}

void
LeanTcb::TakeOptions(const LeanSegment& syn)
{
    sender.TakeSyn(syn);
    sack = sack && syn.permitsSack;
    timestamps = timestamps && syn.hasTimestamp;
    if (timestamps)
    {
        receiver.TakeTimestamp(syn);
    }
    congestion.BeginWindow(*settings);
}

void
LeanTcb::Establish()
{
    connected = true;
    timers.Cancel();
    congestion.CountSyn();
    out.SetHead(congestion.GetNext());
}

void
LeanTcb::CancelTimers()
{
    timers.CancelAll();
    sender.CancelTimers();
    receiver.CancelTimer();
}

uint32_t
LeanTcb::GetTimestampNow()
{
    constexpr int64_t MILLISECOND = 1000000;
    return static_cast<uint32_t>(GetPacketTimeStep() / MILLISECOND);
}

} // namespace ns3::coflow
