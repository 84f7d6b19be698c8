/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_ATTAINED_LEDGER_H
#define COFLOW_ATTAINED_LEDGER_H

#include "ns3/coflow-view.h"

#include <compare>
#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <utility>
#include <vector>

namespace coflow
{

/// A coflow's place in the order of arrival: CoflowId = (external, internal) of Aalo (SIGCOMM
/// 2015, section 5). A coflow without parents has the next external number and the internal number
/// 0; one with parents has their external number, and an internal one above theirs. So coflows of a
/// DAG keep the place of its first one, and none comes before its parents.
///
/// A coflow that could not be numbered has a provisional place behind all others, by time.
class CoflowOrder
{
  public:
    /// No place.
    CoflowOrder() = default;

    /// @param external below 2^47
    /// @param internal below 2^16
    CoflowOrder(std::uint64_t external, std::uint64_t internal)
        : m_value(external << 16 | internal)
    {
    }

    /// A place behind all that are numbered.
    static CoflowOrder Provisional(Nanoseconds now)
    {
        return FromValue(PROVISIONAL | static_cast<std::uint64_t>(now));
    }

    /// @param value as of Value()
    static CoflowOrder FromValue(std::uint64_t value)
    {
        CoflowOrder order;
        order.m_value = value;
        return order;
    }

    /// The order as one number, by which orders compare.
    std::uint64_t Value() const
    {
        return m_value;
    }

    /// Whether it is the place of a coflow that could not be numbered, or none.
    bool IsNumbered() const
    {
        return m_value != 0 && (m_value & PROVISIONAL) == 0;
    }

    /// Number of the DAG.
    std::uint64_t External() const
    {
        return m_value >> 16;
    }

    /// Number in the DAG.
    std::uint64_t Internal() const
    {
        return m_value & 0xffff;
    }

    auto operator<=>(const CoflowOrder&) const = default;

  private:
    static constexpr std::uint64_t PROVISIONAL = std::uint64_t{1} << 63;
    std::uint64_t m_value{0};
};

/// The coflows that a coordinator of least attained service knows from messages: their order, the
/// bytes that every host has sent of each, and the receivers to which the host still sends. Bytes
/// that a host has reported stay counted when the host has no more flows of the coflow.
class AttainedLedger
{
  public:
    /// @param dagLevelSize whether what a coflow has sent includes what all coflows of its DAG have
    /// @param firstExternal number before the next coflow's
    AttainedLedger(bool dagLevelSize, std::uint64_t firstExternal);

    /// A coflow registers.
    /// @param id the coflow
    /// @param parents those that it depends on; unknown ones do not count
    /// @param known place that it was given before, by a coordinator that has forgotten it
    /// @param now the time
    /// @returns its place
    CoflowOrder Register(CoflowId id,
                         std::span<const CoflowId> parents,
                         CoflowOrder known,
                         Nanoseconds now);

    /// A host reports a coflow. A coflow that never registered gets a provisional place. A coflow
    /// that is over is ignored.
    /// @param host the host
    /// @param id the coflow
    /// @param sent bytes that the host has sent of it; less than in its last report: no change
    /// @param receivers hosts to which it still has flows, sorted
    /// @param now the time
    void Report(HostId host,
                CoflowId id,
                std::uint64_t sent,
                std::vector<HostId> receivers,
                Nanoseconds now);

    /// A coflow is over.
    void Close(CoflowId id);

    /// A host is gone: nothing is known of where it sends. What it has sent stays.
    void DropHost(HostId host);

    /// Bytes sent of a coflow, or of its DAG.
    std::uint64_t SentOf(CoflowId id) const;

    /// Bytes that one host has reported to have sent of a coflow.
    std::uint64_t SentBy(HostId host, CoflowId id) const;

    /// Place of a coflow; none where it is not known.
    CoflowOrder OrderOf(CoflowId id) const;

    /// The coflows that have flows, in the order of their places; every sender and receiver of a
    /// coflow count as one flow. What they have sent is up to date with every call.
    /// @returns valid until the next call of anything but SentOf(), SentBy() and OrderOf()
    AttainedView View(Nanoseconds now);

    /// Grows whenever the view has other coflows or flows than before.
    std::uint64_t Revision() const
    {
        return m_revision;
    }

  private:
    /// The last report of a host on a coflow.
    struct Part
    {
        std::uint64_t sent{0};         ///< bytes
        std::vector<HostId> receivers; ///< to which it has flows
    };

    struct Entry
    {
        CoflowOrder order;            ///< its place
        std::uint32_t index{0};       ///< small number for policies
        std::uint32_t revision{0};    ///< how often it had other flows
        Nanoseconds known{0};         ///< when it was first heard of
        std::uint64_t sent{0};        ///< by all hosts
        std::map<HostId, Part> parts; ///< by sender
        std::size_t flows{0};         ///< pairs of sender and receiver
        bool closed{false};           ///< it is over
    };

    Entry& Know(CoflowId id, CoflowOrder order, Nanoseconds now);
    /// Makes the arrays of the view anew.
    void Build();
    std::uint64_t SentOf(const Entry& entry) const;
    /// Notes that an entry has other flows.
    void Touch(Entry& entry);

    bool m_dagLevelSize;
    std::uint64_t m_lastExternal; ///< number of the last coflow
    std::uint32_t m_nextIndex{0};
    std::map<CoflowId, Entry> m_entries;
    std::set<std::pair<CoflowOrder, CoflowId>> m_active; ///< those that have flows
    std::map<std::uint64_t, std::uint64_t> m_dagSent;    ///< by external number
    std::uint64_t m_revision{1};
    std::uint64_t m_built{0}; ///< revision of the arrays
    std::vector<CoflowRow> m_rows;
    std::vector<HostId> m_src;
    std::vector<HostId> m_dst;
    std::vector<FlowId> m_flow;
};

} // namespace coflow

#endif // COFLOW_ATTAINED_LEDGER_H
