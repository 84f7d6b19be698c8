/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-shared-flows.h"

#include "ns3/coflow-sink-connection.h"
#include "ns3/coflow-source-connection.h"
#include "ns3/coflow-transport-profile.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <utility>

namespace ns3::coflow
{

namespace
{

/// A measurement is repeated with twice the time where its halves differ, up to so many times the
/// shortest one.
constexpr int64_t LONGEST = 16;
/// A measurement whose halves differ is used for so many times its length.
constexpr int64_t DOUBTFUL = 10;
/// Of a flow that has had so many segments, half of its rate is its own, and half is the mean's.
constexpr double OWN_SEGMENTS = 30;
/// A port that carries this part of what it may is full.
constexpr double FULL = 0.9;
/// TCP fills this part of a port, at least, if it can.
constexpr double FILLED = 0.96;

constexpr double BITS = 8;
constexpr double STEPS_PER_SECOND = 1e9;

} // namespace

SharedFlows::SharedFlows(const Topology& topology,
                         const Settings& settings,
                         SendGroups& groups,
                         SetRate setRate)
    : m_settings(settings),
      m_groups(groups),
      m_setRate(std::move(setRate)),
      m_ports(topology.GetNPorts())
{
    const double segment = settings.segmentBytes;
    const double onWire = segment + TransportProfile::HEADER_BYTES + TransportProfile::FRAME_BYTES;
    for (LinkPort port = 0; port < m_ports.size(); ++port)
    {
        const auto rate = static_cast<double>(topology.GetPort(port).rate.GetBitRate());
        m_ports[port].capacity = rate * segment / onWire;
    }
}

void
SharedFlows::Forget(int64_t now)
{
    m_phase = Phase::SETTLING;
    // What was too short last time is so again, mostly.
    m_length = std::max(m_length / 2, m_settings.time.GetTimeStep());
    m_next = now + m_settings.time.GetTimeStep();
}

void
SharedFlows::Begin(const std::vector<EvenFlow*>& flows, int64_t now)
{
    ++m_number;
    for (EvenFlow* flow : flows)
    {
        flow->measurement = m_number;
        flow->isLate = false;
        flow->atBegin = flow->sink->GetReceived();
    }
    m_gone.clear();
    m_joined = 0;
    m_begun = now;
    m_phase = Phase::FIRST;
    m_next = now + m_length / 2;
}

bool
SharedFlows::IsLongest() const
{
    return m_length >= LONGEST * m_settings.time.GetTimeStep();
}

bool
SharedFlows::Look(const std::vector<EvenFlow*>& flows, int64_t now, int64_t worldNow)
{
    if (m_phase != Phase::SETTLING)
    {
        std::vector<EvenFlow*> late;
        std::copy_if(flows.begin(), flows.end(), std::back_inserter(late), [this](EvenFlow* flow) {
            return flow->measurement != m_number;
        });
        if (!HaveJoin(late, flows.size()))
        {
            Forget(now);
        }
    }
    if (m_phase == Phase::STEADY || now < m_next)
    {
        return m_phase == Phase::STEADY;
    }
    switch (m_phase)
    {
    case Phase::SETTLING:
        Begin(flows, now);
        break;
    case Phase::FIRST:
        for (EvenFlow* flow : flows)
        {
            flow->atMiddle = flow->sink->GetReceived();
        }
        m_middle = now;
        m_phase = Phase::SECOND;
        m_next = now + (now - m_begun);
        break;
    case Phase::SECOND: {
        const bool isEven = IsEven(flows, now);
        if ((!isEven && !IsLongest()) || !Settle(flows, now))
        {
            ++m_uneven;
            // Chance differs less in a longer measurement.
            m_length = std::min(2 * m_length, LONGEST * m_settings.time.GetTimeStep());
            Begin(flows, now);
            break;
        }
        ++m_measured;
        m_doubtful += isEven ? 0 : 1;
        m_until = INT64_MAX;
        if (!isEven)
        {
            Doubt(worldNow);
        }
        m_phase = Phase::STEADY;
        break;
    }
    case Phase::STEADY:
        break;
    }
    return m_phase == Phase::STEADY;
}

bool
SharedFlows::HaveJoin(const std::vector<EvenFlow*>& flows, std::size_t all)
{
    m_joined += flows.size();
    if (static_cast<double>(m_joined) > m_settings.tolerance * static_cast<double>(all))
    {
        return flows.empty();
    }
    for (EvenFlow* flow : flows)
    {
        ++m_late;
        flow->measurement = m_number;
        flow->isLate = true;
        flow->atBegin = flow->atMiddle = flow->sink->GetReceived();
        if (m_phase == Phase::STEADY && !Admit(*flow))
        {
            return false;
        }
    }
    return true;
}

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
    rate = std::floor(rate);
    if (rate < 1 && !flow.group)
    {
        return false;
    }
    rate = std::max(rate, 0.0);
    for (uint32_t i = 0; i < flow.data.n; ++i)
    {
        const Port& port = m_ports[flow.data.ports[i]];
        const double over = port.load + rate - port.limit;
        if (over > 0)
        {
            Shrink(flow.data.ports[i], over / port.load);
        }
    }
    for (uint32_t i = 0; i < flow.data.n; ++i)
    {
        Port& port = m_ports[flow.data.ports[i]];
        port.load += rate;
        port.flows.push_back(&flow);
    }
    m_changed += rate;
    m_setRate(flow, static_cast<uint64_t>(rate));
    return true;
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

void
SharedFlows::ClearPorts()
{
    for (Port& port : m_ports)
    {
        port.load = port.own = port.weighed = 0;
        port.nOwn = 0;
        port.flows.clear();
    }
}

bool
SharedFlows::IsEven(const std::vector<EvenFlow*>& flows, int64_t now)
{
    // `own` has the first half here, and `load` the second.
    ClearPorts();
    const auto add = [this](const PortPath& path, double first, double second) {
        for (uint32_t i = 0; i < path.n; ++i)
        {
            m_ports[path.ports[i]].own += first;
            m_ports[path.ports[i]].load += second;
        }
    };
    for (const EvenFlow* flow : flows)
    {
        add(flow->data,
            static_cast<double>(flow->atMiddle - flow->atBegin),
            static_cast<double>(flow->sink->GetReceived() - flow->atMiddle));
    }
    for (const Gone& gone : m_gone)
    {
        add(gone.path, gone.first, gone.second);
    }
    const double firstTime = static_cast<double>(m_middle - m_begun) / BITS / STEPS_PER_SECOND;
    const double secondTime = static_cast<double>(now - m_middle) / BITS / STEPS_PER_SECOND;
    double all = 0;
    double differs = 0;
    for (const Port& port : m_ports)
    {
        const double first = port.own / firstTime;
        const double second = port.load / secondTime;
        all += std::max(first, second);
        differs += std::abs(first - second);
    }
    return differs <= m_settings.tolerance * all;
}

LinkPort
SharedFlows::FindBottleneck(const EvenFlow& flow) const
{
    const auto use = [this](LinkPort port) { return m_ports[port].load / m_ports[port].capacity; };
    return *std::max_element(flow.data.ports.begin() + (flow.group ? 1 : 0),
                             flow.data.ports.begin() + flow.data.n,
                             [&](LinkPort a, LinkPort b) { return use(a) < use(b); });
}

double
SharedFlows::Weigh(const EvenFlow& flow, double counted, double segments) const
{
    const double part = segments / (segments + OWN_SEGMENTS);
    if (flow.waits)
    {
        const SendGroup& group = *flow.group;
        return flow.isLate ? group.own / group.nOwn
                           : part * counted + (1 - part) * group.own / group.nOwn;
    }
    const Port& port = m_ports[FindBottleneck(flow)];
    if (flow.isLate)
    {
        return port.own / port.nOwn; // it was not there all the time
    }
    // Where ports are not full, something else limits a flow. That may be its timer: of a flow
    // that sends nothing for so long it is chance when it sends again.
    if (port.load < FULL * port.capacity && (counted > 0 || !IsLongest()))
    {
        return counted;
    }
    // Windows of one segment are more than a port holds, so that flows time out all the time.
    // One that has just begun has not yet, and gets more than it will.
    const bool isCrowded =
        m_settings.queueBytes > 0 &&
        uint64_t{port.nOwn} * m_settings.segmentBytes > m_settings.queueBytes;
    if (isCrowded && !flow.wasMeasured)
    {
        return port.own / port.nOwn;
    }
    return part * counted + (1 - part) * port.own / port.nOwn;
}

bool
SharedFlows::Settle(const std::vector<EvenFlow*>& flows, int64_t now)
{
    ClearPorts();
    m_groups.ClearMeasured();
    const double perByte = BITS * STEPS_PER_SECOND / static_cast<double>(now - m_begun);
    const auto counted = [perByte](const EvenFlow& flow) {
        return static_cast<double>(flow.sink->GetReceived() - flow.atBegin) * perByte;
    };
    m_all = 0;
    m_changed = 0;
    std::vector<double> gone(m_ports.size()); // what those had that have ended
    for (const Gone& flow : m_gone)
    {
        m_all += (flow.first + flow.second) * perByte;
        for (uint32_t i = 0; i < flow.path.n; ++i)
        {
            gone[flow.path.ports[i]] += (flow.first + flow.second) * perByte;
            m_ports[flow.path.ports[i]].load += (flow.first + flow.second) * perByte;
        }
    }
    for (EvenFlow* flow : flows)
    {
        m_all += counted(*flow);
        flow->waits = flow->group && flow->source->connection->IsWaitingForTurn() &&
                      flow->source->connection->IsOpenAtNic();
        for (uint32_t i = 0; i < flow->data.n; ++i)
        {
            Port& port = m_ports[flow->data.ports[i]];
            port.load += counted(*flow);
            port.flows.push_back(flow);
        }
    }
    for (EvenFlow* flow : flows)
    {
        double& own = flow->waits ? flow->group->own : m_ports[FindBottleneck(*flow)].own;
        own += counted(*flow);
        ++(flow->waits ? flow->group->nOwn : m_ports[FindBottleneck(*flow)].nOwn);
    }
    // Towards the mean of those with the same bottleneck, and all together as much as before.
    const auto weigh = [&](const EvenFlow& flow) {
        return Weigh(flow, counted(flow), counted(flow) / perByte / m_settings.segmentBytes);
    };
    for (EvenFlow* flow : flows)
    {
        (flow->waits ? flow->group->weighed : m_ports[FindBottleneck(*flow)].weighed) +=
            weigh(*flow);
    }
    std::vector<double> rates;
    rates.reserve(flows.size());
    for (EvenFlow* flow : flows)
    {
        const Port& port = m_ports[FindBottleneck(*flow)];
        const double own = flow->waits ? flow->group->own : port.own;
        const double weighed = flow->waits ? flow->group->weighed : port.weighed;
        const double rate = weighed > 0 ? weigh(*flow) * own / weighed : 0;
        if (rate < 1 && !flow->waits && !(flow->group && IsLongest()))
        {
            return false; // it waits for a timer, perhaps
        }
        rates.push_back(rate);
    }
    for (LinkPort port = 0; port < m_ports.size(); ++port)
    {
        m_ports[port].load = gone[port];
    }
    for (std::size_t i = 0; i < flows.size(); ++i)
    {
        m_setRate(*flows[i], static_cast<uint64_t>(rates[i]));
        flows[i]->wasMeasured = !flows[i]->isLate;
        for (uint32_t p = 0; p < flows[i]->data.n; ++p)
        {
            m_ports[flows[i]->data.ports[p]].load += rates[i];
        }
    }
    for (Port& port : m_ports)
    {
        port.limit = std::max(port.load, FILLED * port.capacity);
    }
    // The others have had some of it already since those have ended; this is the rest.
    for (const Gone& flow : m_gone)
    {
        HandOn(flow.path, (flow.first + flow.second) * perByte, nullptr, 0);
    }
    m_gone.clear();
    return true;
}

double
SharedFlows::GetRoom(const EvenFlow& flow) const
{
    double room = std::numeric_limits<double>::max();
    for (uint32_t i = 0; i < flow.data.n; ++i)
    {
        const Port& port = m_ports[flow.data.ports[i]];
        room = std::min(room, port.limit - port.load);
    }
    return std::max(0.0, room);
}

void
SharedFlows::HandOn(EvenFlow& flow, int64_t worldNow)
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
    HandOn(flow.data, static_cast<double>(flow.bitsPerSecond), flow.group, worldNow);
}

