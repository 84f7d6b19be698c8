/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_SHARING_ENGINE_H
#define COFLOW_SHARING_ENGINE_H

#include "ns3/coflow-fluid-run.h"
#include "ns3/coflow-level-rule.h"
#include "ns3/coflow-policy.h"
#include "ns3/coflow-service-clocks.h"
#include "ns3/coflow-split-levels.h"

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

namespace coflow
{

/// The executor for policies that are static weights (SharingForm). Rates change with
/// every flow that comes or goes, but flows are touched only when they do: what changes is
/// the level of ports, see LevelRule and ServiceClocks.
class SharingEngine
{
  public:
    /// @param run workload and records
    /// @param form what the policy is
    SharingEngine(FluidRun& run, const SharingForm& form);

    /// Runs to the end.
    void Run();

  private:
    /// Weight of a flow.
    double Weight(const Flow& flow) const;

    /// Takes the coflows that are ready.
    void TakeReady();

    /// Removes the flows that are through.
    void TakeFinished();

    /// Recomputes levels and passes them on to the clocks.
    void Update();

    /// Takes the samples that are due before a time.
    void SampleBefore(Nanoseconds end);

    /// The link on which a flow runs; added where there is none yet.
    std::uint32_t LinkOf(std::uint32_t index, const Flow& flow);

    /// The node at which a coflow is limited at a port, for PER_COFLOW_SPLIT.
    std::uint32_t CoflowNode(std::uint32_t index, std::uint32_t port);

    /// Splits a port between the coflows that it carries, for PER_COFLOW_SPLIT.
    void SplitPort(std::uint32_t port);

    /// A coflow's part of a port.
    struct Part
    {
        std::uint32_t port;  ///< the port
        bool counted{false}; ///< it has flows and counts as present
    };

    FluidRun& m_run;                                          ///< workload and records
    const SharingForm m_form;                                 ///< what the policy is
    const std::uint32_t m_hosts;                              ///< number of hosts
    std::vector<double> m_capacity;                           ///< per port
    std::unique_ptr<LevelRule> m_levels;                      ///< where levels come from
    SplitLevels* m_split{nullptr};                            ///< the same, for PER_COFLOW_SPLIT
    ServiceClocks m_clocks;                                   ///< when flows are through
    Nanoseconds m_now{0};                                     ///< time
    std::unordered_map<std::uint64_t, std::uint32_t> m_links; ///< by pair of nodes
    std::unordered_map<std::uint64_t, std::uint32_t> m_nodes; ///< by coflow and port
    std::vector<Part> m_parts;                                ///< per node of m_nodes
    std::vector<std::vector<std::uint32_t>> m_portParts;      ///< per port: nodes counted
    std::vector<std::uint32_t> m_toBind;                      ///< links that got their first flow
    std::vector<ServiceClocks::Finished> m_finished;          ///< flows just through
    std::vector<std::uint32_t> m_linkEnds[2];                 ///< per link: its nodes
};

} // namespace coflow

#endif // COFLOW_SHARING_ENGINE_H
