/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_SINK_CONNECTION_H
#define COFLOW_SINK_CONNECTION_H

#include "ns3/address.h"
#include "ns3/coflow-connection.h"
#include "ns3/coflow-flow-header.h"
#include "ns3/coflow-packet-classifier.h"
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

    /// @return whether it reads a record, and the sink has no byte yet of those that will come
    bool ReadsNewBytes() const
    {
        return m_flow && m_position == m_flow->received;
    }

    /// @return bytes that came without packets since the present record has begun; 0 without one
    uint64_t GetAdvanced() const
    {
        return m_flow ? m_sink.GetAdvanced(*m_flow) - m_flow->advanced : 0;
    }

    /// The rest of the present record has come without packets: packets that are still under way
    /// bring nothing new.
    void TakeRest();

  private:
    void HandleRxAvailable() override;
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

    /// @return bytes of the present record to come
    uint64_t GetLeft() const
    {
        return m_end - m_position - m_sink.GetAdvanced(*m_flow);
    }

    /// The present record is complete.
    void EndRecord();
    /// Reports that the peer does not keep to the protocol, and closes.
    void Reject(const std::string& reason);

    CoflowSink& m_sink;       ///< owner
    Ptr<Connection> m_socket; ///< the accepted socket
    Address m_peer;           ///< the peer
    ConnectionName m_name;    ///< of the socket, as the host's classifier knows it
    bool m_closed{false};     ///< closed from this end
    bool m_drops{false};      ///< whatever still comes is read and dropped

    std::array<uint8_t, CoflowFlowHeader::SIZE> m_headerBytes{}; ///< of the next record
    uint32_t m_headerFill{0};                                    ///< how many there are so far

    bool m_named{false};                    ///< the host knows whose packets it acknowledges
    FlowKey m_key;                          ///< flow of the present record
    CoflowSink::FlowState* m_flow{nullptr}; ///< its state; none between records
    /// Position of the next byte, in the flow without what came without packets
    uint64_t m_position{0};
    uint64_t m_end{0};          ///< of the record, in the flow
    bool m_last{false};         ///< the record ends its flow
    uint32_t m_row{UINT32_MAX}; ///< of the flow in the RateTable; UINT32_MAX: none
};

} // namespace ns3::coflow

#endif // COFLOW_SINK_CONNECTION_H
