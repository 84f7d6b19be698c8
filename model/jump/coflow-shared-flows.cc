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
#include <utility>

namespace ns3::coflow
{

namespace
{

/// A measurement is repeated with twice the time where its halves differ, up to so many times the
/// shortest one.
constexpr int64_t LONGEST = 16;
/// Of a flow that has had so many segments, half of its rate is its own, and half is the mean's.
constexpr double OWN_SEGMENTS = 30;
/// So it is with so many of a flow that has a rate: it writes evenly, so that less of what is
/// counted is chance.
constexpr double OWN_SEGMENTS_AT_RATES = 10;
/// TCP fills this part of a port, at least, if it can.
constexpr double FILLED = 0.96;

constexpr double BITS = 8;
constexpr double STEPS_PER_SECOND = 1e9;

/// @return whether a flow's host lets it send nothing
bool
IsClosed(const EvenFlow& flow)
{
    return flow.group && !flow.source->connection->IsOpenAtNic();
}

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
        m_ports[port].whole = m_ports[port].capacity = rate * segment / onWire;
    }
}

void
SharedFlows::SetPaced(const std::vector<double>& loads)
{
    const double segment = m_settings.segmentBytes;
    const double onWire = segment + TransportProfile::HEADER_BYTES + TransportProfile::FRAME_BYTES;
    for (LinkPort port = 0; port < m_ports.size(); ++port)
    {
        const double paced = loads[port] * BITS * segment / onWire;
        m_ports[port].capacity = std::max(1.0, m_ports[port].whole - paced);
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
    for (EvenFlow* flow : flows)
    {
        flow->isClosed = IsClosed(*flow);
        m_joined += flow->isClosed ? 0 : 1; // it takes nothing from others
    }
    if (static_cast<double>(m_joined) > m_settings.tolerance * static_cast<double>(all))
    {
        return flows.empty();
    }
    for (EvenFlow* flow : flows)
    {
        m_late += flow->isClosed ? 0 : 1;
        flow->measurement = m_number;
        flow->isLate = true;
        flow->atBegin = flow->atMiddle = flow->sink->GetReceived();
        if (m_phase == Phase::STEADY && !flow->isClosed && !Admit(*flow))
        {
            return false;
        }
    }
    FitPorts();
    return true;
}

void
SharedFlows::ClearPorts()
{
    m_overfull.clear();
    for (Port& port : m_ports)
    {
        port.load = port.own = port.weighed = port.cut = port.level = port.caps = 0;
        port.nOwn = 0;
        port.rates.clear();
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
        const double most = std::max(first, second);
        // Where most of a port is for flows with rates, which send evenly, a few flows beside them
        // have few segments in a measurement, and differ by chance.
        const double paced = port.whole - port.capacity;
        all += most + (most > 0 && paced > most ? paced : 0);
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
SharedFlows::GetPart(const EvenFlow& flow) const
{
    const auto cap = static_cast<double>(flow.cap);
    if (IsFree(flow))
    {
        return cap;
    }
    // Windows do not get smaller than a segment. Where that is too much, packets are dropped: of
    // each flow as many as it sends. Otherwise marks make the largest windows smaller.
    const Port& port = m_ports[FindBottleneck(flow)];
    return IsCrowded(port) ? cap * std::min(1.0, port.cut / port.caps) : std::min(cap, port.level);
}

bool
SharedFlows::IsCrowded(const Port& port) const
{
    return m_settings.queueBytes > 0 &&
           uint64_t{port.nOwn} * m_settings.segmentBytes > m_settings.queueBytes;
}

void
SharedFlows::FindLevels()
{
    for (Port& port : m_ports)
    {
        std::sort(port.rates.begin(), port.rates.end());
        double left = port.cut;
        std::size_t n = port.rates.size();
        for (const double cap : port.rates)
        {
            port.level = left / static_cast<double>(n);
            if (cap >= port.level)
            {
                break; // so have all that come now
            }
            left -= cap;
            --n;
        }
    }
}

bool
SharedFlows::IsFree(const EvenFlow& flow) const
{
    const Port& port = m_ports[FindBottleneck(flow)];
    return flow.cap > 0 && port.load < FULL * port.capacity;
}

double
SharedFlows::Weigh(const EvenFlow& flow, double counted, double segments) const
{
    const double part =
        segments / (segments + (flow.cap > 0 ? OWN_SEGMENTS_AT_RATES : OWN_SEGMENTS));
    if (flow.waits)
    {
        const SendGroup& group = *flow.group;
        return flow.isLate ? group.own / group.nOwn
                           : part * counted + (1 - part) * group.own / group.nOwn;
    }
    const Port& port = m_ports[FindBottleneck(flow)];
    if (flow.cap > 0)
    {
        const double mean = GetPart(flow);
        return flow.isLate ? mean : part * counted + (1 - part) * mean;
    }
    const double mean = (port.own - port.cut) / static_cast<double>(port.nOwn - port.rates.size());
    if (flow.isLate)
    {
        return mean; // it was not there all the time
    }
    // Where ports are not full, something else limits a flow. That may be its timer: of a flow
    // that sends nothing for so long it is chance when it sends again.
    if (port.load < FULL * port.capacity && (counted > 0 || !IsLongest()))
    {
        return counted;
    }
    // Windows of one segment are more than a port holds, so that flows time out all the time.
    // One that has just begun has not yet, and gets more than it will.
    if (IsCrowded(port) && !flow.wasMeasured)
    {
        return mean;
    }
    return part * counted + (1 - part) * mean;
}

std::vector<EvenFlow*>
SharedFlows::FindOpen(const std::vector<EvenFlow*>& flows)
{
    std::vector<EvenFlow*> open;
    for (EvenFlow* flow : flows)
    {
        flow->isClosed = IsClosed(*flow);
        if (!flow->isClosed)
        {
            open.push_back(flow);
            continue;
        }
        // What was on its way has arrived, or it was closed meanwhile: others have that now.
        const auto received = static_cast<double>(flow->sink->GetReceived() - flow->atBegin);
        if (received > 0)
        {
            m_gone.push_back({flow->data, received, 0});
        }
    }
    return open;
}

bool
SharedFlows::Settle(const std::vector<EvenFlow*>& all, int64_t now)
{
    const auto flows = FindOpen(all);
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
        flow->waits = flow->group && flow->source->connection->IsWaitingForTurn();
        for (uint32_t i = 0; i < flow->data.n; ++i)
        {
            Port& port = m_ports[flow->data.ports[i]];
            port.load += counted(*flow);
            port.flows.push_back(flow);
        }
    }
    for (EvenFlow* flow : flows)
    {
        if (IsFree(*flow))
        {
            continue;
        }
        Port& port = m_ports[FindBottleneck(*flow)];
        double& own = flow->waits ? flow->group->own : port.own;
        own += counted(*flow);
        ++(flow->waits ? flow->group->nOwn : port.nOwn);
        if (flow->cap > 0)
        {
            port.cut += counted(*flow);
            port.caps += static_cast<double>(flow->cap);
            port.rates.push_back(static_cast<double>(flow->cap));
        }
    }
    FindLevels();
    // Towards the mean of those with the same bottleneck, and all together as much as before.
    const auto weigh = [&](const EvenFlow& flow) {
        return Weigh(flow, counted(flow), counted(flow) / perByte / m_settings.segmentBytes);
    };
    for (EvenFlow* flow : flows)
    {
        if (!IsFree(*flow))
        {
            (flow->waits ? flow->group->weighed : m_ports[FindBottleneck(*flow)].weighed) +=
                weigh(*flow);
        }
    }
    std::vector<double> rates;
    rates.reserve(flows.size());
    for (EvenFlow* flow : flows)
    {
        const Port& port = m_ports[FindBottleneck(*flow)];
        const double own = flow->waits ? flow->group->own : port.own;
        const double weighed = flow->waits ? flow->group->weighed : port.weighed;
        const double scale = weighed > 0 ? own / weighed : 0;
        double rate = weigh(*flow) * (IsFree(*flow) ? 1 : scale);
        if (flow->cap > 0)
        {
            rate = std::min(rate, static_cast<double>(flow->cap));
        }
        if (rate < 1 && !flow->waits)
        {
            return false; // it waits for a timer, perhaps
        }
        rates.push_back(rate);
    }
    for (LinkPort port = 0; port < m_ports.size(); ++port)
    {
        m_ports[port].load = gone[port];
    }
    for (EvenFlow* flow : all)
    {
        if (flow->isClosed)
        {
            m_setRate(*flow, 0);
        }
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
    for (LinkPort number = 0; number < m_ports.size(); ++number)
    {
        Port& port = m_ports[number];
        // A segment that closes a gap has all behind it arrive at once, so that more may have been
        // counted than a port carries.
        port.limit = std::clamp(port.load, FILLED * port.capacity, port.capacity);
        if (port.load > port.limit)
        {
            m_overfull.insert(number);
        }
    }
    FitPorts();
    // The others have had some of it already since those have ended; this is the rest.
    for (const Gone& flow : m_gone)
    {
        HandOn(flow.path, (flow.first + flow.second) * perByte, nullptr);
    }
    m_gone.clear();
    return true;
}

} // namespace ns3::coflow
