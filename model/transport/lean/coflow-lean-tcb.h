/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_LEAN_TCB_H
#define COFLOW_LEAN_TCB_H

#include "ns3/coflow-connection.h"
#include "ns3/coflow-jump-inhibitor.h"
#include "ns3/coflow-lean-congestion.h"
#include "ns3/coflow-lean-reassembly.h"
#include "ns3/coflow-lean-receiver.h"
#include "ns3/coflow-lean-recovery.h"
#include "ns3/coflow-lean-scoreboard.h"
#include "ns3/coflow-lean-sender.h"
#include "ns3/coflow-lean-settings.h"
#include "ns3/coflow-lean-timers.h"
#include "ns3/coflow-segment-carrier.h"
#include "ns3/tcp-socket.h"

#include <cstddef>
#include <cstdint>
#include <memory>

namespace ns3::coflow
{

class LeanConnection;
class LeanHost;

/// The transmission control block of a LeanConnection (RFC 9293, 3.3.1). It has what all parts of
/// the connection share, and the parts. A part has its own state, and calls other parts here.
/// LeanConnection is a subclass, so that timers find the connection without another pointer.
struct LeanTcb
{
    using State = TcpSocket::TcpStates_t;

    /// @param host host of the connection
    /// @param settings settings, shared with other connections
    LeanTcb(LeanHost& host, std::shared_ptr<const LeanSettings> settings);

    LeanTcb(const LeanTcb&) = delete;
    LeanTcb& operator=(const LeanTcb&) = delete;

    /// @return the connection with this control block
    LeanConnection& GetConnection();

    // The owner of the connection's timers, as IntrusiveTimer has it.
    void Ref();
    void Unref();
    void Prefetch(std::size_t stage);

    /// Enters a state. Switches `inhibitor` on while applications wait for a handshake.
    /// @param to the state
    void SetLife(State to);

    /// @param to the user that is notified from now on; null: none
    void SetUser(ConnectionUser* to);

    /// Creates the congestion control, if it does not exist. With Dctcp, an accepted end that
    /// writes nothing needs no congestion control. The receiving ends of all flows are such ends.
    void BecomeSender();

    /// Reads the options of a SYN of the other end.
    /// @param syn the SYN
    void TakeOptions(const LeanSegment& syn);

    /// This end's SYN was acknowledged.
    void Establish();

    /// Cancels all timers of the connection.
    void CancelTimers();

    /// @return number of bytes that the application may write
    uint32_t GetTxAvailable() const
    {
        return settings->sendBuffer - out.GetSize();
    }

    /// @return the present value of timestamps, in milliseconds
    static uint32_t GetTimestampNow();

    const Ptr<LeanHost> host;                           ///< host of the connection
    const std::shared_ptr<const LeanSettings> settings; ///< settings, shared with other connections
    ConnectionUser* user;                               ///< user that is notified; never null
    ConnectionName name;           ///< name of the connection in the host's table
    State life{TcpSocket::CLOSED}; ///< state of the connection
    SegmentRoute route;            ///< route of its segments, for the carrier
    bool open{false};              ///< the host has the connection
    bool connected{false};         ///< the connection was established
    bool closeWhenSent{false};     ///< a FIN will follow the last byte
    bool sack;                     ///< selective acknowledgements are in use
    bool timestamps;               ///< the timestamp option is in use
    bool windowScaling;            ///< the window scale option is in use
    JumpInhibitor inhibitor;       ///< inhibitor of jumps while applications wait for a handshake
    LeanScoreboard out;            ///< written bytes that are not acknowledged
    LeanReassembly in;             ///< received bytes that are not read
    LeanCongestion congestion;     ///< congestion control
    LeanSender sender;             ///< sending of segments
    LeanRecovery recovery;         ///< recovery from losses
    LeanTimers timers;             ///< timers
    LeanReceiver receiver;         ///< receiving of segments

  protected:
    ~LeanTcb() = default;
};

} // namespace ns3::coflow

#endif // COFLOW_LEAN_TCB_H
