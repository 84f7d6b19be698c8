/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-flow-memory.h"

namespace ns3::coflow
{

namespace
{

template <class Record>
void
EraseCoflow(std::map<FlowKey, Record>& map, ::coflow::CoflowId coflow)
{
    const auto begin = map.lower_bound({coflow, 0});
    auto end = begin;
    while (end != map.end() && end->first.coflowId == coflow)
    {
        ++end;
    }
    map.erase(begin, end);
}

} // namespace

void
FlowMemory::NotePut(const PutRecord& put)
{
    m_puts[put.key] = put;
}

void
FlowMemory::NoteDone(const FlowKey& key, uint64_t bytes)
{
    const auto put = m_puts.find(key);
    if (put != m_puts.end())
    {
        put->second.done = true;
        put->second.bytes = bytes; // every scheduler may know the size of a sent flow
    }
}

void
FlowMemory::NoteGet(const GetRecord& get)
{
    m_gets[get.key] = get;
}

void
FlowMemory::Forget(::coflow::CoflowId coflow)
{
    EraseCoflow(m_puts, coflow);
    EraseCoflow(m_gets, coflow);
}

std::size_t
FlowMemory::GetSize() const
{
    return m_puts.size() + m_gets.size();
}

} // namespace ns3::coflow
