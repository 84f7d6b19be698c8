/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-generator.h"

#include "ns3/coflow-workload-check.h"

namespace coflow
{

Workload
Generate(const std::string& name, const std::vector<std::string>& assignments)
{
    const Generator& generator = Generators::Find(name);
    const Parameters parameters("generator " + name, generator.parameters, assignments);
    Workload workload = generator.make(parameters);
    SortCoflows(workload);
    CheckWorkload(workload, "generator " + name);
    workload.history.push_back("generator " + name + " " + parameters.Text());
    return workload;
}

} // namespace coflow
