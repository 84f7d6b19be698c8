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

/// The file of a run's folder that is written last. A folder with this file has a complete result.
inline constexpr const char* SUMMARY_FILE = "summary.json";

/// The file of a comparison's folder that is written last. Each run of the comparison has a folder
/// in this folder.
inline constexpr const char* COMPARISON_FILE = "comparison.csv";

/// A folder of result files, which shows whether the result is complete.
///
/// The constructor checks before a long run that the folder can be written to. Files are written
/// under temporary names. Commit() renames them, the marker file last. So a folder with the marker
/// file has exactly one complete run. An earlier result stays until Commit(). Without Commit(), the
/// destructor removes the temporary files.
///
/// A folder that exists must be empty, or must have an earlier result of the same kind that may be
/// replaced. Other files beside an earlier result stay. Names that begin with a point do not count.
/// While this object exists, no other run can use the folder.
class ResultFiles
{
  public:
    /// @param folder the folder, which is created with its parents where it does not exist
    /// @param marker the marker file of a complete folder: SUMMARY_FILE or COMPARISON_FILE
    /// @param known all file names that a run may write. Commit() removes files of an earlier run
    ///        with these names that this run does not write
    /// @param replace whether an earlier result may be replaced
    /// @throws InputError where the folder cannot be created or written to, or has other content
    ResultFiles(const std::string& folder,
                const std::string& marker,
                std::vector<std::string> known,
                bool replace);
    ~ResultFiles();

    ResultFiles(const ResultFiles&) = delete;
    ResultFiles& operator=(const ResultFiles&) = delete;

    /// Writes one file under a temporary name. Creates the folder again where it was removed.
    /// @param name one of the known names
    /// @param content the whole file
    /// @throws InputError where the file could not be written, for example on a full disk
    void Write(const std::string& name, const std::string& content);

    /// Renames all written files to their final names.
    /// @throws InputError where a file cannot be renamed
    void Commit();

  private:
    std::filesystem::path m_folder;
    std::string m_marker;
    std::vector<std::string> m_known;
    std::optional<FolderLock> m_lock;
    bool m_isNew{false}; ///< this object has created the folder, and Commit() was not called
    std::map<std::string, std::unique_ptr<OutputFile>> m_written;
};

/// @param folder a folder of results
/// @param marker SUMMARY_FILE or COMPARISON_FILE
/// @return whether the folder has a complete result of this kind
bool HoldsResult(const std::filesystem::path& folder, const std::string& marker);

} // namespace coflow

#endif // COFLOW_RESULT_FILES_H
