/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_PORT_CLASSES_H
#define COFLOW_PORT_CLASSES_H

#include "ns3/coflow-central-messages.h"
#include "ns3/coflow-packet-class.h"

#include <cstdint>
#include <map>

namespace ns3::coflow
{

/// The classes that coflows have on a host, where ports serve classes strictly and no flow has a
/// rate (Sincronia).
class PortClasses
{
  public:
    /// @param classes number of classes; 0, as at first: flows have rates
    void SetNumber(uint32_t classes);

    /// @return whether there are classes, and no rates
    bool AreUsed() const
    {
        return m_classes > 0;
    }

    /// Takes places in the order for those of all coflows.
    void Take(const CoflowOrderMessage& order);

    /// Forgets all places: every coflow is behind all.
    void Clear();

    /// @return how urgent flows of a coflow are, as far as the host was told
    PacketPriority PriorityOf(::coflow::CoflowId coflow) const;

  private:
    uint32_t m_classes{0};                           ///< SetNumber()
    std::map<::coflow::CoflowId, uint32_t> m_places; ///< in the order, as last told
};

} // namespace ns3::coflow

#endif // COFLOW_PORT_CLASSES_H
