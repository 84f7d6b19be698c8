/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_RATE_TABLE_H
#define COFLOW_RATE_TABLE_H

#include "ns3/coflow-flow-key.h"
#include "ns3/nstime.h"
#include "ns3/ptr.h"
#include "ns3/simple-ref-count.h"

#include <cstdint>
#include <map>
#include <vector>

namespace ns3::coflow
{

class SinkConnection;
struct SourceFlow;

/// The flows of a network that have not ended, with their rates, and the bytes that each flow has
/// sent without packets. These are the bytes of jumps over time (--jump). Without jumps there is no
/// table. Source and sink of a flow share its row.
///
/// The rates and bytes of all rows are arrays, so that Advance() takes less than a nanosecond per
/// row. A row keeps its number until source and sink have left the row.
class RateTable : public SimpleRefCount<RateTable>
{
  public:
    /// Number that means: no row.
    static constexpr uint32_t NONE = UINT32_MAX;

    /// Is notified of changes.
    class Listener
    {
      public:
        /// A row is new, or its flow sends in another way: the rate, the priority, the path or the
        /// connection has changed.
        /// @param row the row
        virtual void NotifyChanged(uint32_t row) = 0;

        /// A flow has tokens for its last bytes.
        /// @param row the flow's row
        /// @return whether the last bytes are sent without packets, with a call of
        ///         SourceConnection::TakeRest(); otherwise TCP sends them
        virtual bool EndsWithoutPackets(uint32_t row) = 0;

        /// A flow has ended. The SourceFlow still exists during this call.
        /// @param row the row of the flow
        virtual void NotifyEnded(uint32_t row) = 0;

      protected:
        ~Listener() = default;
    };

    /// A flow that has not ended.
    struct Row
    {
        SourceFlow* flow{nullptr};     ///< flow of the row; null: the flow has ended
        SinkConnection* sink{nullptr}; ///< connection that reads the flow; null: none
        uint32_t node{0};              ///< id of the sending host's node
        uint32_t flows{0};             ///< number of flows that have used this row so far
        uint32_t ends{0}; ///< number of sources and sink connections that have not left the row
        Time latest;      ///< end of the last Advance() in which the flow had a rate
    };

    /// @param listener listener that is notified of all changes from now on; null: none
    void SetListener(Listener* listener)
    {
        m_listener = listener;
    }

    /// Adds a new flow of a source.
    /// @param flow the flow; it must exist until LeaveSource()
    /// @param node id of the source's node
    /// @return the flow's row
    uint32_t Add(SourceFlow& flow, uint32_t node);

    /// A sink begins to read a flow.
    /// @param key the flow
    /// @param sink the connection that reads the flow, until LeaveSink()
    /// @return the flow's row; NONE: no source has the flow
    uint32_t Join(const FlowKey& key, SinkConnection& sink);

    /// A flow has ended. Its source leaves the row.
    /// @param row the row
    void LeaveSource(uint32_t row);

    /// A connection of the sink leaves a row.
    /// @param row the row
    /// @param sink the connection
    void LeaveSink(uint32_t row, const SinkConnection& sink);

    /// Sets the rate of a flow.
    /// @param row the flow's row
    /// @param bitsPerSecond payload per second; 0: the flow sends nothing at a rate
    void SetRate(uint32_t row, uint64_t bitsPerSecond);

    /// Notifies the listener that a flow sends in another way (see Listener::NotifyChanged()).
    /// @param row the flow's row
    void Touch(uint32_t row);

    /// A flow has tokens for its last bytes (see Listener::EndsWithoutPackets()).
    /// @param row the flow's row
    /// @return whether the last bytes are sent without packets
    bool EndsWithoutPackets(uint32_t row);

    /// Adds the bytes that all flows send at their rates in a duration, without packets.
    /// @param duration the duration, in ns
    void Advance(int64_t duration);

    /// @param row a flow's row
    /// @return number of bytes that the flow has sent without packets
    uint64_t GetAdvanced(uint32_t row) const
    {
        return static_cast<uint64_t>(m_advanced[row]);
    }

    /// @param row a flow's row
    /// @return payload per ns, in bytes; 0: the flow has no rate
    double GetRate(uint32_t row) const
    {
        return m_bytesPerNs[row];
    }

    /// @param row number of a row
    /// @return the row; its flow may have ended
    const Row& Get(uint32_t row) const
    {
        return m_rows[row];
    }

    /// @return whether all flows have ended
    bool IsEmpty() const
    {
        return m_numbers.empty();
    }

    /// @return number of rows, with the rows that have no flow
    uint32_t GetSize() const
    {
        return static_cast<uint32_t>(m_rows.size());
    }

    /// @param row a flow's row
    /// @return time at which the flow has last sent without packets
    Time GetLatest(uint32_t row) const
    {
        return m_bytesPerNs[row] > 0 ? m_latest : m_rows[row].latest;
    }

  private:
    void Leave(uint32_t row);

    std::vector<double> m_bytesPerNs;      ///< rates by row, bytes per ns
    std::vector<double> m_advanced;        ///< bytes sent without packets, by row
    std::vector<Row> m_rows;               ///< rows by number
    std::vector<uint32_t> m_free;          ///< free rows
    std::map<FlowKey, uint32_t> m_numbers; ///< rows of flows that have not ended
    Listener* m_listener{nullptr};         ///< listener; null: none
    Time m_latest;                         ///< end of the last Advance()
};

/// The row of a flow in a RateTable, for the flow's source. The destructor leaves the row. Without
/// a table, the functions have no effect.
class SourceRow
{
  public:
    SourceRow() = default;

    ~SourceRow()
    {
        if (m_table)
        {
            m_table->LeaveSource(m_row);
        }
    }

    SourceRow(const SourceRow&) = delete;
    SourceRow& operator=(const SourceRow&) = delete;

    /// Adds the flow to a table; to be called once.
    /// @param table the table; null: none
    /// @param flow the flow that has this object as a member
    /// @param node id of the source's node
    void Enter(const Ptr<RateTable>& table, SourceFlow& flow, uint32_t node)
    {
        m_table = table;
        m_row = table ? table->Add(flow, node) : RateTable::NONE;
    }

    /// @param bitsPerSecond payload per second; 0: the flow sends nothing at a rate
    void SetRate(uint64_t bitsPerSecond)
    {
        if (m_table)
        {
            m_table->SetRate(m_row, bitsPerSecond);
        }
    }

    /// The flow sends in another way (see RateTable::Listener::NotifyChanged()).
    void Touch()
    {
        if (m_table)
        {
            m_table->Touch(m_row);
        }
    }

    /// The flow has tokens for its last bytes.
    /// @return whether the last bytes are sent without packets; otherwise TCP sends them
    bool EndsWithoutPackets()
    {
        return m_table && m_table->EndsWithoutPackets(m_row);
    }

    /// @return number of bytes that the flow has sent without packets
    uint64_t GetAdvanced() const
    {
        return m_table ? m_table->GetAdvanced(m_row) : 0;
    }

  private:
    Ptr<RateTable> m_table;          ///< table; null: none
    uint32_t m_row{RateTable::NONE}; ///< number of the flow's row
};

} // namespace ns3::coflow

#endif // COFLOW_RATE_TABLE_H
