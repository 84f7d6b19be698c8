/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_RESULT_FILES_H
#define COFLOW_RESULT_FILES_H

#include "ns3/coflow-folder-lock.h"
#include "ns3/coflow-output-file.h"

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace coflow
{

/// The file of a run's folder that is written last: where it is, the result is complete.
inline constexpr const char* SUMMARY_FILE = "summary.json";

/// The same of the folder of a comparison, in which each run has a folder.
inline constexpr const char* COMPARISON_FILE = "comparison.csv";

/// A folder of result files that is either whole or recognisably not.
///
/// The constructor proves that the folder can be written to, before a long run
/// rather than after it. Files are written under temporary names and renamed by
/// Commit(), the marker last: a folder that holds the marker holds exactly one
/// complete run. Until Commit() an earlier result stays as it was; without it the
/// temporary files are removed.
///
/// A folder that is not new has to be empty, or to hold an earlier result of the same kind that may
/// be replaced. What else lies there beside an earlier result stays. Names that begin with a point
/// do not count. While this is there, no other run may choose the folder.
class ResultFiles
{
  public:
    /// @param folder created, with its parents, where it does not exist
    /// @param marker the file whose presence says that the folder is complete: SUMMARY_FILE or
    ///        COMPARISON_FILE
    /// @param known every file name that a run may write: what an earlier run left
    ///        under these names and this one does not write is removed by Commit()
    /// @param replace whether an earlier result may be replaced
    /// @throws InputError where the folder cannot be created or written to, or holds something else
    ResultFiles(const std::string& folder,
                const std::string& marker,
                std::vector<std::string> known,
                bool replace);
    ~ResultFiles();

    ResultFiles(const ResultFiles&) = delete;
    ResultFiles& operator=(const ResultFiles&) = delete;

    /// Writes one file under its temporary name. Makes the folder again should it be gone.
    /// @param name one of the known names
    /// @param content the whole file
    /// @throws InputError where not everything could be written (a full disk, say)
    void Write(const std::string& name, const std::string& content);

    /// Gives all written files their names.
    /// @throws InputError where a file cannot be renamed
    void Commit();

  private:
    std::filesystem::path m_folder;
    std::string m_marker;
    std::vector<std::string> m_known;
    std::optional<FolderLock> m_lock;
    bool m_isNew{false}; ///< the folder was made here, and nothing is in it yet
    std::map<std::string, std::unique_ptr<OutputFile>> m_written;
};

/// @param folder of results
/// @param marker SUMMARY_FILE or COMPARISON_FILE
/// @return whether it holds a complete result of ours of this kind
bool HoldsResult(const std::filesystem::path& folder, const std::string& marker);

} // namespace coflow

#endif // COFLOW_RESULT_FILES_H
