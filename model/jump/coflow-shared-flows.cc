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

SharedFlows::SharedFlows(const Topology& topology, const Settings& settings, SetRate setRate)
    : m_settings(settings),
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
        m_until = isEven ? INT64_MAX : worldNow + DOUBTFUL * m_length;
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
    double rate = std::numeric_limits<double>::max();
    for (uint32_t i = 0; i < flow.data.n; ++i)
    {
        const Port& port = m_ports[flow.data.ports[i]];
        const double part = port.load / static_cast<double>(port.flows.size() + 1);
        rate = std::min(rate, std::max(port.limit - port.load, part));
    }
    rate = std::floor(rate);
    if (rate < 1)
    {
        return false;
    }
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
        const double less = std::min(std::ceil(rate * part), rate - 1);
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
    return *std::max_element(flow.data.ports.begin(),
                             flow.data.ports.begin() + flow.data.n,
                             [&](LinkPort a, LinkPort b) { return use(a) < use(b); });
}

bool
SharedFlows::Settle(const std::vector<EvenFlow*>& flows, int64_t now)
{
    ClearPorts();
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
        for (uint32_t i = 0; i < flow->data.n; ++i)
        {
            Port& port = m_ports[flow->data.ports[i]];
            port.load += counted(*flow);
            port.flows.push_back(flow);
        }
    }
    for (EvenFlow* flow : flows)
    {
        Port& port = m_ports[FindBottleneck(*flow)];
        port.own += counted(*flow);
        ++port.nOwn;
    }
    // Towards the mean of those with the same bottleneck, and all together as much as before.
    const auto weigh = [&](const EvenFlow& flow) {
        const Port& port = m_ports[FindBottleneck(flow)];
        const double rate = counted(flow);
        if (flow.isLate)
        {
            return port.own / port.nOwn; // it was not there all the time
        }
        // Where ports are not full, something else limits a flow. That may be its timer: of a flow
        // that sends nothing for so long it is chance when it sends again.
        if (port.load < FULL * port.capacity && (rate > 0 || !IsLongest()))
        {
            return rate;
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
        const double segments = rate / perByte / m_settings.segmentBytes;
        const double part = segments / (segments + OWN_SEGMENTS);
        return part * rate + (1 - part) * port.own / port.nOwn;
    };
    for (EvenFlow* flow : flows)
    {
        m_ports[FindBottleneck(*flow)].weighed += weigh(*flow);
    }
    std::vector<double> rates;
    rates.reserve(flows.size());
    for (EvenFlow* flow : flows)
    {
        const Port& port = m_ports[FindBottleneck(*flow)];
        const double rate = port.weighed > 0 ? weigh(*flow) * port.own / port.weighed : 0;
        if (rate < 1)
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
        HandOn(flow.path, (flow.first + flow.second) * perByte);
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
    HandOn(flow.data, static_cast<double>(flow.bitsPerSecond));
}

void
SharedFlows::HandOn(const PortPath& path, double rate)
{
    std::array<LinkPort, MAX_PATH_PORTS> full{};
    uint32_t nFull = 0;
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
        ShareOut(full[i], rate);
    }
}

void
SharedFlows::ShareOut(LinkPort port, double most)
{
    constexpr int ROUNDS = 3; // what some have no room for is for others
    constexpr double LITTLE = 1e-3;
    double left = most;
    for (int round = 0; round < ROUNDS && left > LITTLE * most; ++round)
    {
        double present = 0;
        for (const EvenFlow* flow : m_ports[port].flows)
        {
            present += GetRoom(*flow) > 0 ? static_cast<double>(flow->bitsPerSecond) : 0;
        }
        if (present <= 0)
        {
            return;
        }
        const double factor = left / present;
        for (EvenFlow* flow : m_ports[port].flows)
        {
            const auto rate = static_cast<double>(flow->bitsPerSecond);
            const double more = std::floor(std::min(GetRoom(*flow), rate * factor));
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
