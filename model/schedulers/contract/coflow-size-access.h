/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_SIZE_ACCESS_H
#define COFLOW_SIZE_ACCESS_H

#include "ns3/coflow-opaque-size.h"
#include "ns3/coflow-policy.h"
#include "ns3/coflow-source.h"

#include <concepts>
#include <cstdint>
#include <functional>
#include <optional>
#include <utility>

namespace ns3::coflow
{

/// The right to know sizes of flows. Only a clairvoyant policy gives it: that a part of a scheduler
/// without such a policy reads a size does not compile.
class SizeAccess
{
  public:
    /// @tparam P class of the policy that a scheduler runs
    /// @return the right of its agents to know sizes
    template <std::derived_from<::coflow::ClairvoyantPolicy> P>
    static SizeAccess Of()
    {
        return {};
    }

    /// @param policy what a scheduler runs
    /// @return the right of its agents to know sizes; none where the policy is not clairvoyant
    static std::optional<SizeAccess> Of(const ::coflow::Policy& policy)
    {
        return dynamic_cast<const ::coflow::ClairvoyantPolicy*>(&policy)
                   ? std::optional(SizeAccess())
                   : std::nullopt;
    }

    /// @param size a size
    /// @return the number
    uint64_t Read(OpaqueSize size) const
    {
        return size.m_bytes;
    }

    /// @param rule how urgent a flow is as a function of its bytes that are not acknowledged, which
    ///        to begin with are its size
    /// @return the same for CoflowSource::FlowRequest
    CoflowSource::PriorityRule MakeRule(std::function<PacketPriority(uint64_t)> rule) const
    {
        return CoflowSource::PriorityRule(std::move(rule));
    }

  private:
    SizeAccess() = default;
};

} // namespace ns3::coflow

#endif // COFLOW_SIZE_ACCESS_H
