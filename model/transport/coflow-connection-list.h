/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_CONNECTION_LIST_H
#define COFLOW_CONNECTION_LIST_H

#include "ns3/event-id.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

namespace ns3::coflow
{

/// The connections of an application, each a SourceConnection or a SinkConnection. A connection can
/// be released in its own callback: the list closes and destroys it after the callback has
/// returned.
template <class C>
class ConnectionList
{
  public:
    ~ConnectionList()
    {
        Clear();
    }

    /// @param connection a new connection
    /// @return the connection
    C& Add(std::unique_ptr<C> connection)
    {
        m_open.push_back(std::move(connection));
        return *m_open.back();
    }

    /// @return the connections that were not released, in the order of Add()
    const std::vector<std::unique_ptr<C>>& GetOpen() const
    {
        return m_open;
    }

    /// Closes and destroys a connection in an event at the present time. No effect after Close().
    /// @param connection the connection
    void Release(const C* connection)
    {
        const auto found = std::ranges::find(m_open, connection, &std::unique_ptr<C>::get);
        if (found == m_open.end())
        {
            return;
        }
        m_released.push_back(std::move(*found));
        m_open.erase(found);
        if (!m_destroyEvent.IsPending())
        {
            m_destroyEvent =
                Simulator::ScheduleNow([this] { CloseAll(std::exchange(m_released, {})); });
        }
    }

    /// Closes and destroys all connections that were not released.
    void Close()
    {
        CloseAll(std::exchange(m_open, {}));
    }

    /// Destroys all connections. The other ends are not told.
    void Clear()
    {
        m_destroyEvent.Cancel();
        m_released.clear();
        m_open.clear();
    }

  private:
    /// Closes connections, and destroys them afterwards.
    static void CloseAll(std::vector<std::unique_ptr<C>> connections)
    {
        for (auto& connection : connections)
        {
            connection->Close();
        }
    }

    std::vector<std::unique_ptr<C>> m_open;     ///< see GetOpen()
    std::vector<std::unique_ptr<C>> m_released; ///< connections to be destroyed
    EventId m_destroyEvent;                     ///< event that destroys released connections
};

} // namespace ns3::coflow

#endif // COFLOW_CONNECTION_LIST_H
