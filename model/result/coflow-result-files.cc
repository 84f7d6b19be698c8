/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-result-files.h"

#include "ns3/coflow-error.h"

#include <algorithm>
#include <fstream>
#include <unistd.h>

namespace coflow
{

namespace
{

[[noreturn]] void
Fail(const std::filesystem::path& path, const std::string& what)
{
    throw InputError("cannot " + what + " '" + path.string() +
                     "'; allowed: a folder on a disk with free space that this user may write to");
}

} // namespace

ResultFiles::ResultFiles(const std::string& folder,
                         const std::string& marker,
                         std::vector<std::string> known)
    : m_folder(folder),
      m_marker(marker),
      m_known(std::move(known))
{
    std::error_code error;
    std::filesystem::create_directories(m_folder, error);
    if (error || !std::filesystem::is_directory(m_folder))
    {
        Fail(m_folder, "create the output folder");
    }
    const auto probe = Temporary("probe");
    const bool writable = std::ofstream(probe).put('\n').good();
    std::filesystem::remove(probe, error);
    if (!writable)
    {
        Fail(m_folder, "write to the output folder");
    }
}

ResultFiles::~ResultFiles()
{
    for (const auto& [name, temporary] : m_written)
    {
        std::error_code ignored;
        std::filesystem::remove(temporary, ignored);
    }
}

void
ResultFiles::Write(const std::string& name, const std::string& content)
{
    // Between the beginning and the end of a run are hours, in which somebody may have cleaned up.
    std::error_code ignored; // a file that cannot be written says so below
    std::filesystem::create_directories(m_folder, ignored);
    const auto temporary = Temporary(name);
    m_written[name] = temporary;
    std::ofstream file(temporary, std::ios::binary);
    file << content;
    file.close();
    if (!file)
    {
        Fail(temporary, "write");
    }
}

void
ResultFiles::Commit()
{
    std::error_code error;
    // Without its marker the folder does not look complete while names change.
    std::filesystem::remove(m_folder / m_marker, error);
    for (const auto& name : m_known)
    {
        if (!m_written.contains(name))
        {
            std::filesystem::remove(m_folder / name, error);
        }
    }
    const auto rename = [this](const std::string& name, const std::filesystem::path& temporary) {
        std::error_code failed;
        std::filesystem::rename(temporary, m_folder / name, failed);
        if (failed)
        {
            Fail(m_folder / name, "rename a finished file to");
        }
    };
    for (const auto& [name, temporary] : m_written)
    {
        if (name != m_marker)
        {
            rename(name, temporary);
        }
    }
    if (const auto marker = m_written.find(m_marker); marker != m_written.end())
    {
        rename(m_marker, marker->second);
    }
    m_written.clear();
}

std::filesystem::path
ResultFiles::Temporary(const std::string& name) const
{
    // The process id keeps two runs into one folder from mixing their files.
    return m_folder / ("." + name + ".part-" + std::to_string(::getpid()));
}

} // namespace coflow
