/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Files that the package writes, in the way of the programs.

#include "bindings.h"

#include "ns3/coflow-output-file.h"
#include "ns3/coflow-run.h"

#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>
#include <string>
#include <utility>
#include <vector>

namespace ns3coflow
{

void
BindFiles(nb::module_& module)
{
    using namespace nb::literals;
    module.def(
        "write_file",
        [](const std::string& path, const nb::bytes& content) {
            ::coflow::WriteFile("output", path, std::string(content.c_str(), content.size()));
        },
        "path"_a,
        "content"_a,
        "Writes a file that appears under its name when it is complete. Links, devices and pipes\n"
        "are written through.");
    module.def(
        "check_outputs",
        [](const std::vector<std::pair<std::string, std::string>>& inputs,
           const std::vector<std::pair<std::string, std::string>>& outputs) {
            const auto name = [](const auto& pairs) {
                std::vector<::coflow::NamedFile> files;
                for (const auto& [option, path] : pairs)
                {
                    files.push_back({option, path});
                }
                return files;
            };
            ::coflow::CheckOutputs(name(inputs), name(outputs));
        },
        "inputs"_a,
        "outputs"_a,
        "Raises InputError if an output is also an input, or is written twice. Each file is a "
        "pair:\n"
        "the option that names the file, and its path.");
    module.def(
        "remove_abandoned_files",
        [](const std::string& folder) { ::coflow::RemoveAbandonedFiles(folder); },
        "folder"_a,
        "Removes the temporary files of processes that were killed in write_file().");
    module.def(
        "check_comparison_folder",
        [](const std::string& folder, bool force) {
            const ns3::coflow::ComparisonFile file(folder, force);
        },
        "folder"_a,
        "force"_a,
        "Raises InputError where a comparison cannot be written into a folder.");
    module.def(
        "write_comparison",
        [](const std::string& folder,
           const std::vector<std::string>& names,
           const std::string& table) {
            ns3::coflow::ComparisonFile(folder, true).Write(names, table);
        },
        "folder"_a,
        "names"_a,
        "table"_a,
        "Writes the table of a comparison, and removes runs of an earlier one.");
}

} // namespace ns3coflow
