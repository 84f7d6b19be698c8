/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_FOLDER_LOCK_H
#define COFLOW_FOLDER_LOCK_H

#include <filesystem>

namespace coflow
{

/// Keeps a folder of results for one process, until its end or the destructor.
class FolderLock
{
  public:
    /// On a file system that has no locks nothing is kept, and nothing is refused.
    /// @param folder which exists
    /// @throws InputError where another process keeps it
    explicit FolderLock(const std::filesystem::path& folder);
    ~FolderLock();

    FolderLock(const FolderLock&) = delete;
    FolderLock& operator=(const FolderLock&) = delete;

  private:
    int m_descriptor; ///< of the folder
};

} // namespace coflow

#endif // COFLOW_FOLDER_LOCK_H
