/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_COMPLETION_AGENT_H
#define COFLOW_COMPLETION_AGENT_H

#include "ns3/coflow-control-endpoint.h"
#include "ns3/coflow-types.h"
#include "ns3/event-id.h"
#include "ns3/ipv4-address.h"
#include "ns3/object.h"

#include <cstdint>
#include <functional>
#include <map>
#include <vector>

namespace ns3::coflow
{

/// The part of a host's applications that reports the completion of coflows: in Varys "once all
/// reducers are done, the driver terminates" (Chowdhury et al., SIGCOMM 2014, section 4.1). When
/// all tasks of this host have their flows of a coflow, the host sends one message over the
/// simulated network to the host of the coflow's driver. No message is sent where the driver is on
/// this host.
///
/// The agent belongs to the applications and not to a scheduler, so that a failure of the
/// scheduler's processes does not stop it. The connection to a driver's host is opened when a task
/// begins, as an executor is connected to the driver that starts it. The connection is closed when
/// for some time there was no task of these drivers, and all messages have arrived. Where the
/// connection breaks, it is opened again, and all its messages are sent again. So a driver receives
/// the message of every host at least once.
class CompletionAgent : public Object
{
  public:
    /// Time for which a connection without tasks stays open, in milliseconds. The limit avoids
    /// connections between all pairs of hosts at the same time.
    static constexpr int64_t LINGER_MS = 100;
    /// Time without an acknowledgement of a driver after which another connection is tried, in
    /// milliseconds. The time doubles with each attempt.
    static constexpr int64_t PATIENCE_MS = 1000;

    /// TCP port of the drivers on a host.
    static constexpr uint16_t PORT = 6002;

    /// Receives a coflow, and a host whose tasks have all their flows of the coflow.
    using DoneCallback = std::function<void(::coflow::CoflowId, ::coflow::HostId)>;

    static TypeId GetTypeId();

    /// Starts the agent. To be called once.
    /// @param host number of this host
    /// @param endpoint endpoint of the applications, which is not started yet
    /// @param done called for each completion that drivers of this host learn of; may be called
    ///        again for the same completion
    void Start(::coflow::HostId host, Ptr<ControlEndpoint> endpoint, DoneCallback done);

    /// Tasks of this host begin to get flows.
    /// @param coflow a coflow; one call per coflow
    /// @param flows number of flows, at least 1
    /// @param driverHost host of the coflow's driver
    /// @param address address of the driver's host
    void Expect(::coflow::CoflowId coflow,
                uint32_t flows,
                ::coflow::HostId driverHost,
                Ipv4Address address);

    /// A get of this host has ended.
    /// @param coflow a coflow that is expected
    void NotifyReceived(::coflow::CoflowId coflow);

    /// @return messages sent, by type
    const ControlCounts& GetSent() const;

  protected:
    void DoDispose() override;

  private:
    using PeerId = ControlEndpoint::PeerId;

    /// The flows of a coflow that tasks of this host wait for.
    struct Expected
    {
        uint32_t flows{0};
        ::coflow::HostId driverHost{0};
    };

    /// A host with drivers.
    struct Drivers
    {
        PeerId peer{0};
        uint32_t coflows{0};   ///< coflows with tasks on this host that wait for flows
        EventId close;         ///< event of the next CloseIfReported()
        Ipv4Address address{}; ///< address of the drivers' host
        Time waitsSince;       ///< time of the oldest message without acknowledgement
        /// Time without an acknowledgement after which another connection is tried.
        Time patience{MilliSeconds(PATIENCE_MS)};
        std::vector<::coflow::CoflowId> reported; ///< reported coflows, in the order of their ends
    };

    /// Closes the connection to a host with drivers, if all messages have arrived.
    void CloseIfReported(::coflow::HostId driverHost);
    /// Sends a message that the tasks of this host have all their flows of a coflow.
    void Report(const Drivers& drivers, ::coflow::CoflowId coflow);

    ::coflow::HostId m_host{0};
    Ptr<ControlEndpoint> m_endpoint;
    DoneCallback m_done;
    std::map<::coflow::CoflowId, Expected> m_expected;
    std::map<::coflow::HostId, Drivers> m_drivers;   ///< other hosts with drivers, by host
    std::map<PeerId, ::coflow::HostId> m_hostOfPeer; ///< keys of m_drivers, by peer
};

} // namespace ns3::coflow

#endif // COFLOW_COMPLETION_AGENT_H
