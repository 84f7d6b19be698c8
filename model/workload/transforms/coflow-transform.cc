/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-transform.h"

#include "ns3/coflow-error.h"
#include "ns3/coflow-text.h"
#include "ns3/coflow-workload-check.h"

#include <algorithm>
#include <map>
#include <utility>

namespace coflow
{

namespace
{

/// Appends ids to a list, without ids that the list already has.
void
AddIds(std::vector<CoflowId>& ids, const std::vector<CoflowId>& more)
{
    for (const CoflowId id : more)
    {
        if (std::ranges::find(ids, id) == ids.end())
        {
            ids.push_back(id);
        }
    }
}

} // namespace

std::vector<Transform>
ParseTransforms(const std::string& text)
{
    std::vector<Transform> transforms;
    for (const std::string& spec : SplitText(text, ','))
    {
        const std::size_t equals = spec.find('=');
        const TransformKind& kind = TransformKinds::Find(spec.substr(0, equals));
        transforms.push_back(
            kind.parse(kind, equals == std::string::npos ? "" : spec.substr(equals + 1)));
    }
    return transforms;
}

void
ApplyTransform(Workload& workload, const Transform& transform)
{
    transform.apply(workload);
    SortCoflows(workload);
    CheckWorkload(workload, "transform " + transform.text);
    workload.history.push_back("transform " + transform.text);
}

void
ApplyTransforms(Workload& workload, const std::vector<Transform>& transforms)
{
    const auto before = workload.coflows.size();
    std::string texts;
    for (const Transform& transform : transforms)
    {
        ApplyTransform(workload, transform);
        texts += (texts.empty() ? "" : ",") + transform.text;
    }
    if (before > 0 && workload.coflows.empty())
    {
        throw InputError("transforms " + texts + " leave none of " + std::to_string(before) +
                         " coflows; allowed: those that leave some");
    }
}

void
KeepCoflows(Workload& workload, const std::function<bool(const Coflow&)>& keep)
{
    auto& coflows = workload.coflows;
    std::vector<bool> kept;
    for (const Coflow& coflow : coflows)
    {
        kept.push_back(keep(coflow));
    }
    // Parents of each removed coflow, in which removed parents are already replaced by their own
    // parents.
    std::map<CoflowId, std::vector<CoflowId>> parentsOfDropped;
    for (const std::size_t position : ParentsFirst(workload))
    {
        Coflow& coflow = coflows[position];
        std::vector<CoflowId> parents;
        for (const CoflowId parent : coflow.parents)
        {
            const auto dropped = parentsOfDropped.find(parent);
            AddIds(parents,
                   dropped == parentsOfDropped.end() ? std::vector{parent} : dropped->second);
        }
        coflow.parents = std::move(parents);
        if (!kept[position])
        {
            parentsOfDropped.emplace(coflow.id, coflow.parents);
        }
    }
    std::erase_if(coflows,
                  [&](const Coflow& coflow) { return parentsOfDropped.contains(coflow.id); });
}

TransformArgument::TransformArgument(const TransformKind& kind, const std::string& argument)
    : m_kind(kind),
      m_argument(argument),
      m_parts(SplitText(argument, ':'))
{
}

const std::string&
TransformArgument::Text(std::size_t part) const
{
    if (part >= m_parts.size())
    {
        Fail(m_kind.help);
    }
    return m_parts[part];
}

double
TransformArgument::Quantity(std::size_t part, Unit unit, double least, double most) const
{
    const auto value = ParseQuantity(Text(part), unit);
    if (!value || *value < least || *value > most)
    {
        Fail(std::string(QuantityHelp(unit)) + ", from " + FormatNumber(least) + " to " +
             FormatNumber(most));
    }
    return *value;
}

void
TransformArgument::Fail(const std::string& why) const
{
    throw InputError("transform " + m_kind.name + " is '" + m_argument +
                     "'; allowed: " + m_kind.name + "=" + m_kind.syntax + ", " + why);
}

} // namespace coflow
