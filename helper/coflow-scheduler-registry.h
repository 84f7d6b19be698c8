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

/// All schedulers. These are the classes that COFLOW_REGISTER has registered, and one scheduler for
/// each policy that has a coordinator and no such class. The scheduler of such a policy is a
/// CentralScheduler where the coordinator decides. It is a HybridScheduler where the coordinator
/// only adds up the bytes that hosts have sent.
/// @return the schedulers, sorted by name
std::vector<SchedulerType> GetSchedulerTypes();

/// @param name name on the command line, such as "varys"
/// @return the scheduler
/// @throws ::coflow::InputError where no scheduler has the name; the error lists all names
SchedulerType FindSchedulerType(const std::string& name);

} // namespace ns3::coflow

#endif // COFLOW_SCHEDULER_REGISTRY_H
