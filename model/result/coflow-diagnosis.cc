/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-diagnosis.h"

#include <algorithm>
#include <utility>

namespace coflow
{

std::vector<Finding>
Diagnose(const RunFacts& facts)
{
    std::vector<Finding> findings;
    for (const auto& check : AllDiagnosisChecks())
    {
        if (auto finding = check.look(facts))
        {
            finding->id = check.id;
            findings.push_back(std::move(*finding));
        }
    }
    return findings;
}

Json
ToJson(const std::vector<Finding>& findings)
{
    auto array = Json::Array();
    for (const auto& finding : findings)
    {
        array.Add(Json::Object()
                      .Set("id", finding.id)
                      .Set("finding", finding.sentence)
                      .Set("change", finding.change));
    }
    return array;
}

std::string
Format(const std::vector<Finding>& findings)
{
    return Format({""}, {findings});
}

std::string
Format(const std::vector<std::string>& names, const std::vector<std::vector<Finding>>& findings)
{
    std::vector<std::pair<Finding, std::string>> gathered;
    for (const auto& check : AllDiagnosisChecks())
    {
        for (std::size_t i = 0; i < names.size(); ++i)
        {
            for (const auto& finding : findings[i])
            {
                if (finding.id != check.id)
                {
                    continue;
                }
                const auto known = std::ranges::find_if(gathered, [&finding](const auto& entry) {
                    return entry.first.id == finding.id && entry.first.sentence == finding.sentence;
                });
                if (known == gathered.end())
                {
                    gathered.emplace_back(finding, names[i]);
                }
                else
                {
                    known->second += ", " + names[i];
                }
            }
        }
    }
    std::string text;
    for (const auto& [finding, whose] : gathered)
    {
        text += finding.id + (whose.empty() ? "" : " (" + whose + ")") + ": " + finding.sentence +
                ".\n  " + finding.change + ".\n";
    }
    return text;
}

} // namespace coflow
