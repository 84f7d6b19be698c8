/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_REPAIRED_TCP_SOCKET_H
#define COFLOW_REPAIRED_TCP_SOCKET_H

#include "ns3/coflow-congestion-control-needs.h"
#include "ns3/ipv4-header.h"
#include "ns3/nstime.h"
#include "ns3/tcp-socket-base.h"

#include <cstdint>
#include <optional>
#include <type_traits>

namespace ns3::coflow
{

/// Has a socket say what class it is, and so have its own attributes.
///
/// ns-3 3.44: TcpSocketBase::GetInstanceTypeId() says TcpSocketBase for all its subclasses. Core:
/// an object has the TypeId of its class. Upstream: mended in 3.45, where nobody can override the
/// method any more. Goes when: 3.44 need not compile; the second argument of every use is then the
/// base class. Test: TcpRepairs.AttributesOfASubclass.
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

/// ns-3's TCP without the defects and limits that runs of coflows meet, and with nothing else.
///
/// Every repair is a method of its own. Its comment says what ns-3 3.44 does, which standard says
/// otherwise, what upstream knows of it, when the repair can be deleted, and which test shows the
/// defect and the repair. "Not reported" means: neither ns-3's release notes nor its commit log up
/// to 3.48 and some weeks after it mention the defect. doc/validation/tcp-repairs.md lists all.
///
/// When ns-3 mends a defect, the half of the test that shows it is skipped and names the repair.
class RepairedTcpSocket : public WithOwnType<RepairedTcpSocket, TcpSocketBase>
{
  public:
    // TcpSocketBase hides the overloads without flags.
    using Socket::Recv;
    using Socket::Send;

    /// @return the type
    static TypeId GetTypeId();

    int Bind() override;
    int Bind(const Address& address) override;

  protected:
    // What is overridden calls the base class and one repair or two; see their comments below.
    Ptr<TcpSocketBase> Fork() override;
    void CompleteFork(Ptr<Packet> packet,
                      const TcpHeader& header,
                      const Address& from,
                      const Address& to) override;
    void DoForwardUp(Ptr<Packet> packet, const Address& from, const Address& to) override;
    void ReTxTimeout() override;
    void SendEmptyPacket(uint8_t flags) override;
    void LastAckTimeout() override;
    void EstimateRtt(const TcpHeader& header) override;
    Time CalculateRttSample(const TcpHeader& header, const RttHistory& history) override;
    void NewAck(const SequenceNumber32& ack, bool resetRto) override;
    uint32_t SendDataPacket(SequenceNumber32 seq, uint32_t maxSize, bool withAck) override;
    void ReceivedAck(Ptr<Packet> packet, const TcpHeader& header) override;
    void ProcessAck(const SequenceNumber32& ackNumber,
                    bool scoreboardUpdated,
                    uint32_t currentDelivered,
                    const SequenceNumber32& oldHeadSequence,
                    bool receivedData) override;
    void ReceivedData(Ptr<Packet> packet, const TcpHeader& header) override;

    /// Takes a segment, and with Dctcp the mark of its IPv4 header. Endpoints call this in place of
    /// ForwardUp(), which cannot be overridden.
    /// @param packet TCP header first
    /// @param header its IPv4 header
    /// @param port the sender's port
    /// @param interface where it came from
    void Receive(Ptr<Packet> packet,
                 Ipv4Header header,
                 uint16_t port,
                 Ptr<Ipv4Interface> interface);

    /// @return the attribute MaxRto
    Time GetMaxRto() const;

    /// Gives an accepted connection a congestion control that has all settings of the listening
    /// socket's; see CongestionControlFactory.
    /// @param fork copy of this socket
    /// @return the copy
    Ptr<TcpSocketBase> RepairFork(const Ptr<TcpSocketBase>& fork) const;

  private:
    /// Before a listening socket takes a SYN: forgets what the last SYN said.
    ///
    /// ns-3: the listening socket keeps the newest timestamp of all SYNs. A SYN that was sent
    /// before another one, and arrives after it, is answered with the timestamp of the other, so
    /// that the round trip of the handshake seems shorter than it was. RFC 7323, 3.2 and 4.3: an
    /// echo is of the connection. Upstream: not reported. Goes when: CompleteFork() begins with no
    /// timestamp. Test: TcpRepairs.SynHasItsOwnTimestamp.
    void ForgetTimestamps();

    /// Takes a RST that answers a SYN.
    ///
    /// ns-3: such a RST has the flag ACK, so that ProcessSynSent() ignores it; the application
    /// hears of it after the last SYN. RFC 9293, 3.10.7.3: the connection is refused. Upstream: not
    /// reported. Goes when: ProcessSynSent() does so. Test: TcpRepairs.ConnectionIsRefused.
    /// @return whether that is all there is to do with the segment
    bool TakeReset(const TcpHeader& header);

