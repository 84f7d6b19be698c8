/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_RESULT_FILES_H
#define COFLOW_RESULT_FILES_H

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace coflow
{

/// A folder of result files that is either whole or recognisably not.
///
/// The constructor proves that the folder can be written to, before a long run
/// rather than after it. Files are written under temporary names and renamed by
/// Commit(), the marker last: a folder that holds the marker holds exactly one
/// complete run. Until Commit() an earlier result stays as it was; without it the
/// temporary files are removed.
class ResultFiles
{
  public:
    /// @param folder created, with its parents, where it does not exist
    /// @param marker the file whose presence says that the folder is complete
    /// @param known every file name that a run may write: what an earlier run left
    ///        under these names and this one does not write is removed by Commit()
    /// @throws InputError where the folder cannot be created or written to
    ResultFiles(const std::string& folder,
                const std::string& marker,
                std::vector<std::string> known);
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
    std::filesystem::path Temporary(const std::string& name) const;

    std::filesystem::path m_folder;
    std::string m_marker;
    std::vector<std::string> m_known;
    std::map<std::string, std::filesystem::path> m_written;
};

} // namespace coflow

#endif // COFLOW_RESULT_FILES_H
