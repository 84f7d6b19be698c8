/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-record.h"

#include "ns3/coflow-least-time.h"

#include <limits>

namespace coflow
{

namespace
{

using CoflowRef = const CoflowRecord&;
using FlowRef = const FlowRecord&;

const std::vector<Column<CoflowRecord>> COFLOW_COLUMNS{
    {"coflow_id", "", "the coflow's number in the workload", [](CoflowRef r) { return r.id; }},
    {"arrival_s",
     "s",
     "when it became ready: its arrival in the workload, or the `finish_s` of its last parent if "
     "that is later",
     [](CoflowRef r) { return ColumnTime::Known(r.arrival); }},
    {"finish_s",
     "s",
     "when its last byte was delivered to the receiving application; empty: not finished",
     [](CoflowRef r) { return ColumnTime::Known(r.finish); }},
    {"cct_s",
     "s",
     "coflow completion time: `finish_s` - `arrival_s`. In the packet engine it includes the time "
     "until the application hears that a parent has finished",
     [](CoflowRef r) { return r.IsFinished() ? ColumnTime::Known(r.Cct()) : ColumnTime(); }},
    {"min_cct_s",
     "s",
     "Gamma: the time that its most loaded port needs at link rate, in an empty fabric; `inf`: it "
     "cannot finish",
     [](CoflowRef r) { return ColumnTime{r.minCct}; }},
    {"slowdown", "", "`cct_s` over `min_cct_s`", [](CoflowRef r) { return r.Slowdown(); }},
    {"unloaded_cct_s",
     "s",
     "the time that it needs alone in the network if its flows share no link inside the fabric, in "
     "the packet engine; empty in the fluid engine and on a script's own nodes",
     [](CoflowRef r) { return ColumnTime::Known(r.unloadedCct.value_or(NEVER)); }},
    {"unloaded_slowdown",
     "",
     "`cct_s` over `unloaded_cct_s`",
     [](CoflowRef r) { return r.UnloadedSlowdown(); }},
    {"bytes", "bytes", "sum of all flows", [](CoflowRef r) { return r.shape.size; }},
    {"flows", "", "number of flows", [](CoflowRef r) { return Bytes(r.shape.width); }},
    {"senders",
     "",
     "number of hosts that send",
     [](CoflowRef r) { return Bytes(r.shape.senders); }},
    {"receivers",
     "",
     "number of hosts that receive",
     [](CoflowRef r) { return Bytes(r.shape.receivers); }},
    {"length_bytes", "bytes", "largest flow", [](CoflowRef r) { return r.shape.length; }},
    {"bin",
     "",
     "`SN`, `LN`, `SW` or `LW`: short (S) if the largest flow is below `--shortBytes`, narrow (N) "
     "with at most 50 flows",
     [](CoflowRef r) { return r.shape.bin; }},
    {"deadline_s",
     "s",
     "deadline after the arrival; empty: none",
     [](CoflowRef r) { return ColumnTime{r.deadline}; }},
    {"admitted",
     "",
     "1, or 0 if the scheduler rejected it",
     [](CoflowRef r) { return r.admitted; }},
    {"met_deadline",
     "",
     "1 or 0; empty: it has no deadline",
     [](CoflowRef r) { return r.MetDeadline(); }},
    {"bypassed",
     "",
     "1 if it did not wait for the scheduler: it was too small, or the coordinator was silent",
     [](CoflowRef r) { return r.bypassed; }},
};

const std::vector<Column<FlowRecord>> FLOW_COLUMNS{
    {"coflow_id", "", "the coflow's number in the workload", [](FlowRef r) { return r.coflow; }},
    {"flow_id", "", "the flow's number in the coflow", [](FlowRef r) { return r.flow.id; }},
    {"src", "", "sending host", [](FlowRef r) { return r.flow.src; }},
    {"dst", "", "receiving host", [](FlowRef r) { return r.flow.dst; }},
    {"bytes", "bytes", "size", [](FlowRef r) { return r.flow.bytes; }},
    {"start_s",
     "s",
     "when the flow was started; empty: never",
     [](FlowRef r) { return ColumnTime::Known(r.start); }},
    {"finish_s",
     "s",
     "when its last byte was delivered; empty: not finished",
     [](FlowRef r) { return ColumnTime::Known(r.finish); }},
    {"fct_s",
     "s",
     "flow completion time: `finish_s` - `start_s`",
     [](FlowRef r) {
         const bool known = r.start != NEVER && r.finish != NEVER;
         return known ? ColumnTime::Known(r.finish - r.start) : ColumnTime();
     }},
    {"retransmits",
     "",
     "segments that TCP sent again; only in the packet engine",
     [](FlowRef r) { return r.retransmits; }},
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
        record.attributes = coflow.attributes;
        for (const auto& flow : coflow.flows)
        {
            record.fabricBytes += flow.IsLocal() ? 0 : flow.bytes;
        }
    }
    return records;
}

const std::vector<Column<CoflowRecord>>&
CoflowColumns()
{
    return COFLOW_COLUMNS;
}

const std::vector<Column<FlowRecord>>&
FlowColumns()
{
    return FLOW_COLUMNS;
}

std::string
ToCsv(const std::vector<CoflowRecord>& records)
{
    return ToCsv(COFLOW_COLUMNS, records);
}

std::string
ToCsv(const std::vector<FlowRecord>& records)
{
    return ToCsv(FLOW_COLUMNS, records);
}

} // namespace coflow
