/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-wss.h"

#include "ns3/coflow-policy-registry.h"

namespace coflow
{

namespace
{

const auto REGISTRATION =
    RegisterPolicy<Wss>("wss",
                        "weighted shuffle scheduling: max-min with flow sizes as weights",
                        {});

} // namespace

Decision
Wss::Allocate(const ClairvoyantView& view, const PortRates& capacity, std::span<double> rates)
{
    m_budget.Reset(capacity);
    view.ForEachFlow([&](std::uint32_t f) {
        m_filler.Add(f, view.src[f], view.dst[f], static_cast<double>(view.bytes[f]), m_budget);
    });
    m_filler.Fill(m_budget, rates);
    return {};
}

} // namespace coflow
