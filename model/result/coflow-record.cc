/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-record.h"

#include "ns3/coflow-format.h"
#include "ns3/coflow-least-time.h"
#include "ns3/coflow-text.h"

#include <limits>

namespace coflow
{

namespace
{

/// Appends fields to a line of CSV; none of ours needs quotes.
class CsvLine
{
  public:
    explicit CsvLine(std::string& out)
        : m_out(out)
    {
    }

    ~CsvLine()
    {
        m_out.back() = '\n';
    }

    CsvLine(const CsvLine&) = delete;
    CsvLine& operator=(const CsvLine&) = delete;

    CsvLine& Add(const std::string& field)
    {
        m_out += field;
        m_out += ',';
        return *this;
    }

    template <typename Integer>
    CsvLine& AddInteger(Integer value)
    {
        return Add(std::to_string(value));
    }

    CsvLine& AddSeconds(Nanoseconds time, bool known = true)
    {
        return Add(known ? FormatSeconds(time) : "");
    }

  private:
    std::string& m_out;
};

} // namespace

double
CoflowRecord::MinCctSeconds() const
{
    return minCct == NEVER ? std::numeric_limits<double>::infinity()
                           : static_cast<double>(minCct) * 1e-9;
}

std::optional<double>
CoflowRecord::Slowdown() const
{
    if (!IsFinished() || minCct == 0)
    {
        return std::nullopt;
    }
    return CctSeconds() / MinCctSeconds();
}

std::optional<double>
CoflowRecord::UnloadedSlowdown() const
{
    if (!IsFinished() || unloadedCct.value_or(0) == 0)
    {
        return std::nullopt;
    }
    return static_cast<double>(Cct()) / static_cast<double>(*unloadedCct);
}

std::optional<bool>
CoflowRecord::MetDeadline(double tolerance) const
{
    if (!deadline)
    {
        return std::nullopt;
    }
    const auto late = static_cast<double>(*deadline) * tolerance;
    return IsFinished() && Cct() - *deadline <= static_cast<Nanoseconds>(late);
}

std::vector<CoflowRecord>
MakeCoflowRecords(const Workload& workload, const PortRates& rates, const BinLimits& limits)
{
    std::vector<CoflowRecord> records;
    records.reserve(workload.coflows.size());
    for (const auto& coflow : workload.coflows)
    {
        auto& record = records.emplace_back();
        record.id = coflow.id;
        record.arrival = coflow.arrival;
        record.minCct = LeastCct(coflow, rates);
        record.shape = ComputeStatistics(coflow, limits);
        record.deadline = coflow.deadline;
        for (const auto& flow : coflow.flows)
        {
            record.fabricBytes += flow.IsLocal() ? 0 : flow.bytes;
        }
    }
    return records;
}

std::string
ToCsv(const std::vector<CoflowRecord>& records)
{
    std::string out = "coflow_id,arrival_s,finish_s,cct_s,min_cct_s,slowdown,unloaded_cct_s,"
                      "unloaded_slowdown,bytes,flows,senders,receivers,length_bytes,bin,deadline_s,"
                      "admitted,met_deadline,bypassed\n";
    for (const auto& record : records)
    {
        const auto slowdown = record.Slowdown();
        const auto unloaded = record.UnloadedSlowdown();
        const auto met = record.MetDeadline();
        CsvLine(out)
            .AddInteger(record.id)
            .AddSeconds(record.arrival)
            .AddSeconds(record.finish, record.IsFinished())
            .AddSeconds(record.Cct(), record.IsFinished())
            .Add(record.minCct == NEVER ? "inf" : FormatSeconds(record.minCct))
            .Add(slowdown ? FormatNumber(*slowdown) : "")
            .AddSeconds(record.unloadedCct.value_or(0),
                        record.unloadedCct && *record.unloadedCct != NEVER)
            .Add(unloaded ? FormatNumber(*unloaded) : "")
            .AddInteger(record.shape.size)
            .AddInteger(record.shape.width)
            .AddInteger(record.shape.senders)
            .AddInteger(record.shape.receivers)
            .AddInteger(record.shape.length)
            .Add(std::string(BinName(record.shape.bin)))
            .AddSeconds(record.deadline.value_or(0), record.deadline.has_value())
            .AddInteger(int{record.admitted})
            .Add(met ? std::to_string(int{*met}) : "")
            .AddInteger(int{record.bypassed});
    }
    return out;
}

std::string
ToCsv(const std::vector<FlowRecord>& records)
{
    std::string out = "coflow_id,flow_id,src,dst,bytes,start_s,finish_s,fct_s,retransmits\n";
    for (const auto& record : records)
    {
        const bool started = record.start != NEVER;
        const bool finished = record.finish != NEVER;
        CsvLine(out)
            .AddInteger(record.coflow)
            .AddInteger(record.flow.id)
            .AddInteger(record.flow.src)
            .AddInteger(record.flow.dst)
            .AddInteger(record.flow.bytes)
            .AddSeconds(record.start, started)
            .AddSeconds(record.finish, finished)
            .AddSeconds(record.finish - record.start, started && finished)
            .AddInteger(record.retransmits);
    }
    return out;
}

} // namespace coflow