void
SharedFlows::NoteOpen(EvenFlow& flow, bool open, int64_t worldNow)
{
    if (m_phase != Phase::STEADY)
    {
        ++m_joined; // it was not the same all the time
        return;
    }
    if (!flow.sink)
    {
        Doubt(worldNow); // packets are to tell what it gets
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
        HandOn(flow.data, had, flow.group, worldNow);
    }
}

void
SharedFlows::HandOn(const PortPath& path, double rate, const SendGroup* group, int64_t worldNow)
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
            ShareAtHost(first, *group, rate, worldNow);
        }
        else
        {
            ShareOut(m_ports[full[i]].flows, rate);
        }
    }
}

void
SharedFlows::ShareAtHost(LinkPort port, const SendGroup& group, double most, int64_t worldNow)
{
    constexpr double LITTLE = 0.01;
    double left = ShareOut(group.flows, most);
    if (left <= LITTLE * most)
    {
        return;
    }
    for (auto* next = m_groups.GetNext(group); next && left > LITTLE * most;
         next = m_groups.GetNext(*next))
    {
        left = ShareOut(next->flows, left);
    }
    ShareOut(m_ports[port].flows, left);
    Doubt(worldNow);
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
        return flow.ending == 0 && flow.measurement == m_number && GetRoom(flow) > 0;
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
