/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_DIAGNOSIS_CHECKS_H
#define COFLOW_DIAGNOSIS_CHECKS_H

#include "ns3/coflow-run-facts.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace coflow
{

/// A cause of the numbers of a run, of which the user may not be aware.
struct Finding
{
    std::string id{};     ///< id of the check; set by Diagnose()
    std::string sentence; ///< the cause, with numbers
    std::string change;   ///< advice: a change, or an interpretation of the numbers
};

/// A check of a run, with its name, its meaning and its condition.
struct DiagnosisCheck
{
    std::string id;      ///< name, in words with dashes
    std::string meaning; ///< findings of the check, for the page with all checks
    std::function<std::optional<Finding>(const RunFacts&)> look; ///< runs the check; none: no
                                                                 ///< finding
};

/// @return all checks, in the order of their findings
const std::vector<DiagnosisCheck>& AllDiagnosisChecks();

} // namespace coflow

#endif // COFLOW_DIAGNOSIS_CHECKS_H
