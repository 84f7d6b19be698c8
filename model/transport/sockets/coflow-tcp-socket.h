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

/// TCP with additional functions for schedulers: a gate that permits single segments, the end of a
/// back-off, packets with a RateSignal, reads in parts, an immediate close, and random packet
/// losses. TransportProfile::CreateSocket() creates the socket. Sockets that a listening socket
/// accepts are of the same class and inherit its settings.
///
/// RepairedTcpSocket has the repairs of ns-3's TCP.
class CoflowTcpSocket : public WithOwnType<CoflowTcpSocket, RepairedTcpSocket>
{
  public:
    // TcpSocketBase hides the overloads without flags.
    using Socket::Recv;
    using Socket::Send;

    /// @return the type
    static TypeId GetTypeId();

    /// Binds to the next free port of the host's HostPorts.
    /// @return 0; -1: no port is free
    int Bind() override;
    /// Binds to a given port, which no other connection or listener of HostPorts may have.
    int Bind(const Address& address) override;

    /// Drops random packets of any kind on arrival, as a bad link would.
    /// @param variable uniform in [0, 1), drawn once per packet; null: no losses
    /// @param probability loss probability of a packet
    void SetLoss(Ptr<RandomVariableStream> variable, double probability);

    /// Counts sent segments of this socket and of the sockets that it accepts.
    /// @param wire the counter
    void CountWire(const std::shared_ptr<WireCount>& wire);

    /// Ends the back-off of a connection that was starved. If nothing was acknowledged since the
    /// last retransmission timeout, retransmits the first segment now, as the next timeout would
    /// have, and resets the back-off. The following segments are also retransmitted, at the pace of
    /// the acknowledgements, even if they were delayed and not lost, because packets that were sent
    /// with a lower priority keep this priority. No effect otherwise.
    /// @return whether the call had an effect
    bool EndBackoff();

    /// Called with the class of a packet with a RateSignal, after TCP has processed the packet.
    using SignalCallback = std::function<void(const PacketClass& packetClass)>;

    /// @param signal called for signals from now on; empty: none
    void SetSignalCallback(SignalCallback signal);

    /// Sends an acknowledgement now. The segment carries the RateSignal that its host's
    /// PacketClassifier has for the connection, on the path of the data.
    /// @return false: the connection is not open
    bool SendSignal();

    /// From now on, the connection sends a segment with data only in SendSegment(), except for
    /// retransmissions after a timeout or a third duplicate acknowledgement. All other functions of
    /// TCP are unchanged.
    /// @param gate notified when the connection could send; null: the connection sends as its
    ///        window allows
    void SetGate(SendGate* gate);

    /// Sends or retransmits one segment, if the window allows it and there is something to send.
    void SendSegment();

    /// Closes the connection at once with a RST, as when a process is killed. Unsent data is lost.
    /// No callback is called any more.
    void Abort();

    /// @return how the connection uses ECN; ns-3's attribute UseEcn is write-only
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
    /// The values that a timeout changes. They are restored if the timeout was spurious.
    struct BeforeTimeout
    {
        uint32_t at;              ///< time of the timeout, as a value of the timestamp option
        uint32_t congestion;      ///< congestion window, in bytes
        uint32_t slowStart;       ///< slow start threshold, in bytes
        SequenceNumber32 recover; ///< end of the last recovery
        Time rto;                 ///< retransmission timeout
    };

    /// Binds the socket to a port of a lease. The lease is returned as soon as the connection is
    /// closed and its TIME_WAIT is over.
    /// @return 0; -1: ns-3's TCP has another socket at the port
    int BindLeased(const Address& address, HostPorts::Lease lease);

    /// @return whether nothing is in flight
    bool IsAllAcknowledged() const;

    /// Stores the values before a timeout, if it can be detected later that the timeout was
    /// spurious, and unless the values of an earlier timeout are still stored.
    void RememberTimeout();

    /// Decides, by the first acknowledgement of new data, whether a timeout was spurious: the data
    /// was delayed in queues. If so, no other data is retransmitted, and the window is restored
    /// (Eifel: RFC 3522 and 4015).
    /// @param header header of the acknowledgement
    /// @return delay of the retransmission timer after a spurious timeout; none: not spurious. The
    ///         delay is the RTO before the spurious timeout, because the present estimate of the
    ///         RTO includes the delay in queues. The timer must run, because data may have been
    ///         lost later
    std::optional<Time> JudgeTimeout(const TcpHeader& header);

    SignalCallback m_signal; ///< called for signals
    /// Consecutive timeouts after which a retransmission has one byte; 0: never.
    uint32_t m_probeAfter{0};
    /// Consecutive timeouts since the last acknowledgement of new data.
    uint32_t m_timeoutsInRow{0};
    bool m_undoTimeouts{true}; ///< undo spurious timeouts
    /// Values before a timeout that may be spurious; none: no such timeout.
    std::optional<BeforeTimeout> m_beforeTimeout;
    SendGate* m_gate{nullptr};                ///< decides when the connection may send
    uint32_t m_leave{0};                      ///< with a gate: bytes that may be sent now
    Ptr<RandomVariableStream> m_lossVariable; ///< random variable of losses
    double m_lossProbability{0};              ///< loss probability of a packet
};

} // namespace ns3::coflow

#endif // COFLOW_TCP_SOCKET_H
