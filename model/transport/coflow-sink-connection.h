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

/// One accepted connection of a CoflowSink. It reads records as their bytes come.
class SinkConnection final : private ConnectionUser
{
  public:
    /// @param sink the sink that owns this connection
    /// @param socket the accepted socket
    /// @param peer address of the peer
    SinkConnection(CoflowSink& sink, const Ptr<Connection>& socket, const Address& peer);

    /// Releases the socket. No callback follows.
    ~SinkConnection();

    SinkConnection(const SinkConnection&) = delete;
    SinkConnection& operator=(const SinkConnection&) = delete;

    /// Closes the connection from this end.
    void Close();

    /// @return whether the connection reads a record, and the sink has none of the bytes that will
    ///         come
    bool ReadsNewBytes() const
    {
        return m_flow && m_position == m_flow->received;
    }

    /// @return number of bytes that came without packets since the present record began; 0: no
    ///         record
    uint64_t GetAdvanced() const
    {
        return m_flow ? m_sink.GetAdvanced(*m_flow) - m_flow->advanced : 0;
    }

    /// The rest of the present record has come without packets. Packets that are on their way bring
    /// no new bytes.
    void TakeRest();

  private:
    void HandleRxAvailable() override;
    void Prefetch(std::size_t stage) const override;
    void HandleClosed() override;
    void HandleBroken() override;
    void HandleSignal(const PacketClass& request) override;
    /// The connection has ended.
    void End();
    /// Stops reading the present record.
    void LeaveRecord();
    /// Reads bytes from the socket, not beyond the present record or the next header.
    /// @param n largest number of bytes
    /// @return number of bytes read
    uint32_t ReadSome(uint32_t n);
    /// The header of a record is complete.
    void BeginRecord();
    /// Counts bytes of the present record.
    void TakePayload(uint64_t bytes);

    /// @return number of bytes of the present record that are to come
    uint64_t GetLeft() const
    {
        return m_end - m_position - m_sink.GetAdvanced(*m_flow);
    }

    /// The present record is complete.
    void EndRecord();
    /// Reports a violation of the protocol by the peer, and closes the connection.
    /// @param reason the error
    void Reject(const std::string& reason);

    CoflowSink& m_sink;       ///< sink that owns the connection
    Ptr<Connection> m_socket; ///< the accepted socket
    Address m_peer;           ///< the peer
    ConnectionName m_name;    ///< name of the socket in the host's classifier
    bool m_closed{false};     ///< this end has closed the connection
    bool m_drops{false};      ///< bytes that still come are read and dropped

    std::array<uint8_t, CoflowFlowHeader::SIZE> m_headerBytes{}; ///< header of the next record
    uint32_t m_headerFill{0};                                    ///< number of header bytes so far

    bool m_named{false};                    ///< the classifier of the host has the flow
    FlowKey m_key;                          ///< flow of the present record
    CoflowSink::FlowState* m_flow{nullptr}; ///< state of this flow; null: between records
    /// Position of the next byte in the flow, without the bytes that came without packets.
    uint64_t m_position{0};
    uint64_t m_end{0};          ///< end of the record in the flow
    bool m_last{false};         ///< the record ends its flow
    uint32_t m_row{UINT32_MAX}; ///< number of the flow's row in the RateTable; UINT32_MAX: none
};

} // namespace ns3::coflow

#endif // COFLOW_SINK_CONNECTION_H
