/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LEDGER_FIXTURE_H
#define LEDGER_FIXTURE_H

#include "ns3/coflow-ledger.h"
#include "ns3/coflow-policy-registry.h"

#include <string>

/// @file
/// What tests of CoflowLedger share. Ports of RATE bytes per second.

namespace coflow
{

inline constexpr Nanoseconds SECOND = 1'000'000'000;
inline constexpr Bytes MB = 1'000'000;
inline constexpr double RATE = 1e6;

using Estimate = CoflowLedger::Estimate;

inline CoflowLedger
Clairvoyant(Estimate estimate = Estimate::INTEGRATED)
{
    return CoflowLedger(Knowledge::CLAIRVOYANT, estimate);
}

/// Puts and gets a flow.
inline void
Tell(CoflowLedger& ledger, CoflowId id, FlowId flow, HostId src, HostId dst, Bytes bytes)
{
    ledger.Put(id, flow, src, bytes);
    ledger.Get(id, flow, dst);
}

/// Rate in force of a flow; -1 where it is not in the table.
inline double
RateOf(CoflowLedger& ledger, CoflowId id, FlowId flow)
{
    const auto& table = ledger.Table();
    for (const auto& row : table.Rows())
    {
        for (auto f = row.begin; f < row.end; ++f)
        {
            if (row.id == id && table.FlowIds()[f] == flow)
            {
                return table.Rates()[f];
            }
        }
    }
    return -1;
}

/// Bytes that the ledger thinks are left of a flow; -1 where it is not in the table.
inline double
LeftOf(CoflowLedger& ledger, CoflowId id, FlowId flow)
{
    const auto& table = ledger.Table();
    for (const auto& row : table.Rows())
    {
        for (auto f = row.begin; f < row.end; ++f)
        {
            if (row.id == id && table.FlowIds()[f] == flow)
            {
                return table.Remaining()[f];
            }
        }
    }
    return -1;
}

inline Nanoseconds
Schedule(CoflowLedger& ledger, const std::string& policy, Nanoseconds now, HostId hosts = 4)
{
    const auto made = MakePolicy(policy);
    return ledger.Schedule(*made, now, PortRates::Uniform(hosts, RATE));
}

} // namespace coflow

#endif // LEDGER_FIXTURE_H
