/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-dcoflow.h"

#include "ns3/coflow-policy-registry.h"

namespace coflow
{

namespace
{

const auto DCOFLOW_REGISTRATION = RegisterPolicy<DCoflow>(
    "dcoflow",
    "deadlines: admission and order together from the last place on, for most in time",
    DCoflow::Specs());

const auto WDCOFLOW_REGISTRATION =
    RegisterPolicy<WDCoflow>("wdcoflow",
                             "deadlines: dcoflow with weights, for the most weight in time",
                             WDCoflow::Specs());

} // namespace

std::vector<ParameterSpec>
DCoflow::Specs()
{
    std::vector<ParameterSpec> specs = AdmittingPolicy::Specs();
    specs.push_back(ParameterSpec::Choice(
        "measure",
        {"negative", "congested"},
        "which ports count for whom to give up: those where it would be late, or those with at "
        "least 0.7 times the bottleneck's load",
        "code of DCoflow's authors has both; own choice: negative"));
    return specs;
}

DCoflow::DCoflow(const Parameters& parameters)
    : AdmittingPolicy(parameters)
{
    m_rejection.measure = parameters.Is("measure", "congested")
                              ? DeadlineRejection::Measure::CONGESTED
                              : DeadlineRejection::Measure::NEGATIVE;
}

DeadlineChoice
DCoflow::Choose(std::span<const DeadlineJob> jobs, std::size_t ports) const
{
    std::vector<DeadlineJob> alike(jobs.begin(), jobs.end());
    for (DeadlineJob& job : alike)
    {
        job.weight = 1;
    }
    return DCoflowChoice(alike, ports, m_rejection);
}

std::vector<ParameterSpec>
WDCoflow::Specs()
{
    std::vector<ParameterSpec> specs = DCoflow::Specs();
    specs.push_back(ParameterSpec::Choice(
        "candidates",
        {"late", "all"},
        "who may be given up: those that are late in the heaviest schedule of the bottleneck, or "
        "all that use it",
        "WDCoflow, 2023, has the dynamic programme: late; its code has both"));
    return specs;
}

WDCoflow::WDCoflow(const Parameters& parameters)
    : DCoflow(parameters)
{
    m_rejection.candidates = parameters.Is("candidates", "late")
                                 ? DeadlineRejection::Candidates::LATE
                                 : DeadlineRejection::Candidates::ALL;
}

DeadlineChoice
WDCoflow::Choose(std::span<const DeadlineJob> jobs, std::size_t ports) const
{
    return DCoflowChoice(jobs, ports, m_rejection);
}

} // namespace coflow
