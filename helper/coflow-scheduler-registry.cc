/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-scheduler-registry.h"

#include "ns3/coflow-central-scheduler.h"
#include "ns3/coflow-error.h"
#include "ns3/coflow-hybrid-scheduler.h"
#include "ns3/coflow-named-type.h"
#include "ns3/coflow-text.h"
#include "ns3/object-factory.h"
#include "ns3/string.h"

#include <map>

namespace ns3::coflow
{

std::vector<TypeId>
SchedulerType::GetPartTypes() const
{
    ObjectFactory factory(typeId.GetName());
    if (policy)
    {
        factory.Set("Policy", StringValue(name));
    }
    return factory.Create<Scheduler>()->GetPartTypes();
}

std::vector<SchedulerType>
GetSchedulerTypes()
{
    std::map<std::string, SchedulerType> schedulers;
    for (const auto& type : GetNamedTypes(Scheduler::GetTypeId()))
    {
        schedulers[type.name] = {type.name, type.description, type.typeId, nullptr};
    }
    for (const auto& [name, info] : ::coflow::Policies::All())
    {
        const auto control = ::coflow::MakePolicy(name)->GetControl();
        if (control != ::coflow::Control::LOCAL)
        {
            const auto type = control == ::coflow::Control::HYBRID ? HybridScheduler::GetTypeId()
                                                                   : CentralScheduler::GetTypeId();
            schedulers.try_emplace(name, SchedulerType{name, info.summary, type, &info});
        }
    }
    std::vector<SchedulerType> sorted;
    for (const auto& [name, scheduler] : schedulers)
    {
        sorted.push_back(scheduler);
    }
    return sorted;
}

SchedulerType
FindSchedulerType(const std::string& name)
{
    std::vector<std::string> names;
    for (const auto& scheduler : GetSchedulerTypes())
    {
        if (scheduler.name == name)
        {
            return scheduler;
        }
        names.push_back(scheduler.name);
    }
    throw ::coflow::InputError("scheduler is '" + name + "'; allowed: " +
                               ::coflow::JoinNames(names) + ::coflow::SuggestName(name, names));
}

} // namespace ns3::coflow
