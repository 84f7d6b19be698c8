/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_FLOW_HEADER_H
#define COFLOW_FLOW_HEADER_H

#include "ns3/coflow-types.h"
#include "ns3/header.h"

#include <array>
#include <cstdint>
#include <ostream>

namespace ns3::coflow
{

/// Goes before a record on a data connection: a record is a run of consecutive bytes of one flow.
///
/// Wire format, network byte order, 32 bytes:
/// | bytes | field                                                        |
/// |-------|--------------------------------------------------------------|
/// | 0-1   | magic number 0xC0F1                                          |
/// | 2     | version, 1                                                   |
/// | 3     | flags: bit 0 set: the record ends its flow; others are zero  |
/// | 4-7   | flow id                                                      |
/// | 8-15  | coflow id                                                    |
/// | 16-23 | position of the record's first byte in the flow              |
/// | 24-31 | number of bytes of the record that follow                    |
class CoflowFlowHeader : public Header
{
  public:
    /// Bytes of the header.
    static constexpr uint32_t SIZE = 32;

    /// @return the type
    static TypeId GetTypeId();

    /// A header that is not valid, to be deserialized into.
    CoflowFlowHeader();

    /// @param coflowId the coflow
    /// @param flowId the flow in its coflow
    /// @param offset position of the record's first byte in the flow
    /// @param length bytes of the record; 0 only where the record ends its flow
    /// @param last whether the record ends its flow
    CoflowFlowHeader(::coflow::CoflowId coflowId,
                     ::coflow::FlowId flowId,
                     uint64_t offset,
                     uint64_t length,
                     bool last);

    /// @return the coflow
    ::coflow::CoflowId GetCoflowId() const;
    /// @return the flow in its coflow
    ::coflow::FlowId GetFlowId() const;
    /// @return position of the record's first byte in the flow
    uint64_t GetOffset() const;
    /// @return bytes of the record
    uint64_t GetLength() const;
    /// @return whether the record ends its flow
    bool IsLast() const;
    /// @return false if the bytes are no such header: wrong magic number, version or flags, an
    /// empty
    ///         record that does not end its flow, or a position beyond 2^63
    bool IsValid() const;

    /// @return the bytes of the header in a segment
    std::array<uint8_t, SIZE> GetBytes() const;
    /// @param bytes the bytes of a header in a segment
    /// @return the header
    static CoflowFlowHeader FromBytes(const std::array<uint8_t, SIZE>& bytes);

    TypeId GetInstanceTypeId() const override;
    void Print(std::ostream& os) const override;
    uint32_t GetSerializedSize() const override;
    void Serialize(Buffer::Iterator start) const override;
    uint32_t Deserialize(Buffer::Iterator start) override;

  private:
    ::coflow::CoflowId m_coflowId{0}; ///< the coflow
    ::coflow::FlowId m_flowId{0};     ///< the flow
    uint64_t m_offset{0};             ///< position in the flow
    uint64_t m_length{0};             ///< bytes of the record
    bool m_last{false};               ///< ends the flow
    bool m_valid{false};              ///< makes sense
};

} // namespace ns3::coflow

#endif // COFLOW_FLOW_HEADER_H
