/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_HYBRID_MESSAGES_H
#define COFLOW_HYBRID_MESSAGES_H

#include "ns3/coflow-attained-ledger.h"
#include "ns3/coflow-control-message.h"
#include "ns3/coflow-coordinated-messages.h"
#include "ns3/coflow-types.h"

#include <algorithm>
#include <cstdint>
#include <ostream>
#include <vector>

/// @file
/// The messages of hybrid schedulers, Aalo and Graviton: daemons decide, and the coordinator adds
/// up sent bytes. No message has a field for the size of a flow.
///
/// A daemon says hello with a HeartbeatMessage. The driver's daemon ends a coflow with an
/// UnregisterCoflowMessage (coflow-coordinated-messages.h).

namespace ns3::coflow
{

/// The last field of a message: the number of values in 8 bytes, and the values, all of one size.
/// @tparam List a vector, const or not
template <class List>
struct Counted
{
    List& list; ///< the values
};

template <class List>
Counted(List&) -> Counted<List>;

template <class List>
struct Wire<Counted<List>>
{
    using Value = typename List::value_type;
    using Plain = Wire<std::vector<Value>>;

    static uint32_t Size(const Counted<List>& counted)
    {
        return sizeof(uint64_t) + Plain::Size(counted.list);
    }

    static void Write(Buffer::Iterator& to, const Counted<List>& counted)
    {
        to.WriteHtonU64(counted.list.size());
        Plain::Write(to, counted.list);
    }

    static bool Read(ControlReader& from, const Counted<List>& counted)
    {
        const auto number = from.Read<uint64_t>();
        return number == from.GetLeft() / Wire<Value>::Size(Value()) &&
               Plain::Read(from, counted.list);
    }

    static void Print(std::ostream& os, const Counted<List>& counted)
    {
        Plain::Print(os, counted.list);
    }
};

/// A place in the order, in 8 bytes.
template <>
struct Wire<::coflow::CoflowOrder>
{
    static uint32_t Size(const ::coflow::CoflowOrder& value);
    static void Write(Buffer::Iterator& to, const ::coflow::CoflowOrder& value);
    static bool Read(ControlReader& from, ::coflow::CoflowOrder& value);
    static void Print(std::ostream& os, const ::coflow::CoflowOrder& value);
};

/// Driver to coordinator: requests a place in the order for a new coflow, or for a coflow that the
/// coordinator may have forgotten. 24 bytes, and 8 per parent.
struct PlaceCoflowMessage : ControlMessageOf<PlaceCoflowMessage>
{
    static constexpr uint16_t TYPE = 20;
    static constexpr const char* NAME = "PlaceCoflow";

    ::coflow::CoflowId id{0};    ///< the coflow
    ::coflow::CoflowOrder known; ///< present place; none, or provisional: the coflow is new
    std::vector<::coflow::CoflowId> parents; ///< coflows on which the coflow depends

    template <class Self, class Visitor>
    static void VisitFields(Self& self, Visitor& visit)
    {
        visit("coflow", self.id);
        visit("known", self.known);
        visit("parents", Counted{self.parents});
    }
};

/// Coordinator to driver: the place of a coflow. 16 bytes.
struct CoflowPlaceMessage : ControlMessageOf<CoflowPlaceMessage>
{
    static constexpr uint16_t TYPE = 21;
    static constexpr const char* NAME = "CoflowPlace";

    ::coflow::CoflowId id{0};    ///< the coflow
    ::coflow::CoflowOrder order; ///< place of the coflow, IsNumbered()

    template <class Self, class Visitor>
    static void VisitFields(Self& self, Visitor& visit)
    {
        visit("coflow", self.id);
        visit("order", self.order);
    }

    /// @return whether the place is allowed: neither provisional nor none
    bool IsAllowed() const
    {
        return order.IsNumbered();
    }
};

/// The bytes that a host has sent of a coflow, and its receivers. 8 bytes for the coflow, 6 for the
/// number of sent bytes, 2 for the number of receivers, and 4 per receiver.
struct LocalCoflow
{
    static constexpr uint64_t MOST_SENT = (uint64_t{1} << 48) - 1;
    static constexpr std::size_t MOST_RECEIVERS = 65535;

    ::coflow::CoflowId id{0};
    uint64_t sent{0}; ///< number of bytes that the host has sent since the start, <= MOST_SENT
    std::vector<::coflow::HostId> receivers; ///< receivers of its flows, sorted; empty: no flows

    bool operator==(const LocalCoflow&) const = default;
};

/// The number of sent bytes and the number of receivers share 8 bytes, so the record has no
/// VisitFields().
template <>
struct Wire<LocalCoflow>
{
    static uint32_t Size(const LocalCoflow& value);
    static void Write(Buffer::Iterator& to, const LocalCoflow& value);
    static bool Read(ControlReader& from, LocalCoflow& value);
    static void Print(std::ostream& os, const LocalCoflow& value);
};

/// Daemon to coordinator: coflows that have changed since the last message of this type.
struct LocalCoflowsMessage : ControlMessageOf<LocalCoflowsMessage>
{
    static constexpr uint16_t TYPE = 22;
    static constexpr const char* NAME = "LocalCoflows";

