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
/// The messages of schedulers whose daemons decide, and whose coordinator adds up: Aalo and
/// Graviton. No message has a field for the size of a flow.
///
/// A daemon says hello with a HeartbeatMessage; the driver's daemon ends a coflow with an
/// UnregisterCoflowMessage (coflow-coordinated-messages.h).

namespace ns3::coflow
{

/// A field that is a list of values of one size behind their number, in 8 bytes; nothing follows.
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

/// Driver to coordinator: a new coflow, or one that a coordinator has forgotten, wants its place
/// in the order. 24 bytes, and 8 per parent.
struct PlaceCoflowMessage : ControlMessageOf<PlaceCoflowMessage>
{
    static constexpr uint16_t TYPE = 20;
    static constexpr const char* NAME = "PlaceCoflow";

    ::coflow::CoflowId id{0};                ///< the coflow
    ::coflow::CoflowOrder known;             ///< place that it has; none, or provisional: new
    std::vector<::coflow::CoflowId> parents; ///< coflows that it depends on

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
    ::coflow::CoflowOrder order; ///< numbered

    template <class Self, class Visitor>
    static void VisitFields(Self& self, Visitor& visit)
    {
        visit("coflow", self.id);
        visit("order", self.order);
    }

    /// @return whether it is the place of a coflow that could be numbered
    bool IsAllowed() const
    {
        return order.IsNumbered();
    }
};

/// What a host has sent of a coflow. 16 bytes, and 4 per receiver: the bytes sent have six of
/// them, the number of receivers two.
struct LocalCoflow
{
    static constexpr uint64_t MOST_SENT = (uint64_t{1} << 48) - 1;
    static constexpr std::size_t MOST_RECEIVERS = 65535;

    ::coflow::CoflowId id{0};
    uint64_t sent{0};                        ///< bytes since the beginning
    std::vector<::coflow::HostId> receivers; ///< to which it has flows, sorted; none: it is through

    bool operator==(const LocalCoflow&) const = default;
};

/// Bytes sent and the number of receivers share 8 bytes, so that the record is no list of fields.
template <>
struct Wire<LocalCoflow>
{
    static uint32_t Size(const LocalCoflow& value);
    static void Write(Buffer::Iterator& to, const LocalCoflow& value);
    static bool Read(ControlReader& from, LocalCoflow& value);
    static void Print(std::ostream& os, const LocalCoflow& value);
};

/// Daemon to coordinator: coflows that have changed since the last such message.
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

/// What a daemon is to do with a coflow. 9 bytes, and 4 per receiver that is named.
struct GlobalCoflow
{
    /// Where it may send.
    enum class Receivers : uint8_t
    {
        ALL = 0,   ///< to all its receivers
        NAMED = 1, ///< to those that are named
        NONE = 2   ///< nowhere
    };

    static constexpr uint8_t PROMOTED = 63; ///< queue of what goes before all queues

    ::coflow::CoflowId id{0};
    uint8_t queue{0}; ///< 0 to 62, or PROMOTED
    Receivers mode{Receivers::ALL};
    std::vector<::coflow::HostId> receivers; ///< sorted; of NAMED, at least one

    bool operator==(const GlobalCoflow&) const = default;
};

/// Queue and mode share a byte, and the last receiver has a mark, so that the record is no list of
/// fields.
template <>
struct Wire<GlobalCoflow>
{
    static uint32_t Size(const GlobalCoflow& value);
    static void Write(Buffer::Iterator& to, const GlobalCoflow& value);
    static bool Read(ControlReader& from, GlobalCoflow& value);
    static void Print(std::ostream& os, const GlobalCoflow& value);
};

/// Coordinator to daemon: all coflows that the daemon has reported and that are not over, in order.
/// 8 bytes and the coflows.
struct GlobalCoflowsMessage : ControlMessageOf<GlobalCoflowsMessage>
{
    static constexpr uint16_t TYPE = 23;
    static constexpr const char* NAME = "GlobalCoflows";

    uint64_t schedule{0}; ///< number of the decision, larger than those of all before
    std::vector<GlobalCoflow> coflows;

    /// @return true: it is the whole truth for its host
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

/// What the daemon of a host needs to know of a coflow to go on by itself.
struct CoflowTotal
{
    ::coflow::CoflowId id{0};
    ::coflow::CoflowOrder order; ///< its place
    uint64_t elsewhere{0};       ///< bytes sent of it, or of its DAG, but by this host
    uint32_t width{0};           ///< receivers that it still has flows to

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

/// Coordinator to daemon: coflows of which the daemon's picture is out of date.
class CoflowTotalsMessage : public ControlRecordsMessage<CoflowTotalsMessage, CoflowTotal>
{
  public:
    static constexpr uint16_t TYPE = 24;
    static constexpr const char* NAME = "CoflowTotals";
    using ControlRecordsMessage::ControlRecordsMessage;
};

/// Coordinator to daemon: the thresholds of the queues from now on, of a policy that moves them. 8
/// bytes, and 8 per threshold.
struct QueueThresholdsMessage : ControlMessageOf<QueueThresholdsMessage>
{
    static constexpr uint16_t TYPE = 25;
    static constexpr const char* NAME = "QueueThresholds";

    uint64_t schedule{0}; ///< number of the decision, larger than those of all before
    std::vector<::coflow::Bytes> thresholds; ///< of queue 0, 1, ...; ascending, at least 1 byte

    /// @return true: it is the whole truth for its host
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

    /// @return whether no threshold is below the one before, or below 1 byte
    bool IsAllowed() const
    {
        return std::ranges::is_sorted(thresholds) &&
               (thresholds.empty() || thresholds.front() >= 1);
    }
};

} // namespace ns3::coflow

#endif // COFLOW_HYBRID_MESSAGES_H
