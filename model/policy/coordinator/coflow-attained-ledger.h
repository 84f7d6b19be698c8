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

/// The position of a coflow in the order of arrival: CoflowId = (external, internal) of Aalo
/// (SIGCOMM 2015, section 5). A coflow without parents has the next external number and the
/// internal number 0. A coflow with parents has their external number and the next internal number
/// of this DAG. So coflows of a DAG keep the position of its first coflow, a coflow does not
/// precede its parents, and of two siblings the one that came first goes first. The paper gives
/// siblings the same number. All coflows of a DAG beyond the 65,535th have the last internal
/// number.
///
/// A coflow without a number has a provisional position after all others, by time.
class CoflowOrder
{
  public:
    /// Largest internal number.
    static constexpr std::uint64_t MOST_INTERNAL = 0xffff;

    /// No position.
    CoflowOrder() = default;

    /// @param external below 2^47
    /// @param internal at most MOST_INTERNAL
    CoflowOrder(std::uint64_t external, std::uint64_t internal)
        : m_value(external << 16 | internal)
    {
    }

    /// A position after all numbered coflows.
    static CoflowOrder Provisional(Nanoseconds now)
    {
        return FromValue(PROVISIONAL | static_cast<std::uint64_t>(now));
    }

    /// @param value return value of Value()
    static CoflowOrder FromValue(std::uint64_t value)
    {
        CoflowOrder order;
        order.m_value = value;
        return order;
    }

    /// The position as one number, for comparisons.
    std::uint64_t Value() const
    {
        return m_value;
    }

    /// Whether this position has numbers: it is neither provisional nor none.
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
        return m_value & MOST_INTERNAL;
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
    /// @param dagLevelSize whether the bytes of a coflow include the bytes of all coflows of its
    ///        DAG
    /// @param firstExternal last external number that is in use; 0: none
    AttainedLedger(bool dagLevelSize, std::uint64_t firstExternal);

    /// A coflow registers.
    /// @param id the coflow
    /// @param parents the coflow's parents; unknown parents are ignored
    /// @param known position from an earlier life of the coordinator
    /// @param now the time
    /// @returns the coflow's position
    CoflowOrder Register(CoflowId id,
                         std::span<const CoflowId> parents,
                         CoflowOrder known,
                         Nanoseconds now);

    /// A host reports a coflow. A coflow that has not registered gets a provisional position. A
    /// report of a closed coflow is ignored.
    /// @param host the host
    /// @param id the coflow
    /// @param sent bytes of the coflow that the host has sent; a number below that of the last
    ///        report has no effect
    /// @param receivers receivers of the host's unfinished flows, sorted
    /// @param now the time
    void Report(HostId host,
                CoflowId id,
                std::uint64_t sent,
                std::vector<HostId> receivers,
                Nanoseconds now);

    /// A coflow is closed.
    void Close(CoflowId id);

    /// A host has failed: the receivers of its flows are not known any more. The bytes that the
    /// host has sent stay counted.
    void DropHost(HostId host);

    /// Bytes sent of a coflow, or of its DAG, by all hosts.
    std::uint64_t SentOf(CoflowId id) const;

    /// Bytes that one host has reported to have sent of a coflow.
    std::uint64_t SentBy(HostId host, CoflowId id) const;

    /// Position of a coflow; none if the coflow is not known.
    CoflowOrder OrderOf(CoflowId id) const;

    /// The coflows with flows, in their order. Each pair of sender and receiver of a coflow counts
    /// as one flow. The sent bytes are up to date after each call.
    /// @returns the view, valid until the next call of a method other than SentOf(), SentBy() and
    ///          OrderOf()
    AttainedView View(Nanoseconds now);

    /// A number that grows when coflows or flows of the view change.
    std::uint64_t Revision() const
    {
        return m_revision;
    }

  private:
    /// The last report of a host on a coflow.
    struct Part
    {
        std::uint64_t sent{0};         ///< bytes
        std::vector<HostId> receivers; ///< receivers of its flows
    };

    /// A DAG.
    struct Dag
    {
        std::uint64_t sent{0};     ///< bytes sent of all its coflows
        std::uint64_t internal{0}; ///< last internal number
    };

    struct Entry
    {
        CoflowOrder order;            ///< its position
        std::uint32_t index{0};       ///< number for policies
        std::uint32_t revision{0};    ///< number of changes of its flows
        Nanoseconds known{0};         ///< time of the first message about it
        std::uint64_t sent{0};        ///< bytes of all hosts
        std::map<HostId, Part> parts; ///< last reports, by sender
        std::size_t flows{0};         ///< pairs of sender and receiver
        bool closed{false};           ///< the coflow is closed
    };

    Entry& Know(CoflowId id, CoflowOrder order, Nanoseconds now);
    /// Builds the arrays of the view again.
    void Build();
    std::uint64_t SentOf(const Entry& entry) const;
    /// Marks that flows of an entry have changed.
    void Touch(Entry& entry);

    bool m_dagLevelSize;
    std::uint64_t m_lastExternal; ///< number of the last coflow
    std::uint32_t m_nextIndex{0};
    std::map<CoflowId, Entry> m_entries;
    std::set<std::pair<CoflowOrder, CoflowId>> m_active; ///< coflows with flows
    std::map<std::uint64_t, Dag> m_dags;                 ///< DAGs by external number
    std::uint64_t m_revision{1};
    std::uint64_t m_built{0}; ///< revision of the arrays
    std::vector<CoflowRow> m_rows;
    std::vector<HostId> m_src;
    std::vector<HostId> m_dst;
    std::vector<FlowId> m_flow;
};

} // namespace coflow

#endif // COFLOW_ATTAINED_LEDGER_H
