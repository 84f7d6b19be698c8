/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_SOURCE_OWNER_H
#define COFLOW_SOURCE_OWNER_H

#include "ns3/coflow-nic-scheduler.h"
#include "ns3/coflow-source-connection.h"
#include "ns3/coflow-source.h"
#include "ns3/coflow-transport-profile.h"
#include "ns3/node.h"

#include <string>

namespace ns3::coflow
{

/// The CoflowSource as its connections see it.
class CoflowSource::Owner final : public SourceConnection::Owner
{
  public:
    /// @param source the source
    explicit Owner(CoflowSource& source)
        : m_source(source)
    {
    }

    /// Copies the present attributes of the source.
    void UpdateSettings()
    {
        m_settings = {m_source.GetNode(),
                      m_source.m_profile,
                      m_source.m_classifier,
                      m_source.m_nic,
                      m_source.m_port,
                      m_source.m_unsentLimit,
                      m_source.m_rateInterval,
                      m_source.m_spreadRates,
                      m_source.m_reconnectDelay};
    }

    const SourceConnection::Settings& GetSettings() const override
    {
        return m_settings;
    }

    void NotifyConnected(const SourceFlow& flow) override
    {
        m_source.m_flowConnectedTrace(flow.key.coflowId, flow.key.flowId);
    }

    void NotifyFailed(Ipv4Address dst, const std::string& reason) override
    {
        m_source.m_connectionFailedTrace(dst, reason);
    }

    void NotifyRetransmission(const SourceFlow& flow) override
    {
        m_source.m_retransmissionTrace(flow.key.coflowId, flow.key.flowId);
    }

    void NotifyRateEcho(const PacketClass& echo) override
    {
        m_source.m_rateEchoTrace(echo);
    }

    void FinishFlow(SourceFlow& flow) override
    {
        m_source.FinishFlow(flow);
    }

    void Release(const SourceConnection* connection) override
    {
        m_source.m_connections.Release(connection);
    }

  private:
    CoflowSource& m_source;                ///< source of the connections
    SourceConnection::Settings m_settings; ///< attributes at the last UpdateSettings()
};

} // namespace ns3::coflow

#endif // COFLOW_SOURCE_OWNER_H
