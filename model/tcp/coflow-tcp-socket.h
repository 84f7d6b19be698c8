/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_TCP_SOCKET_H
#define COFLOW_TCP_SOCKET_H

#include "ns3/coflow-direct-tcp-socket.h"
#include "ns3/coflow-packet-class.h"
#include "ns3/data-rate.h"
#include "ns3/nstime.h"
#include "ns3/random-variable-stream.h"

#include <functional>
#include <optional>
#include <type_traits>

namespace ns3::coflow
{

/// Decides when a connection may send; see CoflowTcpSocket::SetGate().
class SendGate
{
  public:
    /// The connection has leave for nothing and its window lets it send, so that it probably has
    /// something to send; called from within TCP. It will not ask again before something happens
    /// to the connection.
    virtual void NotifyBlocked() = 0;

    /// The connection has sent a segment, with leave or, after a timeout or duplicate
    /// acknowledgements, without.
    /// @param bytes payload of the segment
    /// @param newBytes how much of that was never sent before
    virtual void NotifySent(uint32_t bytes, uint32_t newBytes) = 0;

  protected:
    ~SendGate() = default;
};

/// Has a socket say what class it is, and so have its own attributes. ns-3 3.44 lets TcpSocketBase
/// say for all its subclasses that they are itself; later versions say what is, and let nobody
/// override that.
/// @tparam Class the socket's class
/// @tparam Base what it derives from
template <typename Class,
          typename Base,
          bool = std::is_same_v<decltype(&TcpSocketBase::GetInstanceTypeId),
                                TypeId (TcpSocketBase::*)() const>>
class WithOwnType : public Base
{
};

template <typename Class, typename Base>
class WithOwnType<Class, Base, true> : public Base
{
  public:
    TypeId GetInstanceTypeId() const override
    {
        return Class::GetTypeId();
    }
};

/// ns-3's TCP with what it keeps to itself and schedulers need. TransportProfile::CreateSocket()
/// makes it; sockets that a listening one accepts are of the same class and inherit its settings.
/// A connection to a port where nobody listens fails at once, not after all SYNs. Packets that are
/// lost while ECN reduces the window, or that overtake each other, do not end the program, as they
/// do in ns-3 (see ReceivedAck() and ProcessAck()).
class CoflowTcpSocket : public WithOwnType<CoflowTcpSocket, DirectTcpSocket>
{
  public:
    // TcpSocketBase hides the overloads without flags.
    using Socket::Recv;
    using Socket::Send;

    /// @return the type
    static TypeId GetTypeId();

    /// Loses packets that arrive, whatever they are, as a bad link would.
    /// @param variable uniform in [0, 1), drawn once a packet; none: loses nothing
    /// @param probability of a packet to be lost
    void SetLoss(Ptr<RandomVariableStream> variable, double probability);

    /// Spreads the segments of a connection, so that what has piled up in TCP does not leave in a
    /// burst. May be changed at any time; a segment that waits is not made to wait longer.
    /// @param rate most payload bits per second that are sent for the first time, above 0;
    ///        none: as the congestion window allows. Retransmissions may come in addition
    void SetPacing(std::optional<DataRate> rate);

    /// Ends the back-off of a connection that was starved: if nothing was acknowledged since the
    /// last retransmission timeout, sends the first segment again at once, as the next timeout
    /// would have, and forgets how often the timeout has doubled; what follows is sent again, too,
    /// as fast as the first is acknowledged, even if it was parked and not lost: packets that were
    /// sent with a lower priority keep it. No effect otherwise.
    /// @return whether it had an effect
    bool Kick();

    /// Told the class of a packet that carries a RateSignal, when TCP has dealt with the packet.
    using SignalCallback = std::function<void(const PacketClass& packetClass)>;

    /// @param signal is told of signals from now on; none: nobody is
    void SetSignalCallback(SignalCallback signal);

    /// Sends a segment without data now, which acknowledges what has arrived: something to carry a
    /// RateSignal, on the path of the data, that its host's PacketClassifier has for the
    /// connection.
    /// @return false where the connection is not open
    bool SendSignal();

    /// Reads some of what has arrived in order. What is left stays in the receive buffer, and so
    /// narrows the window that the peer has. ns-3's TCP says nothing when reading widens it again;
    /// this does, after every two segments.
    /// @param bytes at most so many
    /// @return what was read; null or empty if there is nothing
    Ptr<Packet> ReadAtMost(uint32_t bytes);

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

