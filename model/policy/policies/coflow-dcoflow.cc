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
    "deadlines: chooses coflows and their order together, to meet most deadlines",
    DCoflow::Specs());

const auto WDCOFLOW_REGISTRATION = RegisterPolicy<WDCoflow>(
    "wdcoflow",
    "deadlines: dcoflow with weights, for the largest sum of weights in time",
    WDCoflow::Specs());

} // namespace

std::vector<ParameterSpec>
DCoflow::Specs()
{
    std::vector<ParameterSpec> specs = AdmittingPolicy::Specs();
    specs.push_back(ParameterSpec::Choice(
        "measure",
        {"negative", "congested"},
        "ports that count in the choice of the coflow to reject: negative, those where it would be "
        "late; congested, those with at least 0.7 times the bottleneck's load",
        "the code of DCoflow's authors has both; own choice: negative"));
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
        "coflows that may be rejected: late, those that are late in the heaviest schedule of the "
        "bottleneck; all, all that use the bottleneck",
        "WDCoflow, 2023, has the dynamic program of late; its code has both"));
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
