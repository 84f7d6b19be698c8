/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_CONTROL_UDP_CONNECTION_H
#define COFLOW_CONTROL_UDP_CONNECTION_H

#include "ns3/coflow-control-backlog.h"
#include "ns3/coflow-control-header.h"
#include "ns3/coflow-control-udp.h"
#include "ns3/event-id.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>

namespace ns3::coflow
{

/// One peer of a ControlUdp.
class ControlUdp::Connection : public std::enable_shared_from_this<ControlUdp::Connection>
{
  public:
    /// @param udp the owner
    /// @param peer name of the peer
    /// @param remote its port
    Connection(ControlUdp& udp, PeerId peer, const Address& remote);

    /// Lets go of the socket.
    ~Connection();

    Connection(const Connection&) = delete;
    Connection& operator=(const Connection&) = delete;

    /// Opens a connection to a peer that listens.
    void Open();

    /// Uses a connection that a peer opens with HELLO.
    void Adopt(const Ptr<Socket>& socket);

    /// Sends a message; see ControlTransport::Send().
    uint32_t Send(uint16_t messageType, const Ptr<Packet>& body, bool renews);

    /// @return whether a message of this type waits
    bool IsBehind(uint16_t messageType) const
    {
        return m_unsent.Has(messageType);
    }

    /// @return whether everything is acknowledged
    bool HasAll() const
    {
        return m_unsent.IsEmpty() && m_unacknowledged.empty();
    }

    /// Closes the connection, for good.
    /// @param tell whether the peer is told
    void Close(bool tell);

    /// A datagram of this connection has arrived.
    void Handle(const DatagramHeader& header, const Ptr<Packet>& frame);

  private:
    /// A datagram that was not acknowledged.
    struct Datagram
    {
        Datagram(uint32_t theNumber, Ptr<Packet> theFrame)
            : number(theNumber),
              frame(theFrame)
        {
        }

        uint32_t number;         ///< of the datagram; 0 is HELLO
        Ptr<Packet> frame;       ///< what it carries
        Time first;              ///< when it was first sent
        Time next;               ///< when it is to be sent again
        uint32_t repetitions{0}; ///< how often it was sent again
    };

    /// Lets go of the socket.
    void Detach();

    void HandleWelcome();

    void HandleAck(uint32_t number);

    void HandleData(uint32_t number, const Ptr<Packet>& frame);

    /// @return whether the frame is one
    bool TakeFrame(const Ptr<Packet>& packet);

    /// Sends what waits, as far as the window allows.
    void Fill();

    /// Sends the newest datagram for the first time.
    void SendFirst();

    void SendOut(Datagram& datagram);

    /// @return when the peer is down unless it acknowledges something
    Time GetDeadline() const;

    /// Waits for the first datagram that is to be sent again.
    void SetTimer();

    void HandleTimer();

    /// The connection could not be opened, or broke.
    void Fail(const char* reason);

    ControlUdp& m_udp;                       ///< owner
    const PeerId m_peer;                     ///< name of the peer
    const Address m_remote;                  ///< its port
    bool m_outgoing{false};                  ///< opened by this end
    bool m_up{false};                        ///< between WELCOME and the end
    bool m_closed{false};                    ///< for good
    Ptr<Socket> m_socket;                    ///< our port; none between two attempts
    uint32_t m_failures{0};                  ///< since the connection was up
    EventId m_event;                         ///< sends again, or opens anew
    Time m_lastHeard;                        ///< last acknowledgement, or end of an idle time
    uint32_t m_nextNumber{1};                ///< of the next datagram to be sent
    ControlBacklog m_unsent;                 ///< frames that wait for the window
    std::deque<Datagram> m_unacknowledged;   ///< by number
    uint32_t m_expected{1};                  ///< number of the next datagram to be handled
    std::map<uint32_t, Ptr<Packet>> m_early; ///< that came before one they have to follow
    std::optional<ControlHeader> m_begun;    ///< first frame of a message that is not complete
    Ptr<Packet> m_body;                      ///< its body so far
};

} // namespace ns3::coflow

#endif // COFLOW_CONTROL_UDP_CONNECTION_H
