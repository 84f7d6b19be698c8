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

/// Runs the policies whose daemons decide and whose coordinator adds up, Control::HYBRID: Aalo,
/// Graviton and Graviton-SF. A HybridCoordinator on one host, a HybridDaemon and a NicScheduler on
/// every host. Users name it by its policy, such as "aalo".
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
    /// @return what decides for every segment; after Install(); null unless it does
    Ptr<NicScheduler> GetNic(HostId host) const;

  protected:
    void DoDispose() override;

  private:
    /// Whose system is imitated.
    enum class Preset
    {
        PAPER, ///< the papers
        CODE   ///< Aalo's published code
    };

    /// @return how hosts send as decided, as Enforcement or else Preset says; never PRESET
    HybridSettings::Enforcement GetEnforcement() const;

    /// @param network the hosts
    /// @return what attributes and the policy's parameters say
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
    std::vector<Ptr<CoflowSource>> m_sources; ///< by host
    Ptr<HostNetwork> m_network;
    uint32_t m_segmentBytes{0};
    std::vector<Ptr<NicScheduler>> m_nics; ///< by host; null unless they decide
};

} // namespace ns3::coflow

#endif // COFLOW_HYBRID_SCHEDULER_H