  protected:
    Ptr<TcpSocketBase> Fork() override;
    void ReTxTimeout() override;
    /// The base class repeats a FIN at one interval, and for ever.
    void SendEmptyPacket(uint8_t flags) override;
    /// The base class repeats the second FIN every round trip besides, however long a timeout is.
    void LastAckTimeout() override;
    /// The base class forgets at a timeout what it has sent when, and takes no sample before
    /// something new is sent and acknowledged. Where the timeout was too short, the next one then
    /// comes before that, and so on for ever. With timestamps every acknowledgement is a sample.
    void EstimateRtt(const TcpHeader& header) override;
    Time CalculateRttSample(const TcpHeader& header, const RttHistory& history) override;
    /// The base class goes back to a timeout that has proved too short. It stays doubled until a
    /// round trip has been measured (RFC 6298, 5.7).
    void NewAck(const SequenceNumber32& ack, bool resetRto) override;
    void DoForwardUp(Ptr<Packet> packet, const Address& from, const Address& to) override;
    uint32_t AvailableWindow() const override;
    uint32_t SendDataPacket(SequenceNumber32 seq, uint32_t maxSize, bool withAck) override;
    /// With SACK, the base class looks for the blocks of an old acknowledgement even when nothing
    /// is outstanding, and then reads the first element of an empty list.
    void ReceivedAck(Ptr<Packet> packet, const TcpHeader& header) override;
    /// With Dctcp, this is the receiver of RFC 8257, section 3.2, which sends two ACKs where marks
    /// begin or end: one for what arrived before, if that waits for its ACK, and at once one for
    /// the segment that differs, as Linux does. ns-3's first ACK leaves out the last segment that
    /// it should be for, is sent although that has been acknowledged, and the second waits until
    /// DelAckTimeout, so that two segments of which one is marked may be held up for so long.
    void TakeMark(Ipv4Header::EcnType ecn, SequenceNumber32 sequence, uint32_t payload) override;
    void ReceivedData(Ptr<Packet> packet, const TcpHeader& header) override;
    /// Duplicates that are counted while ECN reduces the window (CA_CWR) still count for the base
    /// class when the reduction is over. If the acknowledgement that ends it has new SACK blocks,
    /// an assertion fails: a connection in CA_OPEN that leaves it must have had no duplicate.
    /// Likewise in CA_DISORDER, when the recovery after a timeout is over.
    void ProcessAck(const SequenceNumber32& ackNumber,
                    bool scoreboardUpdated,
                    uint32_t currentDelivered,
                    const SequenceNumber32& oldHeadSequence,
                    bool receivedData) override;

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

    /// @return whether nothing is under way
    bool IsAllAcknowledged() const;

    /// Remembers what the timeout that is about to happen changes, if it can be told later whether
    /// anything was lost, and if none that may prove wrong is remembered yet.
    void RememberTimeout();

    /// Decides, by the first acknowledgement of something new, whether a timeout was one of what
    /// is parked in queues. If so, nothing else is sent again, and the window is what it was
    /// (Eifel: RFC 3522 and 4015).
    /// @param header of the acknowledgement
    /// @return how long to wait for the next acknowledgement, if so. It may be that only
    ///         acknowledgements were lost, and after them data, so that this is not for the
    ///         estimate to say, which knows by now how long the timeout was
    std::optional<Time> JudgeTimeout(const TcpHeader& header);

    /// @return whether the congestion control is Dctcp
    bool IsDctcp();

    /// @return whether an acknowledgement that is sent now says that there was a mark
    bool IsEchoing() const;

    /// Sends the acknowledgement that is held back, if there is one.
    void SendDelayedAck();

    SignalCallback m_signal;     ///< told of signals
    uint32_t m_probeAfter{0};    ///< timeouts in a row after which it probes; 0: never
    uint32_t m_timeoutsInRow{0}; ///< since something was acknowledged
    Time m_maxRto;               ///< longest timeout
    /// Number of round trips measured when the last timeout occurred; nothing: none occurred
    std::optional<uint32_t> m_samplesAtTimeout;
    bool m_undoTimeouts{true};                    ///< where nothing was lost
    std::optional<BeforeTimeout> m_beforeTimeout; ///< the timeout that may prove wrong; none
    Time m_finTimeout{0};                     ///< after the last FIN without data; 0: none was sent
    uint32_t m_readUntold{0};                 ///< bytes of ReadAtMost() since the peer was told
    SendGate* m_gate{nullptr};                ///< decides when it may send
    uint32_t m_leave{0};                      ///< bytes that it may send now, with a gate
    Ptr<RandomVariableStream> m_lossVariable; ///< decides about losses
    double m_lossProbability{0};              ///< of a packet
    const TcpCongestionOps* m_judged{nullptr}; ///< of which it is known whether it is Dctcp
    bool m_isDctcp{false};                     ///< whether that is
    bool m_marked{false};    ///< with Dctcp: whether the last segment with data was marked
    bool m_ackAtOnce{false}; ///< that segment differs from the one before
};

} // namespace ns3::coflow

#endif // COFLOW_TCP_SOCKET_H
