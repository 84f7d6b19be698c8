/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-graviton-sf.h"

#include "ns3/coflow-policy-registry.h"

#include <algorithm>

namespace coflow
{

namespace
{

const auto REGISTRATION =
    RegisterPolicy<GravitonSf>("graviton-sf",
                               "Graviton, but a coflow that waits too long goes first",
                               GravitonSf::Specs());

} // namespace

std::vector<ParameterSpec>
GravitonSf::Specs()
{
    std::vector<ParameterSpec> specs = Graviton::Specs();
    specs.push_back(
        ParameterSpec{"waitLimit",
                      Unit::SECONDS,
                      10,
                      1e-6,
                      1e6,
                      "time without progress after which a coflow goes before all queues",
                      "own choice: Graviton gives no value",
                      Scaling::WORKLOAD});
    return specs;
}

bool
GravitonSf::Promoted(const CoflowRow& row, Nanoseconds now)
{
    m_progress.resize(std::max<std::size_t>(m_progress.size(), row.index + 1));
    Progress& progress = m_progress[row.index];
    if (progress.at < 0)
    {
        progress.at = now;
    }
    // A coflow that gets only the capacity that other coflows leave starves, too.
    if (row.sent > progress.sent + std::max(1.0, LeastProgress(m_waitLimit)))
    {
        progress = {row.sent, now};
    }
    return now - progress.at >= m_waitLimit;
}

Nanoseconds
GravitonSf::PromotionTime(const CoflowRow& row) const
{
    return m_progress[row.index].at + m_waitLimit;
}

} // namespace coflow
