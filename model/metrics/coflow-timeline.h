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

/// Writes a part of a run as trace events of Chrome and Perfetto, for ui.perfetto.dev and
/// chrome://tracing:
///
/// - a track per coflow: when it waits, runs or bypasses the scheduler;
/// - two groups of tracks per host, for sent and received bytes, with a track per coflow: times,
///   bytes and rates of its transfers;
/// - a track per host of control messages, with an arrow from sender to receiver;
/// - counters of the network: queues, uplinks in use, packets marked and dropped.
///
/// Bytes are bytes that have arrived at receiving applications, sampled once per step. A step is a
/// thousandth of the window. The timeline has no details within a step, and does not show pauses of
/// up to five steps. A run is the same with and without a timeline.
class Timeline
{
  public:
    /// The part of a run that is shown.
    struct Window
    {
        Time begin{};                      ///< begin of the window, >= 0
        Time end{ns3::Seconds(1)};         ///< end of the window, after begin
        static constexpr int STEPS = 1000; ///< samples in the window
        static constexpr int PAUSE = 5;    ///< samples without bytes that are not shown as a pause
    };

    /// Starts the timeline; to be created before the run.
    /// @param tracker tracker of the run, after Expect()
    /// @param sinks sinks of all hosts, by host
    /// @param window the part of the run
    Timeline(Ptr<const CoflowTracker> tracker,
             std::vector<Ptr<const CoflowSink>> sinks,
             const Window& window);
    ~Timeline();

    Timeline(const Timeline&) = delete;
    Timeline& operator=(const Timeline&) = delete;

    /// Adds tracks of messages.
    /// @param control the control plane
    void FollowControl(Ptr<ControlPlane> control);

    /// Adds counters of the network.
    /// @param fabric the network
    void FollowNetwork(Ptr<const Fabric> fabric);

    /// @return number of simulator events that the timeline has caused
    uint64_t GetNEvents() const
    {
        return m_nEvents;
    }

    /// Ends the timeline, and writes it as JSON; to be called once, before Simulator::Destroy().
    void Write(std::ostream& out);

  private:
    /// A group of tracks.
    enum Kind
    {
        RUNS,  ///< runs of coflows
        SENDS, ///< bytes that a host sends
        RECEIVES
    };

    using Track = std::tuple<Kind, HostId, std::size_t>; ///< kind, host, position of the coflow

    /// A time in which bytes of a coflow were sent.
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
        int64_t received{-1}; ///< time of arrival, in nanoseconds; -1: not received yet
    };

    void Sample();
    /// Counts the bytes of a coflow that have arrived.
    /// @return bytes since the last sample
    uint64_t CountArrived(std::size_t index, bool count);
    void NotifySent(HostId from, Ipv4Address to, uint16_t type, uint32_t bytes);
    void NotifyReceived(HostId at, Ipv4Address from, uint16_t type, uint32_t bytes);
    void WriteCoflows(std::ostream& out) const;
    void WriteHosts(std::ostream& out) const;
    void WriteMessages(std::ostream& out) const;

    Ptr<const CoflowTracker> m_tracker;
    Window m_window;
    Ptr<ControlPlane> m_control; ///< null: no tracks of messages
    std::optional<CounterTracks> m_counters;
    DeliveredBytes m_delivered;
    std::size_t m_nFinished{0}; ///< finished coflows that need no samples any more
    int64_t m_last{-1};         ///< time of the last sample, nanoseconds
    std::map<Track, std::vector<Slice>> m_slices;
    std::vector<Message> m_messages;
    /// Positions in m_messages of messages in flight: from, to, type.
    std::map<std::tuple<HostId, HostId, uint16_t>, std::deque<std::size_t>> m_underWay;
    uint64_t m_nEvents{0};
    EventId m_next;
};

} // namespace ns3::coflow

#endif // COFLOW_TIMELINE_H
