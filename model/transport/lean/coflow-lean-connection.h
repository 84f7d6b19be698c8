/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_LEAN_CONNECTION_H
#define COFLOW_LEAN_CONNECTION_H

#include "ns3/coflow-arena.h"
#include "ns3/coflow-connection.h"
#include "ns3/coflow-lean-reassembly.h"
#include "ns3/coflow-lean-rtt.h"
#include "ns3/coflow-lean-scoreboard.h"
#include "ns3/coflow-lean-segment.h"
#include "ns3/coflow-lean-settings.h"
#include "ns3/coflow-lean-stream.h"
#include "ns3/coflow-light-timer.h"
#include "ns3/coflow-packet-classifier.h"
#include "ns3/coflow-segment-carrier.h"
#include "ns3/coflow-time-hold.h"
#include "ns3/data-rate.h"
#include "ns3/ipv4-address.h"
#include "ns3/nstime.h"
#include "ns3/tcp-socket.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace ns3::coflow
{

class LeanHost;

/// One end of a TCP connection of which an application sees and a network carries the same as of a
/// CoflowTcpSocket, without packets: segments are structures, bytes are counted. Congestion
/// control and recovery are ns-3's objects.
///
/// The source is in several files: connection (life and what the application calls), sending,
/// sender (what only an end that sends data has), receiving, acknowledgement, jumps (what
/// time that is not simulated asks of a connection).
class LeanConnection final : public Connection, public ::coflow::InArena
{
  public:
    /// @param host where it is
    /// @param settings of it and others
    LeanConnection(LeanHost& host, std::shared_ptr<const LeanSettings> settings);
    ~LeanConnection() override;

    LeanConnection(const LeanConnection&) = delete;
    LeanConnection& operator=(const LeanConnection&) = delete;

    void SetUser(ConnectionUser* user) override
    {
        m_user = user;
    }

    uint16_t Bind(uint16_t port) override;
    bool Connect(Ipv4Address address, uint16_t port) override;
    void Write(const uint8_t* bytes, uint32_t n, uint32_t zeros) override;
    void Close() override;
    void Abort() override;

    uint32_t GetRoom() const override
    {
        return m_out.GetRoom();
    }

    uint32_t GetUnacknowledged() const override
    {
        return m_out.GetSize();
    }

    uint32_t GetUnsent() const override
    {
        return m_out.GetSize() - m_out.GetSentSize();
    }

    uint32_t GetReadable() const override
    {
        return m_in.GetReadable();
    }

    void Read(uint32_t n, uint8_t* to) override;
    bool IsRecovering() const override;
    void TakeBack(uint32_t zeros) override;
    bool Kick() override;
    bool SendSignal() override;
    void SetPacing(std::optional<DataRate> rate) override;
    void SetGate(SendGate* gate) override;
    void SendSegment() override;

    /// A SYN has come, which this end answers; its host has made this end for it.
    /// @param from the other end's address
    void Accept(const LeanSegment& syn, Ipv4Address from);

    /// Each of two ends reads what the other one writes.
    static void ShareStreams(LeanConnection& one, LeanConnection& other)
    {
        one.m_streamIn = other.m_streamOut;
        other.m_streamIn = one.m_streamOut;
        one.m_route.end = other.m_end;
        other.m_route.end = one.m_end;
    }

    /// @param number of the listener that its SYN has come to
    void SetListener(uint32_t number)
    {
        m_listener = number;
    }

    /// @return that number
    uint32_t GetListener() const
    {
        return m_listener;
    }

    /// Says whether its host knows it by its name.
    void SetEntered(bool entered)
    {
        m_entered = entered;
    }

    /// @return whether a host knows it by a name
    bool IsEnteredAt(const LeanHost& host, const ConnectionName& name) const
    {
        return m_entered && PeekPointer(m_host) == &host && m_name == name;
    }

    /// A segment for an end will arrive soon: brings to the cache what it will touch.
    /// @param end number of the end among LeanEnds
    /// @param stage as LightEventKind::prefetch has them
    static void PrefetchEnd(uint32_t end, std::size_t stage);

    /// Something will happen to the connection soon: brings to the cache what that will touch.
    /// @param stage as LightEventKind::prefetch has them
    void Prefetch(std::size_t stage) const override;

    /// A segment for this end has arrived.
    /// @param segment the segment
    /// @param ecn the ECN field of its IPv4 header
    /// @param packetClass what its host said of it
    void Receive(const LeanSegment& segment, uint8_t ecn, const PacketClass& packetClass);

    /// @return name of the connection at its host
    const ConnectionName& GetName() const
    {
        return m_name;
    }

  private:
    using State = TcpSocket::TcpStates_t;

    /// What a timeout changes, to be as before should nothing have been lost.
    struct BeforeTimeout
    {
        uint32_t at;
        uint32_t window;
        uint32_t slowStart;
        uint32_t recover;
        Time rto;
    };

    static constexpr uint8_t SYN_ACK = LeanSegment::SYN | LeanSegment::ACK;
    static constexpr uint8_t FIN_ACK = LeanSegment::FIN | LeanSegment::ACK;

    /// @return the flags that say what a segment is for
    static uint8_t GetKind(const LeanSegment& segment)
    {
        return segment.flags & ~(LeanSegment::CWR | LeanSegment::ECE);
    }

    /// @return what timestamps count: milliseconds
    static uint32_t GetTimestampNow()
    {
        constexpr int64_t MILLISECOND = 1000000;
        return static_cast<uint32_t>(GetNetworkTimeStep() / MILLISECOND);
    }

    /// The congestion control as it is to be called: it sees network time.
    class ControlCall
    {
      public:
        explicit ControlCall(TcpCongestionOps& control)
            : m_control(control)
        {
        }

        TcpCongestionOps* operator->() const
        {
            return &m_control;
        }

      private:
        TcpCongestionOps& m_control;
        WheelSimulatorImpl::NetworkClock m_clock;
    };

    ControlCall Control()
    {
        return ControlCall(*m_control);
    }

    /// @return the other end; null where it is not there
    LeanConnection* GetPeer() const;

    /// Makes what is needed to send data, should it not be there yet. With Dctcp an end that was
    /// accepted and has written nothing does without, as the receiving ends of all flows do.
    void BecomeSender();
    /// The window is what a handshake leaves.
    void BeginWindow();
    /// The congestion control gets to know of the round trip as it is measured.
    void TellRoundTrip();
    /// @return what it has written, which the other end reads
    LeanStream& GetStreamOut();
    /// Its own SYN was acknowledged.
    void CountSyn();

    // Life.
    void CloseNow();
    void CloseAndTell();
    void TellClosed();

    void SetLife(State life)
    {
        m_life = life;
        if (m_settings.awaited)
        {
            UpdateHold();
        }
    }

    /// Says whether the world waits for a handshake.
    void UpdateHold();
    void TellBroken();
    void TellRoom();
    void Reset();
    /// The host forgets the connection: nothing is sent or comes any more.
    void Leave();
    /// Others may have its port, if it has one for itself.
    void GivePortBack();
    void CancelTimers();
    void EnterTimeWait();
    void ConnectionSucceeded();

    // Sending.
    /// Hands a segment to the network.
    /// @param capable whether the network may mark it
    void Transmit(const LeanSegment& segment, bool capable);

    /// @param capable whether the network may mark the segment
    /// @return DSCP and ECN of its IPv4 header
    uint8_t GetDsField(bool capable) const
    {
        return static_cast<uint8_t>(m_settings.tos |
                                    (capable ? m_settings.ectCodePoint : TcpSocketState::NotECT));
    }

    LeanSegment MakeSegment(uint8_t flags, uint32_t sequence);
    uint16_t GetWindowField(bool scaled);
    void SendEmpty(uint8_t flags);
    /// Before a FIN is repeated: gives up in the end (RFC 9293, 3.8.3).
    /// @return whether it may be sent
    bool SpendFinRetry();
    /// @return how long to wait for the acknowledgement of a FIN, longer each time
    Time BackOffFin();
    /// What has arrived is acknowledged by a segment that is sent.
    void NoteAcknowledged(const LeanSegment& segment);
    /// An acknowledgement that also says whether there was a mark.
    void SendAcknowledgement();
    uint32_t SendData(uint32_t sequence, uint32_t most, bool acknowledging);
    void SendPending(bool acknowledging);
    void SendPendingLater();
    uint32_t GetAvailableWindow();
    bool IsPaced() const;
    bool IsWaitingToPace() const;
    bool IsProbing() const;
    void UpdatePacingRate();
    void StartPacing(uint32_t bytes);
    void CancelPacing();
    void HandlePaced();
    void SendProbe();
    void SendPendingNow();
    void ScheduleTimeout(Time delay);
    void HandleRetransmission();
    void HandleTimeout();
    void RememberTimeout();
    void HandleFinTimeout(uint8_t flags);
    void HandleLastAckTimeout();
    uint32_t CountInFlight();
    bool IsAllAcknowledged() const;

    // Receiving.
    bool IsOutOfRange(uint32_t first, uint32_t end) const;
    void TakeMark(uint8_t ecn, const LeanSegment& segment);
    void Process(const LeanSegment& segment);
    void ProcessSyn(const LeanSegment& segment);
    void ProcessTimestamp(const LeanSegment& segment);
    void EstimateRtt(const LeanSegment& segment);
    void UpdateWindow(const LeanSegment& segment);
    void ProcessEstablished(const LeanSegment& segment);
    void ProcessSynSent(const LeanSegment& segment);
    void ProcessSynReceived(const LeanSegment& segment);
    void ProcessWait(const LeanSegment& segment);
    void ProcessClosing(const LeanSegment& segment);
    void ProcessLastAck(const LeanSegment& segment);
    void AnswerSyn(const LeanSegment& syn);
    void PeerClose(const LeanSegment& segment);
    void DoPeerClose();
    void ReceiveData(const LeanSegment& segment);
    void HandleDelayedAck();
    void SendDelayedAckNow();
    bool IsEchoing() const;
    /// Tells the congestion control of something; it may look at the receive buffer.
    void TellControl(TcpSocketState::TcpCAEvent_t event);

    // Acknowledgements.
    void ReceiveAck(const LeanSegment& segment);
    void KeepWindowOfASegment();
    void ProcessAck(uint32_t acknowledgement,
                    bool sacked,
                    uint32_t delivered,
                    uint32_t oldHead,
                    bool withData);
    void ProcessNewAck(uint32_t acknowledgement,
                       bool duplicate,
                       uint32_t delivered,
                       uint32_t oldHead,
                       uint32_t duplicatesBefore);
    void ProcessDuplicate(uint32_t delivered);
    void EnterReduction(uint32_t delivered);
    void EnterRecovery(uint32_t delivered);
    void BeginRecovery(uint32_t delivered);
    void RetransmitNext();
    void NewAck(uint32_t acknowledgement, bool restartTimer);
    std::optional<Time> JudgeTimeout(const LeanSegment& segment);

    uint32_t NextSequence() const
    {
        return m_state ? m_state->m_nextTxSequence.Get().GetValue() : m_nextOfReceiver;
    }

    uint32_t HighestSent() const
    {
        return m_state ? m_state->m_highTxMark.Get().GetValue() : m_nextOfReceiver;
    }

    TcpSocketState::TcpCongState_t CongestionState() const
    {
        return m_state ? m_state->m_congState.Get() : TcpSocketState::CA_OPEN;
    }

    TcpSocketState::EcnState_t EcnState() const
    {
        return m_state ? m_state->m_ecnState.Get()
                       : static_cast<TcpSocketState::EcnState_t>(m_ecnOfReceiver);
    }

    void SetEcnState(TcpSocketState::EcnState_t state)
    {
        if (m_state)
        {
            m_state->m_ecnState = state;
        }
        else
        {
            m_ecnOfReceiver = state;
        }
    }

    // What a segment touches is first, and fetched by Prefetch().
    const uint32_t m_end;  ///< its number among LeanEnds
    bool m_entered{false}; ///< the host finds it by its name
    const Ptr<LeanHost> m_host;
    const std::shared_ptr<const LeanSettings> m_sharedSettings;
    const LeanSettings& m_settings; ///< the same
    ConnectionUser* m_user{nullptr};
    ConnectionName m_name; ///< as the host knows it
    SegmentRoute m_route;  ///< for the carrier
    State m_life{TcpSocket::CLOSED};
    bool m_open{false};          ///< the host knows it
    bool m_bound{false};         ///< it has a port for itself
    bool m_connected{false};     ///< has been established
    bool m_closeWhenSent{false}; ///< a FIN follows the last byte
    bool m_toldClosed{false};
    bool m_sack;
    bool m_timestamps;
    bool m_windowScaling;
    bool m_recovering{false};          ///< m_recover is of a recovery that is not over
    bool m_firstPartial{true};         ///< no partial acknowledgement has come in this recovery
    bool m_undoable{false};            ///< Seldom::beforeTimeout counts
    bool m_marked{false};              ///< with Dctcp: the last segment with data was marked
    bool m_ackAtOnce{false};           ///< that one differs from the one before
    uint8_t m_emptyAgain{0};           ///< flags of what the retransmission timer repeats; 0: data
    bool m_pendingAcknowledges{false}; ///< what is sent a step later acknowledges
    uint8_t m_ecnOfReceiver{TcpSocketState::ECN_DISABLED}; ///< without m_state: an EcnState_t
    uint8_t m_receiveShift{0};                             ///< of the window that this end tells
    uint8_t m_sendShift{0};                                ///< of the window that the peer tells

    Ptr<TcpSocketState> m_state;     ///< null: BecomeSender() was not needed yet
    Ptr<TcpCongestionOps> m_control; ///< likewise
    Ptr<TcpRecoveryOps> m_recovery;  ///< null until the first reduction or recovery
    LeanScoreboard m_out;
    LeanReassembly m_in;
    LeanRtt m_rtt;
    Ptr<LeanStream> m_streamOut; ///< GetStreamOut(); null: it has written nothing yet
    Ptr<LeanStream> m_streamIn;  ///< the other end's m_streamOut

    uint32_t m_peerWindow{0};      ///< bytes
    uint32_t m_toldWindow{0};      ///< bytes, as told last
    uint32_t m_highestSequence{0}; ///< that came
    uint32_t m_highestAck{0};      ///< that came
    uint32_t m_highestAckSent{0};
    uint32_t m_timestampToEcho{0};
    uint32_t m_seenTimestamp{0};  ///< that came last, and is not older than others
    uint32_t m_nextOfReceiver{0}; ///< without m_state: next and highest sequence number
    uint32_t m_recover{0};        ///< highest byte sent when the last recovery began
    uint32_t m_duplicates{0};     ///< duplicate acknowledgements in a row
    uint32_t m_unprocessed{0};    ///< acknowledged bytes that make no full segment yet
    uint32_t m_delayedAcks{0};    ///< segments that wait for an ACK
    uint32_t m_synsLeft{0};
    uint32_t m_retriesLeft{0};
    uint32_t m_echoedMark{0}; ///< acknowledgement that told of the last mark
    uint32_t m_reduced{0};    ///< sequence number of the last CWR
    uint32_t m_seenMark{0};   ///< sequence number of the last mark that came
    uint32_t m_timeoutsInRow{0};
    uint32_t m_leave{0}; ///< bytes that may be sent now, with a gate
    SendGate* m_gate{nullptr};
    Time m_rto;
    std::optional<uint32_t> m_samplesAtTimeout;

    template <void (LeanConnection::*HANDLE)()>
    using Timer = LightTimer<LeanConnection, HANDLE>;

    Timer<&LeanConnection::HandleRetransmission> m_retransmission;
    Timer<&LeanConnection::HandleDelayedAck> m_delayedAck;
    Timer<&LeanConnection::SendPendingNow> m_sendPending;

    // What few segments touch.
    TimeHold m_hold;        ///< on while the world waits for a handshake
    uint32_t m_listener{0}; ///< number of who has accepted it; 0: nobody

    /// What most connections need only when they close, if at all: of hundreds of thousands that
    /// are open, few have it.
    struct Seldom final : public ::coflow::InArena
    {
        explicit Seldom(LeanConnection& connection);

        Timer<&LeanConnection::SendProbe> probe;
        Timer<&LeanConnection::HandleLastAckTimeout> lastAck;
        Timer<&LeanConnection::CloseAndTell> timeWait;
        Time finTimeout;        ///< after the last FIN without data; 0: none was sent
        uint32_t finRepeats{0}; ///< how often that FIN was sent again
        Time persist;           ///< next interval of probes
        BeforeTimeout beforeTimeout{};
    };

    Seldom& GetSeldom();

    /// Between two segments, where they are paced.
    struct Pacing final : public ::coflow::InArena
    {
        explicit Pacing(LeanConnection& connection);

        Timer<&LeanConnection::HandlePaced> timer;
    };

    std::unique_ptr<Pacing> m_pacing; ///< null: nothing was paced yet
    std::unique_ptr<Seldom> m_seldom; ///< GetSeldom(); null: nothing of it was needed yet
};

} // namespace ns3::coflow

#endif // COFLOW_LEAN_CONNECTION_H
