/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-result-files.h"

#include "ns3/coflow-error.h"

#include <algorithm>
#include <array>
#include <fstream>

namespace coflow
{

namespace
{

namespace fs = std::filesystem;

/// A kind of result folder: the marker file, the name of the kind in messages, and texts that show
/// that this module has written the marker file.
struct Kind
{
    const char* marker;
    const char* name;
    std::vector<const char*> marks; ///< one of these texts is in the first 512 bytes of the marker
                                    ///< file
};

const std::array<Kind, 3>&
Kinds()
{
    static const std::array<Kind, 3> kinds{
        Kind{SUMMARY_FILE, "the result of a run", {"\"name\": \"ns3-coflow\""}},
        Kind{COMPARISON_FILE, "a comparison", {"scheduler,baseline,", "name,coflows,"}},
        Kind{"sweep.json", "a sweep", {"\"ns3_version\""}},
    };
    return kinds;
}

[[noreturn]] void
Fail(const fs::path& path, const std::string& what)
{
    throw InputError("cannot " + what + " '" + path.string() +
                     "'; allowed: a folder on a disk with free space that this user may write to");
}

/// @return the names in a folder that do not begin with a point
std::vector<std::string>
GetNames(const fs::path& folder)
{
    std::vector<std::string> names;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(folder, error))
    {
        const auto name = entry.path().filename().string();
        if (!name.starts_with('.'))
        {
            names.push_back(name);
        }
    }
    std::ranges::sort(names);
    return names;
}

/// Whether a folder may have the runs of an unfinished comparison: all its entries are folders that
/// have the result of a run or are empty.
bool
HoldsUnfinishedComparison(const fs::path& folder)
{
    const auto names = GetNames(folder);
    return std::ranges::all_of(names, [&folder](const auto& name) {
        const auto place = folder / name;
        return fs::is_directory(place) &&
               (HoldsResult(place, SUMMARY_FILE) || GetNames(place).empty());
    });
}

/// Throws InputError where results may not be written to a folder.
void
CheckFolder(const fs::path& folder, const std::string& marker, bool replace)
{
    const auto names = GetNames(folder);
    if (names.empty())
    {
        return;
    }
    const bool isOfKind = HoldsResult(folder, marker) ||
                          (marker == COMPARISON_FILE && HoldsUnfinishedComparison(folder));
    if (isOfKind && replace)
    {
        return;
    }
    const auto& kinds = Kinds();
    const auto held = std::ranges::find_if(kinds, [&folder](const auto& kind) {
        return HoldsResult(folder, kind.marker);
    });
    throw InputError("the output folder '" + folder.string() + "' holds " +
                     (held == kinds.end() ? "'" + names.front() + "'" : held->name) +
                     "; allowed: a folder that is new or empty" +
                     (isOfKind ? ", or --force, which replaces that result" : ""));
}

} // namespace

bool
HoldsResult(const fs::path& folder, const std::string& marker)
{
    std::array<char, 512> text{};
    std::ifstream file(folder / marker, std::ios::binary);
    file.read(text.data(), text.size());
    const std::string_view beginning(text.data(), static_cast<std::size_t>(file.gcount()));
    return std::any_of(Kinds().begin(), Kinds().end(), [&](const auto& kind) {
        return kind.marker == marker && std::ranges::any_of(kind.marks, [&](const char* mark) {
                   return beginning.find(mark) != std::string_view::npos;
               });
    });
}

ResultFiles::ResultFiles(const std::string& folder,
                         const std::string& marker,
                         std::vector<std::string> known,
                         bool replace)
    : m_folder(folder),
      m_marker(marker),
      m_known(std::move(known))
{
    std::error_code error;
    m_isNew = fs::create_directories(m_folder, error);
    if (error || !fs::is_directory(m_folder))
    {
        Fail(m_folder, "create the output folder");
    }
    m_lock.emplace(m_folder);
    CheckFolder(m_folder, marker, replace);
    try
    {
        OutputFile probe("probe", m_folder / ".probe");
        probe.Out().put('\n').flush();
        if (!probe.Out())
        {
            Fail(m_folder, "write to the output folder");
        }
    }
    catch (const InputError&)
    {
        Fail(m_folder, "write to the output folder");
    }
}

ResultFiles::~ResultFiles()
{
    m_written.clear();
    if (m_isNew)
    {
        std::error_code ignored; // the folder stays where another process has put a file into it
        fs::remove(m_folder, ignored);
    }
}

void
ResultFiles::Write(const std::string& name, const std::string& content)
{
    // The user may have removed the folder during a long run.
    std::error_code ignored; // the next statement reports a file that cannot be written
    fs::create_directories(m_folder, ignored);
    auto file = std::make_unique<OutputFile>("option --out", m_folder / name);
    file->Out() << content << std::flush;
    if (!file->Out())
    {
        Fail(m_folder / name, "write");
    }
    m_written[name] = std::move(file);
}

void
ResultFiles::Commit()
{
    m_isNew = false;
    std::error_code error;
    // Without the marker file, the folder does not look complete while files are renamed.
    fs::remove(m_folder / m_marker, error);
    for (const auto& name : m_known)
    {
        if (!m_written.contains(name))
        {
            fs::remove(m_folder / name, error);
        }
    }
    for (const auto& [name, file] : m_written)
    {
        if (name != m_marker)
        {
            file->Commit();
        }
    }
    if (const auto marker = m_written.find(m_marker); marker != m_written.end())
    {
        marker->second->Commit();
    }
    m_written.clear();
}

} // namespace coflow
