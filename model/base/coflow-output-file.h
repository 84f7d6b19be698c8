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
/// A regular file, or a file that does not exist yet, appears under its name when Commit() has
/// checked that the whole file was written. An earlier file stays until then. The new file gets the
/// permissions of the earlier file. A symbolic link stays, and its target is written. Other files
/// (a device, a pipe, the standard output by its name in /dev) are written in place and are not
/// replaced.
class OutputFile
{
  public:
    /// @param what beginning of error messages, such as "option --segments"
    /// @param path path of the file
    /// @throws InputError where the file cannot be written
    OutputFile(std::string what, const std::string& path);

    /// Removes the temporary file, unless Commit() was called.
    ~OutputFile();

    OutputFile(const OutputFile&) = delete;
    OutputFile& operator=(const OutputFile&) = delete;

    /// The stream of the file. Commit() reports errors.
    std::ostream& Out();

    /// Ends the file and renames it to its final name; to be called once.
    /// @throws InputError where the file could not be written
    void Commit();

  private:
    class Buffer;

    [[noreturn]] void Fail(int error) const;
    void OpenTemporary();

    std::string m_what;
    std::string m_path;                ///< path from the user
    std::filesystem::path m_target;    ///< file to replace, after symbolic links were followed
    std::filesystem::path m_temporary; ///< temporary file; empty: the target is written in place
    std::unique_ptr<Buffer> m_buffer;
    std::ostream m_out;
};

/// Writes a whole file; see OutputFile.
/// @param what beginning of error messages
/// @param path path of the file
/// @param content content of the file
/// @throws InputError where the file could not be written
void WriteFile(const std::string& what, const std::string& path, const std::string& content);

/// Removes temporary files of OutputFile that a process has left when it ended. Temporary files of
/// running processes stay.
/// @param folder folder of the files; need not exist
void RemoveAbandonedFiles(const std::filesystem::path& folder);

/// Flushes the standard output.
/// @throws InputError where the output could not be written
void FinishStandardOutput();

/// A file and the name of its option, such as "--trace".
struct NamedFile
{
    std::string option;
    std::string path;
};

/// Checks that no output is an input, and that no two outputs are the same file. A character device
/// may be given several times.
/// @throws InputError that names both options
void CheckOutputs(const std::vector<NamedFile>& inputs, const std::vector<NamedFile>& outputs);

} // namespace coflow

#endif // COFLOW_OUTPUT_FILE_H