    /// Says whether a listening socket leaves a segment alone: all but a SYN.
    ///
    /// ns-3: ProcessListen() ignores such a segment, but DoForwardUp() has taken from it by then
    /// what a connection takes. It is a RST, or what is left of a connection to a process that has
    /// died. A listening socket has no window yet: a RST, or an acknowledgement that tells a closed
    /// window, starts the persist timer, and the probe crashes. What else is taken, all accepted
    /// connections inherit: the mark of a late segment hides marks up to its sequence number, and a
    /// late acknowledgement is a sample of the round trip (by RememberFirstUnacknowledged()). RFC
    /// 9293, 3.10.7.2: a listening socket takes nothing from these. Upstream: not reported. Goes
    /// when: DoForwardUp() does so. Tests: TcpRepairs.ResetAtAListeningSocket,
    /// TcpRepairs.LateSegmentsAtAListeningSocket.
    /// @return whether that is all there is to do with the segment
    bool LeavesAlone(const TcpHeader& header) const;

    /// Says whether a segment is the second one of a handshake. An open connection answers it with
    /// an acknowledgement.
    ///
    /// ns-3: ProcessEstablished() ignores it. It comes to an open connection when the last packet
    /// of the handshake was lost. Where the client has nothing to send, the server then repeats it
    /// until it gives up, and what the client sends later is ignored by the listening socket: the
    /// client repeats that for ever. RFC 9293, 3.10.7.4: it is answered with an acknowledgement.
    /// Upstream: not reported. Goes when: ProcessEstablished() does so. Test:
    /// TcpRepairs.TheLastPacketOfAHandshakeIsLost.
    static bool IsSynAck(const Packet& packet);

    /// Leaves the window a segment at least.
    ///
    /// ns-3: a reduction of the window of a connection with little in flight (TcpPrrRecovery) may
    /// leave less than a segment. What is longer than that waits for a larger window, and with
    /// nothing in flight neither an ACK nor a timeout ever comes. RFC 5681, 3.1: the
    /// smallest window is a segment. Upstream: not reported. Goes when: no congestion control
    /// leaves less, or TcpSocketBase::Window() is a segment at least. Test:
    /// TcpRepairs.WindowBelowASegment.
    void KeepWindowOfASegment();

    /// Bounds the timeout by MaxRto, before and after it doubles.
    ///
    /// ns-3: ReTxTimeout() stops at 60 s, whatever the network. A segment may take longer over a
    /// slow link, and a connection in a data centre must not be silent that long. RFC 6298, 2.5:
    /// a bound may be placed, of 60 s or more; below that, MaxRto is the user's decision. Upstream:
    /// no attribute, not reported. Goes when: TcpSocketBase has an attribute for it. Test:
    /// TcpRepairs.LongestTimeout.
    /// @param doubled timeout that ReTxTimeout() should have left
    void PassAMinute(Time doubled);

    /// Remembers that data has carried an acknowledgement.
    ///
    /// ns-3: only SendEmptyPacket() notes the highest acknowledgement that was sent. Where data
    /// carries it, as between two ends that answer each other, the timestamp of the next segment
    /// is taken for that of a segment before what was acknowledged, and is not echoed: the sample
    /// of the round trip is as long as the pause between two messages, and the timeout a second
    /// and more. RFC 7323, 4.3: Last.ACK.sent is what the last segment with ACK has acknowledged.
    /// Upstream: not reported. Goes when: SendDataPacket() notes it, too. Test:
    /// TcpRepairs.AnswersCarryAcknowledgements.
    /// @param withAck whether a segment that was sent acknowledges what has arrived
    void NoteAcknowledged(bool withAck);

    /// Takes a sample of the round trip from any timestamp that comes back.
    ///
    /// ns-3: ReTxTimeout() empties the history of what was sent when, and EstimateRtt() takes no
    /// sample without a history. Where the timeout was too short, the next one comes before
    /// something new was sent and acknowledged, and so on for ever. RFC 7323, 4.1: a timestamp
    /// gives a sample also after a retransmission. Upstream: not reported. Goes when:
    /// EstimateRtt() uses the timestamp of every acknowledgement of new data. Test:
    /// TcpRepairsOfTimeouts.
    void RememberFirstUnacknowledged(const TcpHeader& header);

    /// Keeps the timeout that has doubled until a round trip was measured.
    ///
    /// ns-3: NewAck() goes back to the old estimate, which has proved too short. RFC 6298, 5 (the
    /// note after rule 5.7): the timeout collapses with a new measurement. Upstream: not reported.
    /// Goes when: NewAck() keeps it. Test: TcpRepairsOfTimeouts, without timestamps.
    /// @param backedOff the timeout before NewAck()
    /// @param restarted whether NewAck() has restarted the timer
    void KeepBackedOff(Time backedOff, bool restarted);

