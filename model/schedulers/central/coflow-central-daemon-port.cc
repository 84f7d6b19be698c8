/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// What a CentralDaemon sees of its host's port, and tells the coordinator.

#include "ns3/coflow-central-daemon.h"
#include "ns3/coflow-central-messages.h"
#include "ns3/log.h"

#include <cmath>
#include <utility>

namespace ns3::coflow
{

NS_LOG_COMPONENT_DEFINE("CoflowCentralDaemonPort");

void
CentralDaemon::WatchPort(std::function<double()> share)
{
    m_portShare = std::move(share);
}

void
CentralDaemon::ReportPort()
{
    if (!m_portShare)
    {
        return;
    }
    constexpr double WHOLE = 1e9;
    const auto share = static_cast<uint64_t>(std::llround(m_portShare() * WHOLE));
    if (share == m_toldShare)
    {
        return;
    }
    PortShareMessage message;
    message.billionths = share;
    NS_LOG_INFO("host " << GetHost() << ": its port has " << static_cast<double>(share) / WHOLE
                        << " of its rate for coflows");
    if (Send(message))
    {
        m_toldShare = share;
    }
}

} // namespace ns3::coflow
