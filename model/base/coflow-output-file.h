/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_OUTPUT_FILE_H
#define COFLOW_OUTPUT_FILE_H

#include <filesystem>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

namespace coflow
{

/// A file that a program writes. All programs write their files through this class.
///
/// A regular file, or one that does not exist yet, appears under its name when Commit() has seen
/// that all of it was written. Until then an earlier file stays as it was. The new file gets the
/// permissions of the earlier one. A symbolic link stays, and its target is written. Anything else
/// (a device, a pipe, the standard output by its name in /dev) is written as it is, not replaced.
class OutputFile
{
  public:
    /// @param what begins messages, such as "option --segments"
    /// @param path of the file
    /// @throws InputError where it cannot be written
    OutputFile(std::string what, const std::string& path);

    /// Removes what was written, unless Commit() has been called.
    ~OutputFile();

    OutputFile(const OutputFile&) = delete;
    OutputFile& operator=(const OutputFile&) = delete;

    /// Where to write. What goes wrong is told by Commit().
    std::ostream& Out();

    /// Ends the file and gives it its name; to be called once.
    /// @throws InputError where not all of it could be written
    void Commit();

  private:
    class Buffer;

    [[noreturn]] void Fail(int error) const;
    void OpenTemporary();

    std::string m_what;
    std::string m_path;                ///< as the user gave it
    std::filesystem::path m_target;    ///< what is replaced; links have been followed
    std::filesystem::path m_temporary; ///< empty: the file is written as it is
    std::unique_ptr<Buffer> m_buffer;
    std::ostream m_out;
};

/// Writes a whole file; see OutputFile.
/// @param what begins messages
/// @param path of the file
/// @param content of the file
/// @throws InputError where not all of it could be written
void WriteFile(const std::string& what, const std::string& path, const std::string& content);

/// Removes temporary files of OutputFile whose process has ended without removing them. Those that
/// a process is writing stay.
/// @param folder where to look; need not exist
void RemoveAbandonedFiles(const std::filesystem::path& folder);

/// Ends what a program has printed.
/// @throws InputError where not all of it could be written
void FinishStandardOutput();

/// A file and what names it, such as "--trace".
struct NamedFile
{
    std::string option;
    std::string path;
};

/// Sees that no output is an input, and no two outputs are the same file. Character devices may be
/// given several times.
/// @throws InputError that names both options
void CheckOutputs(const std::vector<NamedFile>& inputs, const std::vector<NamedFile>& outputs);

} // namespace coflow

#endif // COFLOW_OUTPUT_FILE_H
