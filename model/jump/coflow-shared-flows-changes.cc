/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// What becomes of a measurement: flows that come, end, or may send no longer.

#include "ns3/coflow-shared-flows.h"
#include "ns3/coflow-sink-connection.h"
#include "ns3/coflow-source-connection.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

namespace ns3::coflow
{

namespace
{

/// A measurement that is doubtful is used for so many times its length.
constexpr int64_t DOUBTFUL = 10;

} // namespace

bool
SharedFlows::Admit(EvenFlow& flow)
{
    // A host that orders what it sends gives the others of a queue's first coflow less for it, and
    // no other coflow.
    const bool yields = !flow.group || m_groups.IsFirst(*flow.group);
    double rate = std::numeric_limits<double>::max();
    for (uint32_t i = 0; i < flow.data.n; ++i)
    {
        const Port& port = m_ports[flow.data.ports[i]];
        const double part =
            i > 0 || yields ? port.load / static_cast<double>(port.flows.size() + 1) : 0;
        rate = std::min(rate, std::max(port.limit - port.load, part));
    }
    if (flow.cap > 0)
    {
        rate = std::min(rate, static_cast<double>(flow.cap));
    }
    rate = std::floor(rate);
    if (rate < 1 && !flow.group)
    {
        return false;
    }
    rate = std::max(rate, 0.0);
    for (uint32_t i = 0; i < flow.data.n; ++i)
    {
        Port& port = m_ports[flow.data.ports[i]];
        port.load += rate;
        port.flows.push_back(&flow);
        if (port.load > port.limit)
        {
            m_overfull.insert(flow.data.ports[i]);
        }
    }
    m_changed += rate;
    m_setRate(flow, static_cast<uint64_t>(rate));
    return true;
}

void
SharedFlows::FitPorts()
{
    // A decision opens hundreds of receivers at once: each port is looked at once.
    for (const LinkPort number : std::exchange(m_overfull, {}))
    {
        const Port& port = m_ports[number];
        if (port.load > port.limit)
        {
            Shrink(number, (port.load - port.limit) / port.load);
        }
    }
}

void
SharedFlows::Shrink(LinkPort port, double part)
{
    for (EvenFlow* flow : m_ports[port].flows)
    {
        const auto rate = static_cast<double>(flow->bitsPerSecond);
        const double less = std::min(std::ceil(rate * part), std::max(rate - 1, 0.0));
        for (uint32_t i = 0; i < flow->data.n; ++i)
        {
            m_ports[flow->data.ports[i]].load -= less;
        }
        m_setRate(*flow, static_cast<uint64_t>(rate - less));
    }
}

double
SharedFlows::GetRoom(const EvenFlow& flow) const
{
    double room = std::numeric_limits<double>::max();
    if (flow.cap > 0)
    {
        room = static_cast<double>(flow.cap) - static_cast<double>(flow.bitsPerSecond);
    }
    for (uint32_t i = 0; i < flow.data.n; ++i)
    {
        const Port& port = m_ports[flow.data.ports[i]];
        room = std::min(room, port.limit - port.load);
    }
    return std::max(0.0, room);
}

void
SharedFlows::HandOn(EvenFlow& flow)
{
    if (m_phase == Phase::SETTLING)
    {
        return;
    }
    if (m_phase != Phase::STEADY)
    {
        const auto now = static_cast<double>(flow.source->bytes);
        const auto begin = static_cast<double>(flow.atBegin);
        const double middle = m_phase == Phase::SECOND ? static_cast<double>(flow.atMiddle) : now;
        m_gone.push_back({flow.data, middle - begin, now - middle});
        return;
    }
    for (uint32_t i = 0; i < flow.data.n; ++i)
    {
        std::erase(m_ports[flow.data.ports[i]].flows, &flow);
    }
    HandOn(flow.data, static_cast<double>(flow.bitsPerSecond), flow.group);
}

void
SharedFlows::NoteOpen(EvenFlow& flow, bool open)
{
    flow.isClosed = !open;
    if (m_phase != Phase::STEADY)
    {
        ++m_joined; // it was not the same all the time
        return;
    }
    if (!flow.sink)
    {
        if (open && (!flow.group || m_groups.IsFirst(*flow.group)))
        {
            m_changed = std::numeric_limits<double>::max(); // it begins now
        }
        return;
    }
    const auto had = static_cast<double>(flow.bitsPerSecond);
    for (uint32_t i = 0; i < flow.data.n; ++i)
    {
        std::erase(m_ports[flow.data.ports[i]].flows, &flow);
    }
    m_setRate(flow, 0);
    if (open)
    {
        for (uint32_t i = 0; i < flow.data.n; ++i)
        {
            m_ports[flow.data.ports[i]].load -= had;
        }
        Admit(flow);
    }
    else
    {
        HandOn(flow.data, had, flow.group);
    }
}

void
SharedFlows::HandOn(const PortPath& path, double rate, const SendGroup* group)
{
    std::array<LinkPort, MAX_PATH_PORTS> full{};
    uint32_t nFull = 0;
    const LinkPort first = path.n > 0 ? path.ports[0] : LinkPort();
    for (uint32_t i = 0; i < path.n; ++i)
    {
        const LinkPort number = path.ports[i];
        Port& port = m_ports[number];
        if (port.load >= FULL * port.limit)
        {
            full[nFull++] = number;
        }
        port.load -= rate;
    }
    for (uint32_t i = 0; i < nFull; ++i)
    {
        if (group && full[i] == first)
        {
            ShareAtHost(first, *group, rate);
        }
        else
        {
            ShareOut(m_ports[full[i]].flows, rate);
        }
    }
}

void
SharedFlows::ShareAtHost(LinkPort port, const SendGroup& group, double most)
{
    constexpr double LITTLE = 0.01;
    double left = ShareOut(group.flows, most);
    if (left <= LITTLE * most)
    {
        return;
    }
    const double before = m_changed;
    const auto hasNotBegun = [](const EvenFlow* flow) { return !flow->sink; };
    for (auto* next = m_groups.GetNext(group); next && left > LITTLE * most;
         next = m_groups.GetNext(*next))
    {
        left = ShareOut(next->flows, left);
        if (std::ranges::any_of(next->flows, hasNotBegun))
        {
            // They begin now. The host would be idle where nothing but these is left.
            m_changed = std::numeric_limits<double>::max();
        }
    }
    ShareOut(m_ports[port].flows, left);
    // Another coflow may take receivers' ports from others, too: what it gets counts twice.
    m_changed = std::min(2 * m_changed - before, std::numeric_limits<double>::max());
}

void
SharedFlows::Doubt(int64_t worldNow)
{
    m_until = std::min(m_until, worldNow + DOUBTFUL * m_length);
}

double
SharedFlows::ShareOut(const std::vector<EvenFlow*>& flows, double most)
{
    constexpr int ROUNDS = 3; // what some have no room for is for others
    constexpr double LITTLE = 1e-3;
    const auto takes = [this](const EvenFlow& flow) {
        return flow.ending == 0 && !flow.isClosed && flow.measurement == m_number &&
               GetRoom(flow) > 0;
    };
    double left = most;
    for (int round = 0; round < ROUNDS && left > LITTLE * most; ++round)
    {
        double present = 0;
        double n = 0;
        for (const EvenFlow* flow : flows)
        {
            const bool may = takes(*flow);
            present += may ? static_cast<double>(flow->bitsPerSecond) : 0;
            n += may ? 1 : 0;
        }
        if (n == 0)
        {
            break;
        }
        const double factor = left / present;
        const double even = left / n;
        for (EvenFlow* flow : flows)
        {
            const auto rate = static_cast<double>(flow->bitsPerSecond);
            const double part = present > 0 ? rate * factor : even;
            const double more = takes(*flow) ? std::floor(std::min(GetRoom(*flow), part)) : 0;
            if (more < 1)
            {
                continue;
            }
            for (uint32_t i = 0; i < flow->data.n; ++i)
            {
                m_ports[flow->data.ports[i]].load += more;
            }
            left -= more;
            m_changed += more;
            m_setRate(*flow, flow->bitsPerSecond + static_cast<uint64_t>(more));
        }
    }
    return std::max(left, 0.0);
}

bool
SharedFlows::IsOutdated(int64_t now, int64_t worldNow)
{
    if (m_phase != Phase::STEADY)
    {
        return false;
    }
    FitPorts();
    if (m_changed > m_settings.tolerance * m_all)
    {
        ++m_drifts;
        Forget(now);
        return true;
    }
    if (worldNow >= m_until)
    {
        // Nothing has changed: there is nothing to settle, and the length is what was needed.
        m_phase = Phase::SETTLING;
        m_next = now;
        return true;
    }
    return false;
}

} // namespace ns3::coflow
