/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_HYBRID_SCHEDULER_H
#define COFLOW_HYBRID_SCHEDULER_H

#include "ns3/coflow-coordinated-scheduler.h"
#include "ns3/coflow-hybrid-coordinator.h"
#include "ns3/coflow-hybrid-daemon.h"
#include "ns3/coflow-hybrid-settings.h"

#include <memory>
#include <string>
#include <vector>

namespace ns3::coflow
{

/// Runs the policies with Control::HYBRID, Aalo, Graviton and Graviton-SF: daemons decide, and the
/// coordinator adds up sent bytes. There is a HybridCoordinator on one host, and a HybridDaemon on
/// every host; with Enforcement::NIC also a NicScheduler on every host. Users name the scheduler by
/// its policy, such as "aalo".
class HybridScheduler : public CoordinatedScheduler
{
  public:
    static TypeId GetTypeId();

    std::vector<TypeId> GetPartTypes() const override;
    std::string GetQueueDisc() const override;
    std::vector<std::string> GetPresetParameters() const override;

    /// @return the coordinator; after Install()
    Ptr<HybridCoordinator> GetCoordinator() const;

    /// @param host a host
    /// @return its daemon; after Install()
    Ptr<HybridDaemon> GetDaemon(HostId host) const;

    /// @param host a host
    /// @return the scheduler that chooses the flow of every segment; after Install(); null without
    ///         Enforcement::NIC
    Ptr<NicScheduler> GetNic(HostId host) const;

  protected:
    void DoDispose() override;

  private:
    /// The source of the values of parameters that are not given.
    enum class Preset
    {
        PAPER, ///< the papers
        CODE   ///< Aalo's published code
    };

    /// @return value of the attribute Enforcement; for PRESET, the value that follows from Preset
    HybridSettings::Enforcement GetEnforcement() const;

    /// @param network the network of the hosts
    /// @return settings from the attributes and the parameters of the policy
    /// @throws ::coflow::InputError where delta or the number of queues is not allowed
    HybridSettings MakeSettings(Ptr<const HostNetwork> network) const;

    Ptr<Coordinator> CreateCoordinator(const Cluster& cluster) override;
    Ptr<Daemon> CreateDaemon(HostId host) override;
    void CompleteDaemon(HostId host, Ptr<Daemon> daemon) override;
    void DescribeMore(::coflow::Json& control) const override;

    Preset m_preset;                           ///< attribute Preset
    HybridSettings::Enforcement m_enforcement; ///< attribute Enforcement
    bool m_dagLevelSize;                       ///< attribute DagLevelSize
    uint64_t m_minNotify;                      ///< attribute MinNotify
    uint32_t m_silentPeriods;                  ///< attribute SilentPeriods

    std::shared_ptr<const HybridSettings> m_settings;
    std::vector<Ptr<CoflowSource>> m_sources; ///< sources of flows, by host
    Ptr<HostNetwork> m_network;
    uint32_t m_segmentBytes{0};
    std::vector<Ptr<NicScheduler>> m_nics; ///< schedulers by host; null without Enforcement::NIC
};

} // namespace ns3::coflow

#endif // COFLOW_HYBRID_SCHEDULER_H
