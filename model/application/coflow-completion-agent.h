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

/// The applications of one host as far as they tell each other that coflows have arrived: in Varys
/// "once all reducers are done, the driver terminates" (Chowdhury et al., SIGCOMM 2014, section
/// 4.1). When all tasks of this host that get flows of a coflow have them, the host tells the host
/// of the coflow's driver, in one message over the simulated network. If that is this host itself,
/// no message is needed.
///
/// It belongs to the applications and not to a scheduler, whose processes may die without it. A
/// connection to a driver's host is opened when a task begins, as an executor is connected to
/// the driver that starts it, and is closed when for a while there was no task of such a driver and
/// all that was said has arrived. If it breaks, it is opened anew, and everything that was said on
/// it is said again: a driver hears of every host at least once.
class CompletionAgent : public Object
{
  public:
    /// Time for which a connection without tasks stays open, in milliseconds: connections between
    /// all pairs of hosts at once would be many.
    static constexpr int64_t LINGER_MS = 100;
    /// Where a driver has not acknowledged for so long, another connection is tried; the next time
    /// after twice as long.
    static constexpr int64_t PATIENCE_MS = 1000;

    /// TCP port of the drivers on a host.
    static constexpr uint16_t PORT = 6002;

    /// Told a coflow, and a host whose tasks have all that they get of the coflow.
    using DoneCallback = std::function<void(::coflow::CoflowId, ::coflow::HostId)>;

    static TypeId GetTypeId();

    /// Begins. To be called once.
    /// @param host number of this host
    /// @param endpoint of these applications; it is not started yet
    /// @param done is told what drivers of this host hear; may hear the same again
    void Start(::coflow::HostId host, Ptr<ControlEndpoint> endpoint, DoneCallback done);

    /// Tasks of this host begin to get flows.
    /// @param coflow a coflow, of which this is told once
    /// @param flows number of flows, at least 1
    /// @param driverHost host of the coflow's driver
    /// @param address where that is reached
    void Expect(::coflow::CoflowId coflow,
                uint32_t flows,
                ::coflow::HostId driverHost,
                Ipv4Address address);

    /// A get of this host has ended.
    /// @param coflow a coflow that is expected
    void NotifyReceived(::coflow::CoflowId coflow);

    /// @return what was sent, by type of message
    const ControlCounts& GetSent() const;

  protected:
    void DoDispose() override;

  private:
    using PeerId = ControlEndpoint::PeerId;

    /// What tasks of this host still get of a coflow.
    struct Expected
    {
        uint32_t flows{0};
        ::coflow::HostId driverHost{0};
    };

    /// A host with drivers.
    struct Drivers
    {
        PeerId peer{0};
        uint32_t coflows{0};                      ///< whose tasks still get something here
        EventId close;                            ///< closes the connection
        Ipv4Address address{};                    ///< of the driver's host
        Time waitsSince;                          ///< since when something is not acknowledged
        Time patience{MilliSeconds(PATIENCE_MS)}; ///< after which another connection is tried
        std::vector<::coflow::CoflowId> told;     ///< in the order of their ends
    };

    /// Closes the connection to a host with drivers if that has heard all.
    void CloseIfReported(::coflow::HostId driverHost);
    void Report(const Drivers& drivers, ::coflow::CoflowId coflow);

    ::coflow::HostId m_host{0};
    Ptr<ControlEndpoint> m_endpoint;
    DoneCallback m_done;
    std::map<::coflow::CoflowId, Expected> m_expected;
    std::map<::coflow::HostId, Drivers> m_drivers;   ///< by host
    std::map<PeerId, ::coflow::HostId> m_hostOfPeer; ///< those that this host connected to
};

} // namespace ns3::coflow

#endif // COFLOW_COMPLETION_AGENT_H
