/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_TCP_SOCKET_H
#define COFLOW_TCP_SOCKET_H

#include "ns3/coflow-host-ports.h"
#include "ns3/coflow-packet-class.h"
#include "ns3/coflow-repaired-tcp-socket.h"
#include "ns3/coflow-wire-count.h"
#include "ns3/nstime.h"
#include "ns3/random-variable-stream.h"

#include <functional>
#include <memory>
#include <optional>

namespace ns3::coflow
{

class SendGate;

/// TCP with what schedulers need and no TCP offers: a gate that lets segment by segment pass,
/// the end of a back-off, packets that carry a RateSignal, reading in parts, an end without
/// waiting, and lost packets on demand. TransportProfile::CreateSocket() makes it; sockets that a
/// listening one accepts are of the same class and inherit its settings.
///
/// What ns-3's TCP does wrong is mended in RepairedTcpSocket.
class CoflowTcpSocket : public WithOwnType<CoflowTcpSocket, RepairedTcpSocket>
{
  public:
    // TcpSocketBase hides the overloads without flags.
    using Socket::Recv;
    using Socket::Send;

    /// @return the type
    static TypeId GetTypeId();

    /// Takes the next free one of the host's HostPorts.
    /// @return -1 where there is none
    int Bind() override;
    /// Takes a certain port, which no other connection or listener of HostPorts has.
    int Bind(const Address& address) override;

    /// Loses packets that arrive, whatever they are, as a bad link would.
    /// @param variable uniform in [0, 1), drawn once a packet; none: loses nothing
    /// @param probability of a packet to be lost
    void SetLoss(Ptr<RandomVariableStream> variable, double probability);

    /// Counts what is sent, also by the sockets that are made for those who connect.
    /// @param wire where it is counted
    void CountWire(const std::shared_ptr<WireCount>& wire);

    /// Ends the back-off of a connection that was starved: if nothing was acknowledged since the
    /// last retransmission timeout, sends the first segment again at once, as the next timeout
    /// would have, and forgets how often the timeout has doubled; what follows is sent again, too,
    /// as fast as the first is acknowledged, even if it was delayed and not lost: packets that were
    /// sent with a lower priority keep it. No effect otherwise.
    /// @return whether it had an effect
    bool EndBackoff();

    /// Told the class of a packet that carries a RateSignal, when TCP has dealt with the packet.
    using SignalCallback = std::function<void(const PacketClass& packetClass)>;

    /// @param signal is told of signals from now on; none: nobody is
    void SetSignalCallback(SignalCallback signal);

    /// Sends a segment without data now, which acknowledges what has arrived: something to carry a
    /// RateSignal, on the path of the data, that its host's PacketClassifier has for the
    /// connection.
    /// @return false where the connection is not open
    bool SendSignal();

    /// From now on the connection sends a segment with data only on SendSegment(), except for what
    /// a timeout or a third duplicate acknowledgement makes it send again. Whatever else TCP does,
    /// it goes on doing.
    /// @param gate is told when the connection would send; null: it sends as its window allows
    void SetGate(SendGate* gate);

    /// Sends one segment, new or again, if the window allows that and there is something to send.
    void SendSegment();

    /// Closes the connection as the end of a process does that has no time left: with a RST, and
    /// without what was not sent yet. No callback comes any more.
    void Abort();

    /// @return how the connection uses ECN; ns-3's attribute UseEcn can be set only
    TcpSocketState::UseEcn_t GetUseEcn() const
    {
        return m_tcb->m_useEcn;
    }

  protected:
    Ptr<TcpSocketBase> Fork() override;
    void ReTxTimeout() override;
    void NewAck(const SequenceNumber32& ack, bool resetRto) override;
    void DoForwardUp(Ptr<Packet> packet, const Address& from, const Address& to) override;
    uint32_t AvailableWindow() const override;
    uint32_t SendDataPacket(SequenceNumber32 seq, uint32_t maxSize, bool withAck) override;
    void ReceivedAck(Ptr<Packet> packet, const TcpHeader& header) override;

  private:
    /// What a timeout changes, to be as before should nothing have been lost.
    struct BeforeTimeout
    {
        uint32_t at;              ///< time of the timeout, as timestamps have it
        uint32_t congestion;      ///< window
        uint32_t slowStart;       ///< threshold
        SequenceNumber32 recover; ///< end of the last recovery
        Time rto;                 ///< how long it took
    };

    /// Binds the socket to a port that was taken for it, which goes back as soon as the connection
    /// is closed and its TIME_WAIT over.
    /// @return 0, or -1 where ns-3's TCP has another socket at the port
    int BindLeased(const Address& address, HostPorts::Lease lease);

    /// @return whether nothing is under way
    bool IsAllAcknowledged() const;

    /// Remembers what the timeout that is about to happen changes, if it can be told later whether
    /// anything was lost, and if none that may prove wrong is remembered yet.
    void RememberTimeout();

    /// Decides, by the first acknowledgement of something new, whether a timeout was one of what
    /// is delayed in queues. If so, nothing else is sent again, and the window is what it was
    /// (Eifel: RFC 3522 and 4015).
    /// @param header of the acknowledgement
    /// @return how long to wait for the next acknowledgement, if so. It may be that only
    ///         acknowledgements were lost, and after them data, so that this is not for the
    ///         estimate to say, which knows by now how long the timeout was
    std::optional<Time> JudgeTimeout(const TcpHeader& header);

    SignalCallback m_signal;     ///< told of signals
    uint32_t m_probeAfter{0};    ///< timeouts in a row, after which it probes; 0: never
    uint32_t m_timeoutsInRow{0}; ///< since something was acknowledged
    bool m_undoTimeouts{true};   ///< where nothing was lost
    std::optional<BeforeTimeout> m_beforeTimeout; ///< the timeout that may prove wrong; none
    SendGate* m_gate{nullptr};                    ///< decides when it may send
    uint32_t m_leave{0};                          ///< bytes that it may send now, with a gate
    Ptr<RandomVariableStream> m_lossVariable;     ///< decides about losses
    double m_lossProbability{0};                  ///< of a packet
};

} // namespace ns3::coflow

#endif // COFLOW_TCP_SOCKET_H
