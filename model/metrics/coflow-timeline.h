/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_TIMELINE_H
#define COFLOW_TIMELINE_H

#include "ns3/coflow-control-plane.h"
#include "ns3/coflow-counter-tracks.h"
#include "ns3/coflow-delivered-bytes.h"
#include "ns3/coflow-sink.h"
#include "ns3/coflow-tracker.h"
#include "ns3/event-id.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <ostream>
#include <tuple>
#include <vector>

namespace ns3::coflow
{

/// Shows a part of a run as the trace events of Chrome and Perfetto, which ui.perfetto.dev and
/// chrome://tracing open:
///
/// - a track per coflow: when it waits, runs or bypasses the scheduler;
/// - two groups of tracks per host, what its port sends and what it receives, with a track per
///   coflow: when bytes of it moved, how many, and how fast;
/// - a track per host of control messages, with an arrow from sender to receiver;
/// - counters of the network: queues, uplinks in use, packets marked and dropped.
///
/// Bytes are those that arrived at receiving applications, looked at once per step: what happens
/// within a step, a thousandth of the window, is not told apart, nor is a pause of up to five
/// steps. A run is the same with and without it.
class Timeline
{
  public:
    /// What part of a run is shown.
    struct Window
    {
        Time begin{};                      ///< from then on, >= 0
        Time end{ns3::Seconds(1)};         ///< until then, after begin
        static constexpr int STEPS = 1000; ///< looks at the network in this time
        static constexpr int PAUSE = 5;    ///< looks without bytes that are no pause yet
    };

    /// Begins; to be made before the run.
    /// @param tracker of the run, which knows its workload
    /// @param sinks of all hosts, by host
    /// @param window what is shown
    Timeline(Ptr<const CoflowTracker> tracker,
             std::vector<Ptr<const CoflowSink>> sinks,
             const Window& window);
    ~Timeline();

    Timeline(const Timeline&) = delete;
    Timeline& operator=(const Timeline&) = delete;

    /// Shows messages, too.
    /// @param control whose
    void FollowControl(Ptr<ControlPlane> control);

    /// Shows counters of the network, too.
    /// @param fabric the network
    void FollowNetwork(Ptr<const Fabric> fabric);

    /// @return events of the simulator that it was
    uint64_t GetNEvents() const
    {
        return m_nEvents;
    }

    /// Ends, and writes everything as JSON; to be called once, before Simulator::Destroy().
    void Write(std::ostream& out);

  private:
    /// A group of tracks.
    enum Kind
    {
        RUNS,  ///< of coflows
        SENDS, ///< of a host's port
        RECEIVES
    };

    using Track = std::tuple<Kind, HostId, std::size_t>; ///< with the coflow's place

    /// A time in which bytes of a coflow moved.
    struct Slice
    {
        int64_t begin{0}; ///< nanoseconds
        int64_t end{0};
        uint64_t bytes{0};
    };

    struct Message
    {
        HostId from{0};
        HostId to{0};
        uint16_t type{0};
        uint32_t bytes{0};
        int64_t sent{0};
        int64_t received{-1}; ///< -1: not yet
    };

    void Sample();
    /// Sees how much of a coflow has arrived.
    /// @return bytes since the last look
    uint64_t CountArrived(std::size_t index, bool count);
    void NotifySent(HostId from, Ipv4Address to, uint16_t type, uint32_t bytes);
    void NotifyReceived(HostId at, Ipv4Address from, uint16_t type, uint32_t bytes);
    void WriteCoflows(std::ostream& out) const;
    void WriteHosts(std::ostream& out) const;
    void WriteMessages(std::ostream& out) const;

    Ptr<const CoflowTracker> m_tracker;
    Window m_window;
    Ptr<ControlPlane> m_control; ///< or none
    std::optional<CounterTracks> m_counters;
    DeliveredBytes m_delivered;
    std::size_t m_nFinished{0}; ///< coflows that need not be looked at any more
    int64_t m_last{-1};         ///< nanoseconds; of the last look
    std::map<Track, std::vector<Slice>> m_slices;
    std::vector<Message> m_messages;
    /// Places in m_messages of those under way: from, to, type.
    std::map<std::tuple<HostId, HostId, uint16_t>, std::deque<std::size_t>> m_underWay;
    uint64_t m_nEvents{0};
    EventId m_next;
};

} // namespace ns3::coflow

#endif // COFLOW_TIMELINE_H
