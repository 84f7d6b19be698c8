/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-lean-ends.h"

#include "ns3/coflow-lean-connection.h"

#include <vector>

namespace ns3::coflow
{

namespace
{

std::vector<LeanConnection*> g_ends(1); // no connection has the number 0
std::vector<uint32_t> g_free;

} // namespace

uint32_t
LeanEnds::Add(LeanConnection& connection)
{
    if (g_free.empty())
    {
        g_ends.push_back(&connection);
        return static_cast<uint32_t>(g_ends.size() - 1);
    }
    const uint32_t number = g_free.back();
    g_free.pop_back();
    g_ends[number] = &connection;
    return number;
}

void
LeanEnds::Remove(uint32_t number)
{
    g_ends[number] = nullptr;
    g_free.push_back(number);
}

LeanConnection*
LeanEnds::Get(uint32_t number)
{
    return g_ends[number];
}

void
LeanEnds::Prefetch(uint32_t number, std::size_t stage)
{
    if (const auto* connection = Get(number))
    {
        connection->Prefetch(stage);
    }
}

} // namespace ns3::coflow
