/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-release-order.h"

#include <unordered_map>

namespace coflow
{

ReleaseOrder::ReleaseOrder(const Workload& workload)
    : m_children(workload.coflows.size()),
      m_parents(workload.coflows.size()),
      m_rejected(workload.coflows.size())
{
    std::unordered_map<CoflowId, std::uint32_t> positions;
    for (std::uint32_t c = 0; c < workload.coflows.size(); ++c)
    {
        positions[workload.coflows[c].id] = c;
    }
    for (std::uint32_t c = 0; c < workload.coflows.size(); ++c)
    {
        for (CoflowId parent : workload.coflows[c].parents)
        {
            m_children[positions.at(parent)].push_back(c);
            ++m_parents[c];
        }
    }
}

std::vector<std::uint32_t>
ReleaseOrder::Finish(std::uint32_t index)
{
    std::vector<std::uint32_t> released;
    for (std::uint32_t child : m_children[index])
    {
        if (--m_parents[child] == 0)
        {
            released.push_back(child);
        }
    }
    return released;
}

std::vector<std::uint32_t>
ReleaseOrder::Reject(std::uint32_t index)
{
    std::vector<std::uint32_t> rejected;
    const auto add = [&](std::uint32_t parent) {
        for (std::uint32_t child : m_children[parent])
        {
            if (!m_rejected[child])
            {
                m_rejected[child] = 1;
                rejected.push_back(child);
            }
        }
    };
    add(index);
    for (std::size_t i = 0; i < rejected.size(); ++i)
    {
        add(rejected[i]);
    }
    return rejected;
}

} // namespace coflow
