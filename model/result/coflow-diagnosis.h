/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_DIAGNOSIS_H
#define COFLOW_DIAGNOSIS_H

#include "ns3/coflow-diagnosis-checks.h"
#include "ns3/coflow-json.h"
#include "ns3/coflow-run-facts.h"

#include <string>
#include <vector>

namespace coflow
{

/// @param facts facts of a run
/// @return the findings of all checks
std::vector<Finding> Diagnose(const RunFacts& facts);

/// @param findings findings of a run
/// @return a JSON array for summary.json: id, finding, change
Json ToJson(const std::vector<Finding>& findings);

/// @param findings findings of a run
/// @return text with two lines for each finding; empty without findings
std::string Format(const std::vector<Finding>& findings);

/// @param names names of several runs
/// @param findings findings of each run, in the same order
/// @return text for all runs together. A finding that several runs share is in the text once, with
///         the names of these runs
std::string Format(const std::vector<std::string>& names,
                   const std::vector<std::vector<Finding>>& findings);

} // namespace coflow

#endif // COFLOW_DIAGNOSIS_H
