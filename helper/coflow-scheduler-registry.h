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

/// A scheduler that packets can run under, and what users call it.
struct SchedulerType
{
    std::string name;                            ///< on the command line
    std::string description;                     ///< one line
    TypeId typeId;                               ///< its class
    const ::coflow::PolicyInfo* policy{nullptr}; ///< what it runs; null: it has its own loop

    /// @param parameter a name, as options have it
    /// @return whether the policy has a parameter of this name
    bool HasParameter(const std::string& parameter) const;

    /// @return classes of the scheduler's parts, whose attributes users may set too
    std::vector<TypeId> GetPartTypes() const;
};

/// All schedulers: the classes that COFLOW_REGISTER has entered, and for every policy that has a
/// coordinator, and no such class, a CentralScheduler where that decides, and a HybridScheduler
/// where it only adds up.
/// @return sorted by name
std::vector<SchedulerType> GetSchedulerTypes();

/// @param name on the command line, such as "varys"
/// @return the scheduler
/// @throws ::coflow::InputError where none has the name; it lists what there is
SchedulerType FindSchedulerType(const std::string& name);

} // namespace ns3::coflow

#endif // COFLOW_SCHEDULER_REGISTRY_H
