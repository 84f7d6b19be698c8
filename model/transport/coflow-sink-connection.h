/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_SINK_CONNECTION_H
#define COFLOW_SINK_CONNECTION_H

#include "ns3/address.h"
#include "ns3/coflow-connection.h"
#include "ns3/coflow-flow-header.h"
#include "ns3/coflow-packet-classifier.h"
#include "ns3/coflow-prefetch.h"
#include "ns3/coflow-sink.h"

#include <array>
#include <cstdint>
#include <string>

namespace ns3::coflow
{

/// One accepted connection of a CoflowSink: reads records as their bytes come.
class SinkConnection final : private ConnectionUser
{
  public:
    /// @param sink the sink that owns this connection
    /// @param socket the accepted socket
    /// @param peer address of the peer
    SinkConnection(CoflowSink& sink, const Ptr<Connection>& socket, const Address& peer);

    /// Lets go of the socket: no callback comes after this.
    ~SinkConnection();

    SinkConnection(const SinkConnection&) = delete;
    SinkConnection& operator=(const SinkConnection&) = delete;

    /// Closes the connection from this end.
    void Close();

    /// @return whether all that comes is news
    bool ReadsEvenly() const
    {
        return m_flow && m_position == m_flow->received;
    }

    /// Brings to the cache what the above look at, in two stages.
    /// @param stage the first one, 0, touches nothing of this
    void PrefetchProgress(std::size_t stage) const
    {
        if (stage == 0)
        {
            ::coflow::Prefetch(&m_flow);
        }
        else
        {
            ::coflow::Prefetch(m_flow);
        }
    }

    /// Bytes of the present record have come that were no part of the connection's stream, all
    /// news.
    /// @param bytes how many
    void Skip(uint64_t bytes)
    {
        TakePayload(bytes);
        if (m_remaining == 0)
        {
            EndRecord();
        }
    }

  private:
    void HandleReadable() override;
    void Prefetch(std::size_t stage) const override;
    void HandleClosed() override;
    void HandleBroken() override;
    void HandleSignal(const PacketClass& request) override;
    /// Nothing comes any more.
    void End();
    /// The present record is read no longer.
    void LeaveRecord();
    /// Reads bytes that are there.
    /// @param n at most so many
    /// @return how many were read: not beyond the present record, or the header of the next one
    uint32_t ReadSome(uint32_t n);
    /// A record's header is complete.
    void BeginRecord();
    /// Counts bytes of the present record.
    void TakePayload(uint64_t bytes);
    /// The present record is complete.
    void EndRecord();
    /// Reports that the peer does not keep to the protocol, and closes.
    void Reject(const std::string& reason);

    CoflowSink& m_sink;       ///< owner
    Ptr<Connection> m_socket; ///< the accepted socket
    Address m_peer;           ///< the peer
    ConnectionName m_name;    ///< of the socket, as the host's classifier knows it
    bool m_closed{false};     ///< closed from this end
    bool m_rejected{false};   ///< whatever still comes is read and dropped

    std::array<uint8_t, CoflowFlowHeader::SIZE> m_headerBytes{}; ///< of the next record
    uint32_t m_headerFill{0};                                    ///< how many there are so far

    bool m_named{false};                    ///< the host knows whose packets it acknowledges
    FlowKey m_key;                          ///< flow of the present record
    CoflowSink::FlowState* m_flow{nullptr}; ///< its state; none between records
    uint64_t m_position{0};                 ///< position in the flow of the next byte
    uint64_t m_remaining{0};                ///< bytes of the record to come
    bool m_last{false};                     ///< the record ends its flow
};

} // namespace ns3::coflow

#endif // COFLOW_SINK_CONNECTION_H
