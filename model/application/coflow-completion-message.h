/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_COMPLETION_MESSAGE_H
#define COFLOW_COMPLETION_MESSAGE_H

#include "ns3/coflow-control-message.h"
#include "ns3/coflow-types.h"

#include <cstdint>

namespace ns3::coflow
{

/// Message from the tasks of a host to the driver of their coflow: all their flows have arrived. 12
/// bytes.
struct TasksDoneMessage : ControlMessageOf<TasksDoneMessage>
{
    static constexpr uint16_t TYPE = 30;
    static constexpr const char* NAME = "TasksDone";

    ::coflow::CoflowId id{0}; ///< the coflow
    ::coflow::HostId host{0}; ///< the host of the tasks

    template <class Self, class Visitor>
    static void VisitFields(Self& self, Visitor& visit)
    {
        visit("id", self.id);
        visit("host", self.host);
    }
};

} // namespace ns3::coflow

#endif // COFLOW_COMPLETION_MESSAGE_H
