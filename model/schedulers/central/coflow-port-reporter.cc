/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-port-reporter.h"

#include "ns3/coflow-central-messages.h"
#include "ns3/log.h"

#include <cmath>
#include <utility>

namespace ns3::coflow
{

NS_LOG_COMPONENT_DEFINE("CoflowCentralDaemonPort");

void
PortReporter::Watch(std::function<double()> share)
{
    m_share = std::move(share);
}

void
PortReporter::Reset()
{
    m_known = WHOLE;
}

void
PortReporter::Report(::coflow::HostId host, const std::function<bool(const ControlMessage&)>& send)
{
    if (!m_share)
    {
        return;
    }
    PortShareMessage message;
    message.billionths =
        static_cast<uint64_t>(std::llround(m_share() * static_cast<double>(WHOLE)));
    if (message.billionths == m_known)
    {
        return;
    }
    NS_LOG_INFO("host " << host << ": its port has " << m_share() << " of its rate for coflows");
    if (send(message))
    {
        m_known = message.billionths;
    }
}

} // namespace ns3::coflow
