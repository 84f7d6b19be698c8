/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_RATE_TABLE_H
#define COFLOW_RATE_TABLE_H

#include "ns3/coflow-flow-key.h"
#include "ns3/nstime.h"
#include "ns3/ptr.h"
#include "ns3/simple-ref-count.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

namespace ns3::coflow
{

class SinkConnection;
struct SourceFlow;

/// The flows of a network that have not ended, with the rates that their schedulers have given
/// them, and the bytes that each of them has sent at its rate without packets. The two ends of a
/// flow share its row.
///
/// The rates and bytes of all rows are arrays, so that Advance() takes less than a nanosecond for a
/// row. A row's number stays the same until both ends have left the row.
class RateTable : public SimpleRefCount<RateTable>
{
  public:
    /// No row.
    static constexpr uint32_t NONE = UINT32_MAX;

    /// Hears of changes.
    class Listener
    {
      public:
        /// A row is new, or the way in which its flow sends has changed: its rate, its priority,
        /// its path, its connection.
        virtual void NotifyChanged(uint32_t row) = 0;

        /// A row's flow has tokens for its last bytes.
        /// @return whether these go without packets, and SourceConnection::TakeRest() was called;
        ///         otherwise TCP sends them
        virtual bool EndsWithoutPackets(uint32_t row) = 0;

        /// The source leaves a row: its flow has ended. The flow is still there.
        virtual void NotifyEnded(uint32_t row) = 0;

      protected:
        ~Listener() = default;
    };

    /// A flow that has not ended.
    struct Row
    {
        SourceFlow* flow{nullptr};     ///< the sending end; null: the flow has ended
        SinkConnection* sink{nullptr}; ///< the receiving end; null: it does not read the flow
        uint32_t node{0};              ///< id of the sending host's node
        uint32_t flows{0};             ///< flows that have had the row
        uint32_t ends{0};              ///< ends of the flow that have not left the row
        Time latest;                   ///< end of the last Advance() in which it had a rate
    };

    /// @param listener hears of all changes from now on; null: nothing hears of them
    void SetListener(Listener* listener)
    {
        m_listener = listener;
    }

    /// A source has a new flow.
    /// @param flow the flow; it is there until Leave()
    /// @param node id of the source's node
    /// @return the flow's row
    uint32_t Add(SourceFlow& flow, uint32_t node);

    /// A sink begins to read a flow.
    /// @param key the flow
    /// @param sink the connection that reads the flow, until LeaveSink()
    /// @return the flow's row; NONE where no source has the flow
    uint32_t Join(const FlowKey& key, SinkConnection& sink);

    /// The source gives its flow's row up.
    void LeaveSource(uint32_t row);

    /// A connection of the sink gives the row up.
    void LeaveSink(uint32_t row, const SinkConnection& sink);

    /// @param row a row
    /// @param bitsPerSecond payload per second; 0: the flow sends nothing at a rate
    void SetRate(uint32_t row, uint64_t bitsPerSecond);

    /// The way in which a row's flow sends has changed, but not its rate.
    void Touch(uint32_t row);

    /// See Listener::EndsWithoutPackets().
    bool EndsWithoutPackets(uint32_t row);

    /// All flows send at their rates for a while, without packets.
    /// @param duration how long, in ns
    void Advance(int64_t duration);

    /// A flow has sent bytes without packets besides.
    void Add(uint32_t row, uint64_t bytes)
    {
        m_advanced[row] += static_cast<double>(bytes);
    }

    /// @return bytes that a row's flow has sent without packets
    uint64_t GetAdvanced(uint32_t row) const
    {
        return static_cast<uint64_t>(m_advanced[row]);
    }

    /// @return payload per ns of a row's flow, bytes; 0: it has no rate
    double GetRate(uint32_t row) const
    {
        return m_bytesPerNs[row];
    }

    /// @return a row, of a flow that may have ended
    const Row& Get(uint32_t row) const
    {
        return m_rows[row];
    }

    /// @return whether there is no flow that has not ended
    bool IsEmpty() const
    {
        return m_numbers.empty();
    }

    /// @return number of rows, those without a flow included
    uint32_t GetSize() const
    {
        return static_cast<uint32_t>(m_rows.size());
    }

    /// @return when a row's flow has last sent without packets
    Time GetLatest(uint32_t row) const
    {
        return m_bytesPerNs[row] > 0 ? m_latest : m_rows[row].latest;
    }

  private:
    void Leave(uint32_t row);

    std::vector<double> m_bytesPerNs; ///< by row, bytes per ns
    std::vector<double> m_advanced;   ///< by row, bytes
    std::vector<Row> m_rows;
    std::vector<uint32_t> m_free;          ///< rows
    std::map<FlowKey, uint32_t> m_numbers; ///< rows of flows that have not ended
    Listener* m_listener{nullptr};
    Time m_latest; ///< end of the last Advance()
};

/// A flow's place in a RateTable, as its source has the place. It does nothing without a table, and
/// is left when it is destroyed.
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

    /// Takes a row; to be called once.
    /// @param table the table; null: there is none
    /// @param flow the flow, of which this is a member
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

    /// The way in which the flow sends has changed.
    void Touch()
    {
        if (m_table)
        {
            m_table->Touch(m_row);
        }
    }

    /// The flow has tokens for its last bytes.
    /// @return whether these go without packets; otherwise TCP sends them
    bool EndsWithoutPackets()
    {
        return m_table && m_table->EndsWithoutPackets(m_row);
    }

    /// @return bytes that the flow has sent without packets
    uint64_t GetAdvanced() const
    {
        return m_table ? m_table->GetAdvanced(m_row) : 0;
    }

  private:
    Ptr<RateTable> m_table;
    uint32_t m_row{RateTable::NONE};
};

} // namespace ns3::coflow

#endif // COFLOW_RATE_TABLE_H
