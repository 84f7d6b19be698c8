/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_SCHEDULER_REGISTRY_H
#define COFLOW_SCHEDULER_REGISTRY_H

#include "ns3/coflow-policy-registry.h"
#include "ns3/type-id.h"

#include <string>
#include <vector>

namespace ns3::coflow
{

/// A scheduler of the packet engine, and its name.
struct SchedulerType
{
    std::string name;                            ///< name on the command line
    std::string description;                     ///< one line
    TypeId typeId;                               ///< the scheduler's class
    const ::coflow::PolicyInfo* policy{nullptr}; ///< its policy; null: it has none

    /// @return the classes of the scheduler's parts. Users may set the attributes of these classes,
    ///         too
    std::vector<TypeId> GetPartTypes() const;
};

/// Lists all schedulers of the packet engine. A scheduler is a class that COFLOW_REGISTER has
/// registered, or a policy that has a coordinator and no such class. A CentralScheduler runs the
/// policy where the coordinator decides. A HybridScheduler runs the policy where hosts decide, and
/// the coordinator only adds up the bytes that hosts have sent.
/// @return the schedulers, sorted by name
std::vector<SchedulerType> GetSchedulerTypes();

/// @param name name on the command line, such as "varys"
/// @return the scheduler
/// @throws ::coflow::InputError where no scheduler has the name; the error lists all names
SchedulerType FindSchedulerType(const std::string& name);

} // namespace ns3::coflow

#endif // COFLOW_SCHEDULER_REGISTRY_H
