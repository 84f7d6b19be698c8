/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-host-ports.h"

#include "ns3/simulator.h"

#include <algorithm>
#include <utility>

namespace ns3::coflow
{

NS_OBJECT_ENSURE_REGISTERED(HostPorts);

namespace
{

constexpr uint32_t WORD_BITS = 64;

} // namespace

TypeId
HostPorts::GetTypeId()
{
    static TypeId tid = TypeId("ns3::coflow::HostPorts")
                            .SetParent<Object>()
                            .SetGroupName("Coflow")
                            .AddConstructor<HostPorts>();
    return tid;
}

HostPorts::HostPorts() = default;

HostPorts::~HostPorts() = default;

Ptr<HostPorts>
HostPorts::Of(const Ptr<Node>& node)
{
    auto ports = node->GetObject<HostPorts>();
    if (!ports)
    {
        ports = CreateObject<HostPorts>();
        node->AggregateObject(ports);
    }
    return ports;
}

void
HostPorts::DoDispose()
{
    while (!m_line.empty())
    {
        m_line.front()->Leave();
    }
    Object::DoDispose();
}

bool
HostPorts::IsTaken(uint32_t index) const
{
    const uint32_t word = index / WORD_BITS;
    return word < m_taken.size() && (m_taken[word] >> (index % WORD_BITS) & 1);
}

uint16_t
HostPorts::Take()
{
    if (!MayTake())
    {
        return 0;
    }
    uint32_t index = m_last;
    do
    {
        index = (index + 1) % N_PORTS;
        if (index % WORD_BITS == 0)
        {
            while (index / WORD_BITS < m_taken.size() && m_taken[index / WORD_BITS] == UINT64_MAX)
            {
                index = (index + WORD_BITS) % N_PORTS;
            }
        }
    } while (IsTaken(index));
    m_last = index;
    const auto port = static_cast<uint16_t>(FIRST_PORT + index);
    Take(port);
    return port;
}

bool
HostPorts::Take(uint16_t port)
{
    if (port < FIRST_PORT)
    {
        return m_others.insert(port).second;
    }
    const uint32_t index = port - FIRST_PORT;
    if (IsTaken(index))
    {
        return false;
    }
    m_taken.resize(std::max<std::size_t>(m_taken.size(), index / WORD_BITS + 1));
    m_taken[index / WORD_BITS] |= uint64_t{1} << (index % WORD_BITS);
    ++m_nTaken;
    return true;
}

void
HostPorts::GiveBack(uint16_t port)
{
    if (port < FIRST_PORT)
    {
        m_others.erase(port);
        return;
    }
    const uint32_t index = port - FIRST_PORT;
    m_taken[index / WORD_BITS] &= ~(uint64_t{1} << (index % WORD_BITS));
    --m_nTaken;
    if (!m_line.empty() && !m_willCall)
    {
        m_willCall = true;
        Simulator::ScheduleNow(&HostPorts::CallNext, Ptr<HostPorts>(this));
    }
}

HostPorts::Lease
HostPorts::MakeLease(uint16_t port)
{
    return {new uint16_t(port), [ports = Ptr<HostPorts>(this)](const uint16_t* taken) {
                ports->GiveBack(*taken);
                delete taken;
            }};
}

void
HostPorts::CallNext()
{
    m_willCall = false;
    m_calling = true;
    while (!m_line.empty() && m_nTaken < N_PORTS)
    {
        auto& place = *m_line.front();
        const auto turn = std::move(place.m_turn);
        place.Leave();
        turn();
    }
    m_calling = false;
}

HostPorts::Place::~Place()
{
    Leave();
}

bool
HostPorts::Place::Join(const Ptr<HostPorts>& ports, std::function<void()> turn)
{
    if (!m_ports && !ports->MayTake())
    {
        m_ports = ports;
        m_turn = std::move(turn);
        m_here = ports->m_line.insert(ports->m_line.end(), this);
        ++ports->m_nWaits;
    }
    return IsWaiting();
}

void
HostPorts::Place::Leave()
{
    if (m_ports)
    {
        m_ports->m_line.erase(m_here);
        m_ports = nullptr;
        m_turn = nullptr;
    }
}

} // namespace ns3::coflow
