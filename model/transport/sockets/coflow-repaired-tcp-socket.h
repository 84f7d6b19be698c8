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

/// Makes GetInstanceTypeId() return the TypeId of the class itself, so that the class has its own
/// attributes.
///
/// ns-3 3.44: TcpSocketBase::GetInstanceTypeId() returns TcpSocketBase for all its subclasses.
/// Core: an object has the TypeId of its class. Upstream: fixed in 3.45, where the method is final.
/// Goes when: 3.44 need not compile; then every use derives from the base class. Test:
/// TcpRepairs.AttributesOfASubclass.
/// @tparam Class the socket's class
/// @tparam Base base class of the socket's class
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

/// ns-3's TCP without the defects and limits that affect runs of coflows. This class has no other
/// changes.
///
/// Every repair is a separate method. The comment of the method says what ns-3 3.44 does, which
/// standard requires another behaviour, whether upstream knows the defect, when the repair can be
/// deleted, and which test shows the defect and the repair. "Not reported" means: neither ns-3's
/// release notes nor its commit log up to 3.48 and some weeks after it mention the defect.
/// doc/validation/tcp-repairs.md lists all repairs.
///
/// When ns-3 fixes a defect, the part of the test that shows the defect is skipped and names the
/// repair.
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
    // The overridden methods call the base class and one or two repairs; see the repairs below.
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

    /// Receives a segment, and with Dctcp the mark of its IPv4 header. Endpoints call this function
    /// in place of ForwardUp(), which cannot be overridden.
    /// @param packet the segment, which begins with the TCP header
    /// @param header IPv4 header of the segment
    /// @param port the sender's port
    /// @param interface interface that has received the segment
    void Receive(Ptr<Packet> packet,
                 Ipv4Header header,
                 uint16_t port,
                 Ptr<Ipv4Interface> interface);

    /// @return the attribute MaxRto
    Time GetMaxRto() const;

    /// Gives an accepted connection a congestion control with all settings of the listening
    /// socket's congestion control; see CongestionControlFactory.
    /// @param fork copy of this socket
    /// @return the copy
    Ptr<TcpSocketBase> RepairFork(const Ptr<TcpSocketBase>& fork) const;

  private:
    /// Removes the timestamps of the last SYN before a listening socket processes a SYN.
    ///
    /// ns-3: the listening socket keeps the newest timestamp of all SYNs. If a SYN was sent before
    /// another SYN and arrives after it, the answer echoes the timestamp of the other SYN, so the
    /// round-trip time of the handshake seems too short. RFC 7323, 3.2 and 4.3: an echo belongs to
    /// the connection. Upstream: not reported. Goes when: CompleteFork() begins with no timestamp.
    /// Test: TcpRepairs.SynHasItsOwnTimestamp.
    void ForgetTimestamps();

    /// Processes a RST that answers a SYN.
    ///
    /// ns-3: such a RST has the flag ACK, so that ProcessSynSent() ignores it; the application is
    /// notified only after the last SYN. RFC 9293, 3.10.7.3: the connection is refused. Upstream:
    /// not reported. Goes when: ProcessSynSent() does so. Test: TcpRepairs.ConnectionIsRefused.
    /// @return whether the segment needs no further processing
    bool TakeReset(const TcpHeader& header);

    /// Returns whether a listening socket ignores a segment. It ignores all segments except SYNs.
    ///
    /// ns-3: ProcessListen() ignores such a segment, but before this, DoForwardUp() has already
    /// updated the socket's state. The segment is a RST, or a late segment of a connection to a
    /// process that has died. A listening socket has no window yet: a RST, or an acknowledgement
    /// with a closed window, starts the persist timer, and the probe crashes. All accepted
    /// connections inherit the other changes of the state: the mark of a late segment hides marks
    /// up to its sequence number, and a late acknowledgement is a sample of the round-trip time (by
    /// RememberFirstUnacknowledged()). RFC 9293, 3.10.7.2: a listening socket ignores these
    /// segments. Upstream: not reported. Goes when: DoForwardUp() does so. Tests:
    /// TcpRepairs.ResetAtAListeningSocket, TcpRepairs.LateSegmentsAtAListeningSocket.
    /// @return whether the segment needs no further processing
    bool LeavesAlone(const TcpHeader& header) const;

    /// Returns whether a segment is a SYN-ACK. An open connection answers a SYN-ACK with an
    /// acknowledgement.
    ///
    /// ns-3: ProcessEstablished() ignores a SYN-ACK. A SYN-ACK arrives at an open connection if the
    /// last packet of the handshake was lost. If the client has nothing to send, the server
    /// retransmits the SYN-ACK until it gives up. The listening socket then ignores later data of
    /// the client, and the client retransmits the data for ever. RFC 9293, 3.10.7.4: the SYN-ACK is
    /// answered with an acknowledgement. Upstream: not reported. Goes when: ProcessEstablished()
    /// does so. Test: TcpRepairs.TheLastPacketOfAHandshakeIsLost.
    static bool IsSynAck(const Packet& packet);

    /// Keeps the congestion window at one segment or more.
    ///
    /// ns-3: a reduction of the window of a connection with little in flight (TcpPrrRecovery) may
    /// leave less than a segment. A full segment then waits for a larger window, and with nothing
    /// in flight there is neither an ACK nor a timeout. RFC 5681, 3.1: the smallest window is a
    /// segment. Upstream: not reported. Goes when: no congestion control leaves less than a
    /// segment, or TcpSocketBase::Window() is at least a segment. Test:
    /// TcpRepairs.WindowBelowASegment.
    void KeepWindowOfASegment();

    /// Limits the retransmission timeout to MaxRto, before and after the timeout doubles.
    ///
    /// ns-3: ReTxTimeout() has the limit 60 s in any network. A segment may take longer over a slow
    /// link, and a connection in a data centre must not wait so long. RFC 6298, 2.5: a limit of 60
    /// s or more is allowed; a smaller MaxRto is the user's decision. Upstream: no attribute, not
    /// reported. Goes when: TcpSocketBase has an attribute for the limit. Test:
    /// TcpRepairs.LongestTimeout.
    /// @param doubled the timeout that ReTxTimeout() should have set
    void PassAMinute(Time doubled);

    /// Updates the highest acknowledgement number that was sent, after a segment with data.
    ///
    /// ns-3: only SendEmptyPacket() stores the highest acknowledgement number that was sent. If
    /// data carries the acknowledgement, as between two ends that answer each other, the timestamp
    /// of the next segment is not echoed, because the segment seems to be before the acknowledged
    /// data. The sample of the round-trip time is then as long as the pause between two messages,
    /// and the timeout a second or more. RFC 7323, 4.3: Last.ACK.sent is the acknowledgement number
    /// of the last segment with ACK. Upstream: not reported. Goes when: SendDataPacket() stores it,
    /// too. Test: TcpRepairs.AnswersCarryAcknowledgements.
    /// @param withAck whether the segment that was sent has the flag ACK
    void NoteAcknowledged(bool withAck);

    /// Takes a sample of the round-trip time from any echoed timestamp.
    ///
    /// ns-3: ReTxTimeout() empties the history of send times, and EstimateRtt() takes no sample
    /// without a history. If the timeout is too short, the next timeout comes before new data was
    /// sent and acknowledged, and so on for ever. RFC 7323, 4.1: a timestamp gives a sample also
    /// after a retransmission. Upstream: not reported. Goes when: EstimateRtt() uses the timestamp
    /// of every acknowledgement of new data. Test: TcpRepairsOfTimeouts.
    void RememberFirstUnacknowledged(const TcpHeader& header);

    /// Keeps the doubled timeout until the next sample of the round-trip time.
    ///
    /// ns-3: NewAck() computes the timeout from the old estimate, which was too short. RFC 6298, 5
    /// (the note after rule 5.7): the timeout collapses with a new measurement. Upstream: not
    /// reported. Goes when: NewAck() keeps the doubled timeout. Test: TcpRepairsOfTimeouts, without
    /// timestamps.
    /// @param backedOff the timeout before NewAck()
    /// @param restarted whether NewAck() has restarted the timer
    void KeepBackedOff(Time backedOff, bool restarted);

    /// Called before a FIN is retransmitted. Aborts the connection after DataRetries.
    ///
    /// ns-3: SendEmptyPacket() retransmits a FIN for ever, always after the same interval, and
    /// LastAckTimeout() also retransmits the second FIN every round trip. RFC 6298, 5.5: the
    /// timeout doubles. RFC 9293, 3.8.3: a connection is aborted in the end. Upstream: not
    /// reported. Goes when: both functions do so. Test: TcpRepairsOfFins.
    /// @return false: the connection was aborted
    bool SpendFinRetry();

    /// Called after a FIN was sent. Doubles the timeout of the FIN.
    /// @param flags flags of the FIN
    /// @param isAgain whether the FIN is a retransmission
    void RestartFinTimer(uint8_t flags, bool isAgain);

    /// Processes an old acknowledgement when nothing is in flight.
    ///
    /// ns-3: with SACK, TcpTxBuffer::Update() processes the blocks of an old acknowledgement even
    /// then, and reads the first element of an empty list. In ESTABLISHED, old acknowledgements are
    /// ignored before, but not while a connection is being closed. RFC 9293, 3.10.7.4: an old
    /// acknowledgement is ignored. Upstream: not reported. Goes when: Update() returns early if the
    /// list is empty, or ReceivedAck() checks for old acknowledgements first. Test:
    /// TcpRepairs.OldAcknowledgementWithBlocks.
    /// @return whether the acknowledgement was old; its data, if any, is received
    bool TakeOldAck(Ptr<Packet> packet, const TcpHeader& header);

    /// Sets the count of duplicate acknowledgements to a value that fits the congestion state.
    ///
    /// ns-3: duplicates that are counted while ECN reduces the window (CA_CWR) still count after
    /// the reduction. If the acknowledgement that ends the reduction has new SACK blocks, an
    /// assertion ends the program ("From OPEN->DISORDER but with n dup ACKs"); likewise in
    /// CA_DISORDER when a recovery after a timeout is over. RFC 6675, 5: duplicates count from the
    /// first one of an episode. Upstream: not reported; #1319 fixes another omission at the same
    /// places. Goes when: m_dupAckCount is 0 whenever the state becomes CA_OPEN. Test:
    /// TcpRepairs.DuplicatesOfAReductionThatIsOver.
    void ForgetOldDuplicates();

    /// Gives a paced connection a rate above 0.
    ///
    /// ns-3: UpdatePacingRate() divides by the smoothed round-trip time, which is 0 for a
    /// connection without a sample. The result as an integer may be 0, and SendDataPacket() divides
    /// by the result. No standard. It is not known which handshake leaves no sample: a handshake
    /// with a lost or late SYN has a sample. Upstream: not reported. Goes when: UpdatePacingRate()
    /// keeps a rate above 0. Test: TcpRepairs.PacingWithoutARate.
    void KeepPacingRate();

    // DCTCP's receiver.
    //
    // ns-3: TcpDctcp sends two ACKs where marks begin or end, as RFC 8257, 3.2 requires. But the
    // first ACK does not cover the last segment before the change, and is sent even if all earlier
    // segments have been acknowledged. The second ACK waits until DelAckTimeout, so that the
    // acknowledgements of two segments may be late by this time. Here, with Dctcp, the socket sends
    // a pending delayed ACK for the segments before the change, and at once an ACK for the segment
    // with the change, as Linux does. Upstream: not reported. Goes when: TcpDctcp does so. Test:
    // Dctcp.ReceiverAcknowledgesAtOnceWhereMarksBeginAndEnd.

    /// Makes the endpoint call Receive().
    void TakeOver();

    /// With Dctcp, processes the CE mark of a segment, before any other processing of the segment.
    /// @param ecn ECN field of its IPv4 header
    /// @param payload bytes of its payload
    void TakeMark(Ipv4Header::EcnType ecn, uint32_t payload);

    /// @return the needs of the congestion control
    const CongestionControlNeeds& GetNeeds();

    /// @return whether an acknowledgement that is sent now echoes a CE mark
    bool IsEchoing() const;

    /// Sends the delayed acknowledgement, if there is one.
    void SendDelayedAck();

    Time m_maxRto; ///< longest retransmission timeout, see the attribute MaxRto
    /// Number of samples of the round-trip time at the last timeout; none: no timeout occurred.
    std::optional<uint32_t> m_samplesAtTimeout;
    Time m_finTimeout{0}; ///< timeout of the last FIN without data; 0: none sent
    const TcpCongestionOps* m_judged{nullptr}; ///< congestion control of m_needs
    CongestionControlNeeds m_needs;
    bool m_marked{false};    ///< with exact marks: whether the last segment with data was marked
    bool m_ackAtOnce{false}; ///< m_marked has changed at the last segment with data
};

} // namespace ns3::coflow

#endif // COFLOW_REPAIRED_TCP_SOCKET_H
