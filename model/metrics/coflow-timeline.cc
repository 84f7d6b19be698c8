/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-timeline.h"

#include "ns3/simulator.h"

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <set>
#include <string>

namespace ns3::coflow
{

using ::coflow::NEVER;

namespace
{

// Process numbers of the trace, which stand for groups of tracks.
constexpr uint64_t COFLOWS = 1;
constexpr uint64_t CONTROL = 2;
constexpr uint64_t NETWORK = 3;
constexpr uint64_t FIRST_HOST = 10;

/// @return a time as in trace events, in microseconds
std::string
ToMicroseconds(int64_t nanoseconds)
{
    char text[40];
    std::snprintf(text,
                  sizeof text,
                  "%" PRId64 ".%03" PRId64,
                  nanoseconds / 1000,
                  nanoseconds % 1000);
    return text;
}

/// Writes a line with the name of a group or of a track.
void
WriteName(std::ostream& out,
          const char* what,
          uint64_t process,
          uint64_t thread,
          const std::string& name)
{
    out << ",\n{\"ph\":\"M\",\"name\":\"" << what << "\",\"pid\":" << process
        << ",\"tid\":" << thread << ",\"args\":{\"name\":\"" << name << "\"}}";
}

/// Writes an event with a duration.
void
WriteSlice(std::ostream& out,
           uint64_t process,
           uint64_t thread,
           const std::string& name,
           int64_t begin,
           int64_t end,
           const std::string& arguments)
{
    out << ",\n{\"ph\":\"X\",\"name\":\"" << name << "\",\"pid\":" << process
        << ",\"tid\":" << thread << ",\"ts\":" << ToMicroseconds(begin)
        << ",\"dur\":" << ToMicroseconds(end - begin) << ",\"args\":{" << arguments << "}}";
}

/// Writes the begin or the end of an arrow.
void
WriteArrow(std::ostream& out,
           const char* end,
           std::size_t id,
           const std::string& name,
           uint64_t thread,
           int64_t time)
{
    out << ",\n{\"ph\":\"" << end << "\",\"bp\":\"e\",\"cat\":\"control\",\"id\":" << id
        << ",\"name\":\"" << name << "\",\"pid\":" << CONTROL << ",\"tid\":" << thread
        << ",\"ts\":" << ToMicroseconds(time) << "}";
}

} // namespace

Timeline::Timeline(Ptr<const CoflowTracker> tracker,
                   std::vector<Ptr<const CoflowSink>> sinks,
                   const Window& window)
    : m_tracker(std::move(tracker)),
      m_window(window),
      m_delivered(m_tracker, std::move(sinks)),
      m_next(Simulator::Schedule(window.begin, &Timeline::Sample, this))
{
}

Timeline::~Timeline()
{
    m_next.Cancel();
    if (m_control)
    {
        m_control->TraceDisconnectWithoutContext("Sent", MakeCallback(&Timeline::NotifySent, this));
        m_control->TraceDisconnectWithoutContext("Received",
                                                 MakeCallback(&Timeline::NotifyReceived, this));
    }
}

void
Timeline::FollowControl(Ptr<ControlPlane> control)
{
    m_control = control;
    control->TraceConnectWithoutContext("Sent", MakeCallback(&Timeline::NotifySent, this));
    control->TraceConnectWithoutContext("Received", MakeCallback(&Timeline::NotifyReceived, this));
}

void
Timeline::FollowNetwork(Ptr<const Fabric> fabric)
{
    m_counters.emplace(fabric);
}

void
Timeline::Sample()
{
    ++m_nEvents;
    // Bytes that arrived before the window are not shown.
    const bool count = m_last >= 0;
    uint64_t arrived = 0;
    for (const auto& finished = m_tracker->GetFinished(); m_nFinished < finished.size();
         ++m_nFinished)
    {
        arrived += CountArrived(finished[m_nFinished], count);
    }
    for (const auto index : m_tracker->GetPresent())
    {
        arrived += CountArrived(index, count);
    }
    if (m_counters)
    {
        m_counters->Take(arrived);
    }
    m_last = Simulator::Now().GetNanoSeconds();
    if (Simulator::Now() < m_window.end)
    {
        const Time step = (m_window.end - m_window.begin) / Window::STEPS;
        m_next =
            Simulator::Schedule(std::clamp(step, NanoSeconds(1), m_window.end - Simulator::Now()),
                                &Timeline::Sample,
                                this);
    }
}

uint64_t
Timeline::CountArrived(std::size_t index, bool count)
{
    uint64_t sum = 0;
    const auto now = Simulator::Now().GetNanoSeconds();
    const auto pause =
        (m_window.end - m_window.begin).GetNanoSeconds() / Window::STEPS * Window::PAUSE;
    const auto add = [&](Kind kind, HostId host, uint64_t bytes) {
        auto& slices = m_slices[{kind, host, index}];
        if (!slices.empty() && slices.back().end == now)
        {
            slices.back().bytes += bytes; // from another flow of the same coflow
        }
        else if (!slices.empty() && m_last - slices.back().end <= pause)
        {
            slices.back().end = now;
            slices.back().bytes += bytes;
        }
        else
        {
            const auto arrival = m_tracker->GetCoflowRecords()[index].arrival;
            slices.push_back({std::max(m_last, arrival), now, bytes});
        }
    };
    m_delivered.Update(index, [&](const auto& record, uint64_t, uint64_t bytes) {
        if (bytes > 0 && count)
        {
            sum += bytes;
            add(RUNS, 0, bytes);
            add(SENDS, record.flow.src, bytes);
            add(RECEIVES, record.flow.dst, bytes);
        }
    });
    return sum;
}

void
Timeline::NotifySent(HostId from, Ipv4Address to, uint16_t type, uint32_t bytes)
{
    if (Simulator::Now() < m_window.begin || Simulator::Now() > m_window.end)
    {
        return;
    }
    const Message message{from,
                          m_control->GetHost(to),
                          type,
                          bytes,
                          Simulator::Now().GetNanoSeconds()};
    m_underWay[{message.from, message.to, type}].push_back(m_messages.size());
    m_messages.push_back(message);
}

void
Timeline::NotifyReceived(HostId at, Ipv4Address from, uint16_t type, uint32_t)
{
    // Messages of a connection arrive in the order of sending.
    const auto found = m_underWay.find({m_control->GetHost(from), at, type});
    if (found != m_underWay.end() && !found->second.empty())
    {
        m_messages[found->second.front()].received = Simulator::Now().GetNanoSeconds();
        found->second.pop_front();
    }
}

void
Timeline::Write(std::ostream& out)
{
    if (m_last >= 0 && Simulator::Now() < m_window.end &&
        m_last < Simulator::Now().GetNanoSeconds())
    {
        m_next.Cancel();
        Sample();
        m_next.Cancel();
    }
    out << "{\"displayTimeUnit\":\"ms\",\"traceEvents\":[\n"
           "{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":"
        << COFLOWS << ",\"tid\":0,\"args\":{\"name\":\"coflows\"}}";
    WriteCoflows(out);
    WriteHosts(out);
    WriteMessages(out);
    if (m_counters)
    {
        WriteName(out, "process_name", NETWORK, 0, "network");
        m_counters->Write(out, NETWORK);
    }
    out << "\n]}\n";
}

void
Timeline::WriteCoflows(std::ostream& out) const
{
    const auto begin = m_window.begin.GetNanoSeconds();
    const auto end = std::min(m_window.end, Simulator::Now()).GetNanoSeconds();
    const auto& records = m_tracker->GetCoflowRecords();
    for (std::size_t index = 0; index < records.size(); ++index)
    {
        const auto& record = records[index];
        auto from = std::max(begin, record.arrival);
        const auto to = record.IsFinished() ? std::min(end, record.finish) : end;
        if (from >= to)
        {
            continue;
        }
        const auto thread = index + 1;
        WriteName(out, "thread_name", COFLOWS, thread, "coflow " + std::to_string(record.id));
        const auto series = m_slices.find({RUNS, 0, index});
        for (const auto& slice : series == m_slices.end() ? std::vector<Slice>() : series->second)
        {
            // The sample that found the coflow finished is later than its finish.
            const auto last = std::min(slice.end, to);
            if (from < slice.begin)
            {
                WriteSlice(out, COFLOWS, thread, "waiting", from, slice.begin, "");
            }
            if (slice.begin < last)
            {
                WriteSlice(out,
                           COFLOWS,
                           thread,
                           record.bypassed ? "bypassed" : "running",
                           slice.begin,
                           last,
                           "\"bytes\":" + std::to_string(slice.bytes));
            }
            from = std::max(from, last);
        }
        if (from < to)
        {
            WriteSlice(out, COFLOWS, thread, "waiting", from, to, "");
        }
    }
}

void
Timeline::WriteHosts(std::ostream& out) const
{
    uint64_t last = 0;
    const auto& records = m_tracker->GetCoflowRecords();
    for (const auto& [track, slices] : m_slices)
    {
        const auto& [kind, host, index] = track;
        if (kind == RUNS)
        {
            continue;
        }
        const uint64_t process = FIRST_HOST + 2 * uint64_t{host} + (kind == RECEIVES ? 1 : 0);
        if (process != last)
        {
            WriteName(out,
                      "process_name",
                      process,
                      0,
                      "host " + std::to_string(host) + (kind == SENDS ? " sends" : " receives"));
            last = process;
        }
        const auto name = "coflow " + std::to_string(records[index].id);
        WriteName(out, "thread_name", process, index + 1, name);
        for (const auto& slice : slices)
        {
            const double seconds = static_cast<double>(slice.end - slice.begin) * 1e-9;
            char rate[40];
            std::snprintf(rate,
                          sizeof rate,
                          "%.1f",
                          static_cast<double>(slice.bytes) * 8e-6 / seconds);
            WriteSlice(out,
                       process,
                       index + 1,
                       name,
                       slice.begin,
                       slice.end,
                       "\"bytes\":" + std::to_string(slice.bytes) + ",\"Mbit/s\":" + rate);
        }
    }
}

void
Timeline::WriteMessages(std::ostream& out) const
{
    if (!m_messages.empty())
    {
        WriteName(out, "process_name", CONTROL, 0, "control messages");
    }
    // An arrow needs a slice at each end. Slices of a track must not overlap partly, because
    // viewers show slices as nested function calls. So each slice ends at the begin of the next
    // slice.
    constexpr int64_t WIDTH = 1000; // ns
    std::map<HostId, std::set<int64_t>> times;
    for (const auto& message : m_messages)
    {
        times[message.from].insert(message.sent);
        if (message.received >= 0)
        {
            times[message.to].insert(message.received);
        }
    }
    const auto getEnd = [&times](HostId host, int64_t time) {
        const auto& all = times.at(host);
        const auto next = all.upper_bound(time);
        return next == all.end() ? time + WIDTH : std::min(time + WIDTH, *next);
    };
    std::set<HostId> hosts;
    for (std::size_t id = 0; id < m_messages.size(); ++id)
    {
        const auto& message = m_messages[id];
        const std::string name = ControlMessage::GetName(message.type);
        const auto show = [&](HostId host, const char* what, int64_t time) {
            if (hosts.insert(host).second)
            {
                WriteName(out, "thread_name", CONTROL, host + 1, "host " + std::to_string(host));
            }
            WriteSlice(out,
                       CONTROL,
                       host + 1,
                       what + name,
                       time,
                       getEnd(host, time),
                       "\"bytes\":" + std::to_string(message.bytes));
        };
        show(message.from, "send ", message.sent);
        if (message.received >= 0)
        {
            show(message.to, "receive ", message.received);
            WriteArrow(out, "s", id + 1, name, message.from + 1, message.sent);
            WriteArrow(out, "f", id + 1, name, message.to + 1, message.received);
        }
    }
}

} // namespace ns3::coflow
