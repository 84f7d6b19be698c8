/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_TYPES_H
#define COFLOW_TYPES_H

#include "ns3/coflow-units.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace coflow
{

/// One transfer of a coflow.
struct Flow
{
    FlowId id{0};   ///< position in Coflow::flows
    HostId src{0};  ///< sending host
    HostId dst{0};  ///< receiving host
    Bytes bytes{0}; ///< application bytes to transfer, >= 0

    /// @return whether sender and receiver are the same host. Such a flow uses no port, and
    ///         finishes when it starts
    bool IsLocal() const
    {
        return src == dst;
    }

    bool operator==(const Flow&) const = default;
};

/// Properties that the job of a coflow sets for schedulers. Workload, messages and policies pass
/// the attributes on as a whole. COFLOW_ATTRIBUTES has a line for each attribute.
struct CoflowAttributes
{
    /// The weight of the deadline, 1 to MAX_WEIGHT. Schedulers with weights maximise the sum of the
    /// weights of met deadlines.
    std::uint32_t weight{1};

    bool operator==(const CoflowAttributes&) const = default;

    /// Calls a visitor for every attribute.
    /// @tparam Self this class, const or not
    /// @tparam Visitor the visitor
    /// @param self the attributes
    /// @param visit called with the name of an attribute and the attribute
    template <class Self, class Visitor>
    static void VisitFields(Self& self, Visitor& visit);

    /// @return whether all values are allowed
    bool IsAllowed() const;
};

/// The declaration of one of the CoflowAttributes. Traces, tables of Python and messages have a
/// column or field for each declaration.
struct CoflowAttribute
{
    const char* name;                        ///< name of columns and fields
    std::uint32_t CoflowAttributes::* value; ///< the attribute
    std::uint32_t least;                     ///< smallest allowed value
    std::uint32_t most;                      ///< largest allowed value

    /// @param attributes attributes of a coflow
    /// @return whether this attribute has an allowed value
    bool IsAllowed(const CoflowAttributes& attributes) const
    {
        return attributes.*value >= least && attributes.*value <= most;
    }
};

/// Largest weight of a coflow. The limit bounds the number of different sums of weights.
inline constexpr std::uint32_t MAX_WEIGHT = 1000;

/// The declarations of all CoflowAttributes, in the order of columns and fields.
inline constexpr std::array COFLOW_ATTRIBUTES{
    CoflowAttribute{"weight", &CoflowAttributes::weight, 1, MAX_WEIGHT},
};

template <class Self, class Visitor>
void
CoflowAttributes::VisitFields(Self& self, Visitor& visit)
{
    for (const CoflowAttribute& attribute : COFLOW_ATTRIBUTES)
    {
        visit(attribute.name, self.*attribute.value);
    }
}

inline bool
CoflowAttributes::IsAllowed() const
{
    return std::ranges::all_of(COFLOW_ATTRIBUTES,
                               [this](const auto& each) { return each.IsAllowed(*this); });
}

/// A set of parallel flows. The coflow is finished when its last flow is finished.
struct Coflow
{
    CoflowId id{0};                        ///< unique in the workload
    Nanoseconds arrival{0};                ///< time of arrival, >= 0
    std::optional<Nanoseconds> deadline{}; ///< relative to the arrival, > 0; none: no deadline
    std::vector<Flow> flows{};             ///< ids 0, 1, 2, ... in this order
    std::vector<CoflowId> parents{};       ///< coflows that must finish before this coflow starts
    CoflowAttributes attributes{};         ///< attributes for schedulers

    bool operator==(const Coflow&) const = default;
};

/// The coflows of a run on hosts 0 .. hosts-1, sorted by arrival (ties by id).
struct Workload
{
    HostId hosts{0};               ///< number of hosts that flows may name
    std::vector<Coflow> coflows{}; ///< sorted by (arrival, id)
    std::vector<std::string>
        history{}; ///< origin of the workload: the source and every transform, in order
    /// Factor by which the bytes of all flows were multiplied; 1: full size. Defaults of parameters
    /// that scale are multiplied by the same factor (Scaling::WORKLOAD). This includes defaults in
    /// seconds, because a transfer on the same links takes a time in proportion to its bytes. A
    /// transform that changes only arrivals changes the load and not this factor.
    double scale{1};
};

/// Rates of the two ports of every host, in bytes per second.
struct PortRates
{
    std::vector<double> ingress; ///< host uplinks, into the fabric
    std::vector<double> egress;  ///< host downlinks, out of the fabric

    bool operator==(const PortRates&) const = default;

    /// Makes the same rate for all ports.
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
