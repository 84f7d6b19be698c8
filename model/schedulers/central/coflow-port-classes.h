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

/// The priority classes of the coflows of a host, where ports serve classes strictly and no flow
/// has a rate (Sincronia).
class PortClasses
{
  public:
    /// Sets the number of classes.
    /// @param classes number of classes; 0, the initial value: flows have rates
    void SetNumber(uint32_t classes);

    /// @return whether there are classes and no rates
    bool AreUsed() const
    {
        return m_classes > 0;
    }

    /// Replaces all places by the places of a message.
    /// @param order the message
    void Take(const CoflowOrderMessage& order);

    /// Removes all places: every coflow comes last.
    void Clear();

    /// @param coflow a coflow
    /// @return priority of its flows, by its last known place
    PacketPriority PriorityOf(::coflow::CoflowId coflow) const;

  private:
    uint32_t m_classes{0};                           ///< number of classes; 0: flows have rates
    std::map<::coflow::CoflowId, uint32_t> m_places; ///< places by coflow, from the last message
};

} // namespace ns3::coflow

#endif // COFLOW_PORT_CLASSES_H