    /// Before a FIN is repeated: gives up after DataRetries.
    ///
    /// ns-3: SendEmptyPacket() repeats a FIN after one and the same interval, for ever, and
    /// LastAckTimeout() the second FIN every round trip besides. RFC 6298, 5.5: the timeout
    /// doubles. RFC 9293, 3.8.3: a connection is given up in the end. Upstream: not reported. Goes
    /// when: both do so. Test: TcpRepairsOfFins.
    /// @return false where the connection is given up
    bool SpendFinRetry();

    /// After a FIN was sent: doubles its timer.
    /// @param flags of the FIN
    /// @param isAgain whether it was repeated
    void RestartFinTimer(uint8_t flags, bool isAgain);

    /// Takes an old acknowledgement when nothing is outstanding.
    ///
    /// ns-3: with SACK, TcpTxBuffer::Update() looks for the blocks of an old acknowledgement even
    /// then, and reads the first element of an empty list. In ESTABLISHED the age is judged
    /// before that, but not while a connection is being closed. RFC 9293, 3.10.7.4: an old
    /// acknowledgement is ignored. Upstream: not reported. Goes when: Update() returns early where
    /// the list is empty, or ReceivedAck() judges the age first. Test:
    /// TcpRepairs.OldAcknowledgementWithBlocks.
    /// @return whether it was one; its data, if any, is received
    bool TakeOldAck(Ptr<Packet> packet, const TcpHeader& header);

    /// Has the next duplicate acknowledgement find a count that fits the state.
    ///
    /// ns-3: duplicates that are counted while ECN reduces the window (CA_CWR) still count when
    /// that is over. If the acknowledgement that ends it has new SACK blocks, an assertion ends the
    /// program ("From OPEN->DISORDER but with n dup ACKs"); likewise in CA_DISORDER when a recovery
    /// after a timeout is over. RFC 6675, 5: duplicates count from the first one of an episode.
    /// Upstream: not reported; #1319 mends another omission at the same places. Goes when:
    /// m_dupAckCount is 0 whenever the state becomes CA_OPEN. Test:
    /// TcpRepairs.DuplicatesOfAReductionThatIsOver.
    void ForgetOldDuplicates();

    /// Gives a paced connection a rate.
    ///
    /// ns-3: UpdatePacingRate() divides by the smoothed round trip, which is 0 for a connection
    /// without a sample. What comes out as an integer may be 0, by which SendDataPacket() divides
    /// in turn. No standard. Which handshake leaves no sample is not known any more: a SYN that is
    /// lost or late does not. Upstream: not reported. Goes when: UpdatePacingRate() keeps a rate
    /// above 0. Test: TcpRepairs.PacingWithoutARate.
    void KeepPacingRate();

    // DCTCP's receiver.
    //
    // ns-3: TcpDctcp sends two ACKs where marks begin or end, as RFC 8257, 3.2 wants it. But the
    // first leaves out the last segment that it should be for and is sent although that has been
    // acknowledged, and the second waits until DelAckTimeout, so that two segments of which one is
    // marked may be held up for so long. Here, with Dctcp: an ACK for what arrived before, if that
    // waits for its ACK, and one at once for the segment that differs, as Linux does. Upstream:
    // not reported. Goes when: TcpDctcp acknowledges like that. Test:
    // Dctcp.ReceiverAcknowledgesAtOnceWhereMarksBeginAndEnd.

    /// Has the endpoint call Receive().
    void TakeOver();

    /// With Dctcp, takes note of whether a segment was marked, before anything else is done with
    /// it.
    /// @param ecn bits of its IPv4 header
    /// @param payload its bytes
    void TakeMark(Ipv4Header::EcnType ecn, uint32_t payload);

    /// @return what the congestion control needs
    const CongestionControlNeeds& GetNeeds();

    /// @return whether an acknowledgement that is sent now says that there was a mark
    bool IsEchoing() const;

    /// Sends the acknowledgement that is held back, if there is one.
    void SendDelayedAck();

    Time m_maxRto; ///< longest timeout
    /// Number of round trips measured when the last timeout occurred; nothing: none occurred
    std::optional<uint32_t> m_samplesAtTimeout;
    Time m_finTimeout{0};                      ///< after the last FIN without data; 0: none sent
    const TcpCongestionOps* m_judged{nullptr}; ///< whose needs these are:
    CongestionControlNeeds m_needs;
    bool m_marked{false};    ///< with exact marks: whether the last segment with data was marked
    bool m_ackAtOnce{false}; ///< that segment differs from the one before
};

} // namespace ns3::coflow

#endif // COFLOW_REPAIRED_TCP_SOCKET_H
