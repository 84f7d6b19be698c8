/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_CONGESTION_CONTROL_FACTORY_H
#define COFLOW_CONGESTION_CONTROL_FACTORY_H

#include "ns3/attribute.h"
#include "ns3/tcp-congestion-ops.h"

#include <utility>
#include <vector>

namespace ns3::coflow
{

/// Makes congestion controls with the settings of another one.
///
/// ns-3: TcpCongestionOps::Fork() is what gives an accepted connection its congestion control, and
/// a copy constructor may leave out a member. That of TcpCubic leaves out TcpFriendliness, so that
/// whether an accepted connection uses the heuristic depends on what was in memory. Upstream: not
/// reported. Goes when: every Fork() copies all attributes. Test:
/// TcpRepairs.AcceptedConnectionKeepsSettings.
class CongestionControlFactory
{
  public:
    /// @param model what new ones are a copy of, with its attributes as they are now
    explicit CongestionControlFactory(const Ptr<TcpCongestionOps>& model);

    /// @return a new one
    Ptr<TcpCongestionOps> Create() const;

  private:
    Ptr<TcpCongestionOps> m_model;
    /// All attributes that can be read and set. Set() of an accessor is much faster than
    /// SetAttribute(), which looks for the name.
    std::vector<std::pair<Ptr<const AttributeAccessor>, Ptr<const AttributeValue>>> m_attributes;
};

} // namespace ns3::coflow

#endif // COFLOW_CONGESTION_CONTROL_FACTORY_H
