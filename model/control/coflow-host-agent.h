/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_HOST_AGENT_H
#define COFLOW_HOST_AGENT_H

#include "ns3/application.h"
#include "ns3/coflow-source.h"
#include "ns3/data-rate.h"

namespace ns3::coflow
{

/// The part of a scheduler that runs on one host, and the only thing that the applications of
/// that host talk to. It commands the host's own CoflowSource; whatever it wants to know of
/// other hosts must reach it in messages.
class HostAgent : public Application
{
  public:
    static TypeId GetTypeId();

    /// @param source the transport of the same host
    void SetSource(Ptr<CoflowSource> source);

    /// @param rate of the host's port to the network
    void SetLinkRate(DataRate rate);

    /// An application of this host has data to send: a flow that becomes known now.
    /// @param flow the flow; its allowance is the agent's to decide
    virtual void Put(CoflowSource::FlowRequest flow) = 0;

  protected:
    void DoDispose() override;

    /// @return the transport of this host
    CoflowSource& GetSource() const;

    /// @return rate of the host's port to the network
    DataRate GetLinkRate() const;

  private:
    Ptr<CoflowSource> m_source; ///< the transport of this host
    DataRate m_linkRate;        ///< of the host's port to the network
};

} // namespace ns3::coflow

#endif // COFLOW_HOST_AGENT_H
