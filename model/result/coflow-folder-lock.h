/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_FOLDER_LOCK_H
#define COFLOW_FOLDER_LOCK_H

#include <filesystem>

namespace coflow
{

/// Locks a folder of results for this process, until the process ends or the destructor is called.
class FolderLock
{
  public:
    /// Locks the folder. On a file system without locks, this has no effect.
    /// @param folder the folder, which exists
    /// @throws InputError where another process has locked the folder
    explicit FolderLock(const std::filesystem::path& folder);
    ~FolderLock();

    FolderLock(const FolderLock&) = delete;
    FolderLock& operator=(const FolderLock&) = delete;

  private:
    int m_descriptor; ///< file descriptor of the folder
};

} // namespace coflow

#endif // COFLOW_FOLDER_LOCK_H