    std::vector<LocalCoflow> coflows;

    template <class Self, class Visitor>
    static void VisitFields(Self& self, Visitor& visit)
    {
        visit("coflows", self.coflows);
    }
};

/// The decision of the coordinator on a coflow, for one daemon. 9 bytes, and 4 per named receiver.
struct GlobalCoflow
{
    /// The receivers to which the coflow may send.
    enum class Receivers : uint8_t
    {
        ALL = 0,   ///< all receivers
        NAMED = 1, ///< the receivers that the record names
        NONE = 2   ///< no receiver
    };

    static constexpr uint8_t PROMOTED = 63; ///< value of `queue` for a coflow before all queues

    ::coflow::CoflowId id{0};
    uint8_t queue{0}; ///< 0 to 62, or PROMOTED
    Receivers mode{Receivers::ALL};
    std::vector<::coflow::HostId> receivers; ///< with NAMED: at least one, sorted; otherwise none

    bool operator==(const GlobalCoflow&) const = default;
};

/// Queue and mode share a byte, and the last receiver has a mark, so the record has no
/// VisitFields().
template <>
struct Wire<GlobalCoflow>
{
    static uint32_t Size(const GlobalCoflow& value);
    static void Write(Buffer::Iterator& to, const GlobalCoflow& value);
    static bool Read(ControlReader& from, GlobalCoflow& value);
    static void Print(std::ostream& os, const GlobalCoflow& value);
};

/// Coordinator to daemon: all coflows that the daemon has reported and that are not over, in the
/// order of service. 8 bytes and the coflows.
struct GlobalCoflowsMessage : ControlMessageOf<GlobalCoflowsMessage>
{
    static constexpr uint16_t TYPE = 23;
    static constexpr const char* NAME = "GlobalCoflows";

    uint64_t schedule{0}; ///< number of the decision, not less than all earlier numbers
    std::vector<GlobalCoflow> coflows;

    /// @return true: the message replaces all earlier decisions for its host
    bool Renews() const override
    {
        return true;
    }

    template <class Self, class Visitor>
    static void VisitFields(Self& self, Visitor& visit)
    {
        visit("schedule", self.schedule);
        visit("coflows", self.coflows);
    }
};

/// The sums of a coflow that a daemon needs to decide without the coordinator.
struct CoflowTotal
{
    ::coflow::CoflowId id{0};
    ::coflow::CoflowOrder order; ///< place in the order
    /// Bytes sent of the coflow, or of its DAG, without the bytes of the coflow from this host.
    uint64_t elsewhere{0};
    uint32_t width{0}; ///< number of receivers of unfinished flows, of all hosts

    bool operator==(const CoflowTotal&) const = default;

    template <class Self, class Visitor>
    static void VisitFields(Self& self, Visitor& visit)
    {
        visit("coflow", self.id);
        visit("order", self.order);
        visit("elsewhere", self.elsewhere);
        visit("width", self.width);
    }
};

/// Coordinator to daemon: sums of coflows that differ from the sums that the daemon knows.
class CoflowTotalsMessage : public ControlRecordsMessage<CoflowTotalsMessage, CoflowTotal>
{
  public:
    static constexpr uint16_t TYPE = 24;
    static constexpr const char* NAME = "CoflowTotals";
    using ControlRecordsMessage::ControlRecordsMessage;
};

/// Coordinator to daemon: new thresholds of the queues, of a policy that moves thresholds. 8 bytes,
/// and 8 per threshold.
struct QueueThresholdsMessage : ControlMessageOf<QueueThresholdsMessage>
{
    static constexpr uint16_t TYPE = 25;
    static constexpr const char* NAME = "QueueThresholds";

    uint64_t schedule{0}; ///< number of the decision, not less than all earlier numbers
    std::vector<::coflow::Bytes> thresholds; ///< thresholds of queue 0, 1, ...; ascending, >= 1

    /// @return true: the message replaces all earlier thresholds of its host
    bool Renews() const override
    {
        return true;
    }

    template <class Self, class Visitor>
    static void VisitFields(Self& self, Visitor& visit)
    {
        visit("schedule", self.schedule);
        visit("thresholds", self.thresholds);
    }

    /// @return whether the thresholds are ascending and at least 1 byte
    bool IsAllowed() const
    {
        return std::ranges::is_sorted(thresholds) &&
               (thresholds.empty() || thresholds.front() >= 1);
    }
};

} // namespace ns3::coflow

#endif // COFLOW_HYBRID_MESSAGES_H
