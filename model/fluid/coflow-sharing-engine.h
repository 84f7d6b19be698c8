/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_SHARING_ENGINE_H
#define COFLOW_SHARING_ENGINE_H

#include "ns3/coflow-fair-queue-levels.h"
#include "ns3/coflow-fluid-executor.h"
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

/// The executor for policies with static weights (SharingForm). Rates change with every arrival and
/// finish of a flow, but the executor only changes levels of ports, and does not visit other flows.
/// See LevelRule and ServiceClocks.
class SharingEngine final : public FluidExecutor
{
  public:
    /// @param run workload and records
    /// @param form form of the policy
    SharingEngine(FluidRun& run, const SharingForm& form);

  private:
    Nanoseconds Next() override;
    void Settle(Nanoseconds time) override;
    void Arrive(std::uint32_t index, Nanoseconds ready) override;
    void Decide() override;
    void AppendFlows(Nanoseconds at, std::vector<FlowState>& flows) const override;

    /// Weight of a flow.
    double Weight(const Flow& flow) const;

    /// Splits all ports with changed coflows again, for PER_COFLOW_SPLIT.
    void SplitPorts();

    /// @return the link of a flow. The link is added where it is missing
    std::uint32_t LinkOf(std::uint32_t index, const Flow& flow);

    /// Whether a node of m_levels is a coflow at a port; otherwise a node is a port.
    bool HasCoflowNodes() const
    {
        return m_form.levels == SharingForm::Levels::PER_COFLOW_SPLIT ||
               m_form.levels == SharingForm::Levels::PER_COFLOW_QUEUES;
    }

    /// @return the node of a coflow at a port. The node is added where it is missing
    std::uint32_t CoflowNode(std::uint32_t index, std::uint32_t port);

    /// Splits a port among its coflows, for PER_COFLOW_SPLIT.
    void SplitPort(std::uint32_t port);

    /// The node of a coflow at a port.
    struct Part
    {
        std::uint32_t port;  ///< the port
        bool counted{false}; ///< the coflow has flows here, and the port counts the node
    };

    const SharingForm m_form;                                 ///< form of the policy
    const std::uint32_t m_hosts;                              ///< number of hosts
    std::vector<double> m_capacity;                           ///< capacity per port, in bytes per
                                                              ///< second
    std::unique_ptr<LevelRule> m_levels;                      ///< rule for the levels of nodes
    SplitLevels* m_split{nullptr};                            ///< the same object where it splits
                                                              ///< ports; else null
    FairQueueLevels* m_queues{nullptr};                       ///< the same object for fair queues;
                                                              ///< else null
    ServiceClocks m_clocks;                                   ///< finish times of flows
    std::unordered_map<std::uint64_t, std::uint32_t> m_links; ///< number of a link, by pair of
                                                              ///< nodes
    std::unordered_map<std::uint64_t, std::uint32_t> m_nodes; ///< number of a node, by coflow and
                                                              ///< port
    std::vector<Part> m_parts;                                ///< port of each node of m_nodes
    std::vector<std::vector<std::uint32_t>> m_portParts;      ///< per port: its counted nodes
    std::vector<std::uint32_t> m_toBind;                      ///< links that got a flow while they
                                                              ///< had no node
    std::vector<ServiceClocks::Finished> m_finished;          ///< working memory: flows that have
                                                              ///< finished
    std::vector<std::uint32_t> m_linkEnds[2];                 ///< per link: its nodes
};

} // namespace coflow

#endif // COFLOW_SHARING_ENGINE_H
