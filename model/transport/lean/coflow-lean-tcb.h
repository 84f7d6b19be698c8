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

/// The transmission control block of a LeanConnection (RFC 9293, 3.3.1): what all parts of the
/// connection know, and the parts. A part has its own state, and calls other parts here. The
/// connection is a subclass, so that timers find it without another pointer.
struct LeanTcb
{
    using State = TcpSocket::TcpStates_t;

    /// @param host where the connection is
    /// @param settings of it and others
    LeanTcb(LeanHost& host, std::shared_ptr<const LeanSettings> settings);

    LeanTcb(const LeanTcb&) = delete;
    LeanTcb& operator=(const LeanTcb&) = delete;

    /// @return the connection that this is part of
    LeanConnection& GetConnection();

    // The owner of the connection's timers, as IntrusiveTimer has it.
    void Ref();
    void Unref();
    void Prefetch(std::size_t stage);

    /// Enters a state, and says whether applications wait for a handshake.
    void SetLife(State to);

    /// @param to who is told from now on; null: nobody is
    void SetUser(ConnectionUser* to);

    /// Makes what is needed to send data, should it not be there yet. With Dctcp an end that was
    /// accepted and has written nothing does without, as the receiving ends of all flows do.
    void BecomeSender();

    /// A SYN of the other end has come, with options.
    void TakeOptions(const LeanSegment& syn);

    /// This end's SYN was acknowledged.
    void Establish();

    void CancelTimers();

    /// @return bytes that the application may write
    uint32_t GetTxAvailable() const
    {
        return settings->sendBuffer - out.GetSize();
    }

    /// @return what timestamps count: milliseconds
    static uint32_t GetTimestampNow();

    const Ptr<LeanHost> host;
    const std::shared_ptr<const LeanSettings> settings;
    ConnectionUser* user; ///< never null
    ConnectionName name;  ///< as the host knows the connection
    State life{TcpSocket::CLOSED};
    SegmentRoute route;        ///< for the carrier
    bool open{false};          ///< the host knows the connection
    bool connected{false};     ///< has been established
    bool closeWhenSent{false}; ///< a FIN follows the last byte
    bool sack;                 ///< selective acknowledgements are in use
    bool timestamps;           ///< the timestamp option is in use
    bool windowScaling;        ///< the window scale option is in use
    JumpInhibitor inhibitor;   ///< on while applications wait for a handshake
    LeanScoreboard out;        ///< what was written and is not acknowledged
    LeanReassembly in;         ///< what has come and is not read
    LeanCongestion congestion;
    LeanSender sender;
    LeanRecovery recovery;
    LeanTimers timers;
    LeanReceiver receiver;

  protected:
    ~LeanTcb() = default;
};

} // namespace ns3::coflow

#endif // COFLOW_LEAN_TCB_H
