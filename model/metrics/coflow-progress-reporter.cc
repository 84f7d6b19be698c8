/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-progress-reporter.h"

#include "ns3/simulator.h"

#include <algorithm>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace ns3::coflow
{

ProgressReporter::ProgressReporter(Ptr<const CoflowTracker> tracker,
                                   std::vector<Ptr<const CoflowSink>> sinks,
                                   std::vector<double> work,
                                   Time stop,
                                   std::ostream& out,
                                   bool rewriteLine)
    : m_tracker(tracker),
      m_delivered(tracker, std::move(sinks), &CoflowSink::GetCreditedBytes),
      m_work(std::move(work)),
      m_stop(stop),
      m_line(out, rewriteLine),
      m_heartbeat([this] { Look(); })
{
}

void
ProgressReporter::SetForecast(::coflow::DecisionForecast forecast,
                              std::function<bool()> isOpen,
                              bool count)
{
    m_forecast = std::move(forecast);
    m_isOpen = std::move(isOpen);
    m_counts = count;
}

uint64_t
ProgressReporter::GetNEvents() const
{
    return m_heartbeat.GetNEvents();
}

double
ProgressReporter::GetDoneShare()
{
    const auto& records = m_tracker->GetFlowRecords();
    const auto add = [&](const auto& record, uint64_t /*delivered*/, uint64_t sinceLast) {
        const auto place = static_cast<std::size_t>(&record - records.data());
        m_done +=
            m_work[place] * static_cast<double>(sinceLast) / static_cast<double>(record.flow.bytes);
    };
    const auto& finished = m_tracker->GetFinished();
    for (; m_nFinished < finished.size(); ++m_nFinished)
    {
        m_delivered.Look(finished[m_nFinished], add);
    }
    for (const auto index : m_tracker->GetPresent())
    {
        m_delivered.Look(index, add);
    }
    // Which coflows are refused is known only as the run goes on.
    double all = 0;
    for (std::size_t index = 0; index < m_tracker->GetCoflowRecords().size(); ++index)
    {
        if (m_tracker->IsDropped(index))
        {
            continue;
        }
        for (const auto& record : m_tracker->GetFlowRecords(index))
        {
            all += m_work[static_cast<std::size_t>(&record - records.data())];
        }
    }
    const double done = all > 0 ? m_done / all : 1;
    const double stopped = Simulator::Now().GetSeconds() / m_stop.GetSeconds();
    return std::clamp(std::max(done, stopped), 0.0, 1.0);
}

double
ProgressReporter::GetPaidShare()
{
    // Hops are what a run costs without jumps. Where jumps need measurements, these come the more
    // often, the more flows there are, and so do hops.
    if (!m_forecast || m_isOpen())
    {
        return GetDoneShare();
    }
    const double stopped = Simulator::Now().GetSeconds() / m_stop.GetSeconds();
    return std::max(GetForetoldShare(), stopped);
}

void
ProgressReporter::CountDecisions()
{
    struct Change
    {
        ::coflow::Nanoseconds time;
        double flows;
        bool decides;
    };

    const auto now = static_cast<::coflow::Nanoseconds>(Simulator::Now().GetNanoSeconds());
    const auto isNew = [&](::coflow::Nanoseconds time) {
        return time > m_countedTo && time <= now;
    };
    const auto& coflows = m_tracker->GetCoflowRecords();
    m_counted.resize(coflows.size());
    std::vector<Change> changes;
    for (std::size_t index = 0; index < coflows.size(); ++index)
    {
        const auto& coflow = coflows[index];
        if (m_counted[index] || m_tracker->IsDropped(index) || coflow.arrival > now)
        {
            continue;
        }
        if (coflow.IsFinished())
        {
            m_counted[index] = true;
            changes.push_back({coflow.finish, 0, true});
        }
        double flows = 0;
        for (const auto& record : m_tracker->GetFlowRecords(index))
        {
            if (record.flow.IsLocal() || record.flow.bytes == 0)
            {
                continue;
            }
            ++flows;
            if (record.finish != ::coflow::NEVER && isNew(record.finish))
            {
                changes.push_back({record.finish, -1, false});
            }
        }
        if (isNew(coflow.arrival))
        {
            changes.push_back({coflow.arrival, flows, true});
        }
    }
    // The flows that end with their coflow count for it.
    std::sort(changes.begin(), changes.end(), [](const Change& a, const Change& b) {
        return std::tie(a.time, b.decides) < std::tie(b.time, a.decides);
    });
    for (const Change& change : changes)
    {
        m_nPresent += change.flows;
        m_paid += change.decides ? ::coflow::DecisionForecast::CostOf(m_nPresent) : 0;
    }
    m_countedTo = now;
}

double
ProgressReporter::GetForetoldShare()
{
    if (m_counts)
    {
        CountDecisions();
    }
    const double now = Simulator::Now().GetSeconds();
    const auto& coflows = m_tracker->GetCoflowRecords();
    const auto* firstFlow = m_tracker->GetFlowRecords().data();
    std::vector<::coflow::ForecastGroup> left;
    std::unordered_map<::coflow::HostId, std::size_t> places; // in left, of the coflow's groups
    for (uint32_t index = 0; index < coflows.size(); ++index)
    {
        if (coflows[index].IsFinished() || m_tracker->IsDropped(index))
        {
            continue;
        }
        const double from = std::max(now, static_cast<double>(coflows[index].arrival) * 1e-9);
        places.clear();
        for (const auto& record : m_tracker->GetFlowRecords(index))
        {
            const auto& flow = record.flow;
            if (flow.IsLocal() || flow.bytes == 0 || record.finish != ::coflow::NEVER)
            {
                continue;
            }
            const auto [place, isNew] = places.try_emplace(flow.dst, left.size());
            if (isNew)
            {
                left.push_back({index, flow.dst, from, 0, 0});
            }
            const auto got = m_delivered.GetLast(static_cast<std::size_t>(&record - firstFlow));
            left[place->second].bytes += static_cast<double>(flow.bytes) - static_cast<double>(got);
            ++left[place->second].flows;
        }
    }
    return m_forecast->PaidShare(Simulator::Now().GetNanoSeconds(),
                                 std::move(left),
                                 m_counts ? std::optional(m_paid) : std::nullopt);
}

void
ProgressReporter::Look()
{
    if (m_line.IsDue())
    {
        m_line.Tell({.simulatedSeconds = Simulator::Now().GetSeconds(),
                     .finished = m_tracker->GetNFinished(),
                     .coflows = m_tracker->GetCoflowRecords().size(),
                     .doneShare = GetDoneShare(),
                     .paidShare = GetPaidShare(),
                     .events = Simulator::GetEventCount()});
    }
}

} // namespace ns3::coflow
