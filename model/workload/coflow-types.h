/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_TYPES_H
#define COFLOW_TYPES_H

#include "ns3/coflow-units.h"

#include <optional>
#include <string>
#include <vector>

namespace coflow
{

/// One transfer of a coflow.
struct Flow
{
    FlowId id{0};   ///< its position in Coflow::flows
    HostId src{0};  ///< sending host
    HostId dst{0};  ///< receiving host
    Bytes bytes{0}; ///< application bytes to move, >= 0

    /// @return whether it is within one host: it then uses no port and is finished as soon as it
    ///         starts
    bool IsLocal() const
    {
        return src == dst;
    }

    bool operator==(const Flow&) const = default;
};

/// What the job of a coflow says of it, for schedulers. It travels from a workload to policies as a
/// whole.
struct CoflowAttributes
{
    /// What it is worth that the deadline is met, for schedulers that weigh coflows: 1 to 1000.
    std::uint32_t weight{1};

    bool operator==(const CoflowAttributes&) const = default;

    /// Shows every attribute to a visitor.
    /// @param visit is called with a name and an attribute
    template <class Self, class Visitor>
    static void VisitFields(Self& self, Visitor& visit)
    {
        visit("weight", self.weight);
    }

    /// @return whether the values can be
    bool IsAllowed() const
    {
        return weight > 0;
    }
};

/// A set of parallel flows that is finished when its last flow is.
struct Coflow
{
    CoflowId id{0};                        ///< unique in the workload
    Nanoseconds arrival{0};                ///< time of arrival, >= 0
    std::optional<Nanoseconds> deadline{}; ///< relative to the arrival, > 0; none: no deadline
    std::vector<Flow> flows{};             ///< ids 0, 1, 2, ... in this order
    std::vector<CoflowId> parents{};       ///< coflows that must finish before this one starts
    CoflowAttributes attributes{};         ///< for schedulers

    bool operator==(const Coflow&) const = default;
};

/// What is to be run: coflows by arrival (ties by id) on hosts 0 .. hosts-1.
struct Workload
{
    HostId hosts{0};               ///< number of hosts that flows may name
    std::vector<Coflow> coflows{}; ///< sorted by (arrival, id)
    std::vector<std::string>
        history{}; ///< where it came from: the source and every transform, in order
    /// What the bytes of its flows were multiplied by since they were of full size; 1: they are.
    /// Defaults of parameters that scale are multiplied by it (Scaling::WORKLOAD), those in bytes
    /// and those in seconds, for on the same links a transfer takes a time in proportion to its
    /// bytes. Arrivals that were moved closer together or apart do not count: that is another load.
    double scale{1};
};

/// Rates of the two ports of every host, in bytes per second.
struct PortRates
{
    std::vector<double> ingress; ///< host uplinks, into the fabric
    std::vector<double> egress;  ///< host downlinks, out of the fabric

    bool operator==(const PortRates&) const = default;

    /// All ports alike.
    /// @param hosts number of hosts
    /// @param bytesPerSecond rate of every port
    /// @return the rates
    static PortRates Uniform(HostId hosts, double bytesPerSecond)
    {
        return {std::vector<double>(hosts, bytesPerSecond),
                std::vector<double>(hosts, bytesPerSecond)};
    }
};

} // namespace coflow

#endif // COFLOW_TYPES_H
