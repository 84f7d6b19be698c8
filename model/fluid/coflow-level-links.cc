/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-level-links.h"

namespace coflow
{

void
LevelLinks::ChangeWeight(std::uint32_t link, double change)
{
    Link& l = m_links[link];
    const bool isNew = l.weight == 0;
    l.weight += change;
    for (int end = 0; end < 2; ++end)
    {
        auto& neighbours = m_neighbours[l.node[end]];
        if (isNew)
        {
            l.place[end] = static_cast<std::uint32_t>(neighbours.size());
            neighbours.push_back({l.node[1 - end], link, 0.0});
        }
        neighbours[l.place[end]].weight = l.weight;
        if (l.weight == 0)
        {
            // A node is the same end of all its links (LevelRule::AddLink()). So the last link of
            // its list has the node at the same end.
            const Neighbour last = neighbours.back();
            neighbours[l.place[end]] = last;
            neighbours.pop_back();
            m_links[last.link].place[end] = l.place[end];
        }
    }
}

} // namespace coflow
