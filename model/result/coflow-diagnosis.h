/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_DIAGNOSIS_H
#define COFLOW_DIAGNOSIS_H

#include "ns3/coflow-json.h"
#include "ns3/coflow-run-facts.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace coflow
{

/// Something that has decided the numbers of a run, and that its user may not know.
struct Finding
{
    std::string id;       ///< of the check that has found it
    std::string sentence; ///< what it is, with the numbers
    std::string change;   ///< what to change, or how to read the numbers
};

/// A check of a run: one place declares what it is called, what it looks for, and when it fires.
struct DiagnosisCheck
{
    std::string id;      ///< name, in words with dashes
    std::string meaning; ///< what it looks for, for the page that lists all checks
    std::function<std::optional<Finding>(const RunFacts&)> look; ///< none: all is well
};

/// @return all checks, in the order in which their findings are told
const std::vector<DiagnosisCheck>& AllDiagnosisChecks();

/// @param facts of a run
/// @return the findings of all checks
std::vector<Finding> Diagnose(const RunFacts& facts);

/// @param findings of a run
/// @return an array for summary.json: id, finding, change
Json ToJson(const std::vector<Finding>& findings);

/// @param findings of a run
/// @return two lines for each, for a person; empty where there are none
std::string Format(const std::vector<Finding>& findings);

/// @param names of several runs
/// @param findings theirs, in the same order
/// @return the same for all runs together: what several runs share stands there once, with names
std::string Format(const std::vector<std::string>& names,
                   const std::vector<std::vector<Finding>>& findings);

} // namespace coflow

#endif // COFLOW_DIAGNOSIS_H
