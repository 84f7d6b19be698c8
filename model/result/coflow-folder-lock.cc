/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-folder-lock.h"

#include "ns3/coflow-error.h"

#include <cerrno>
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

namespace coflow
{

FolderLock::FolderLock(const std::filesystem::path& folder)
    : m_descriptor(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC))
{
    if (m_descriptor >= 0 && ::flock(m_descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
    {
        ::close(m_descriptor);
        throw InputError("another run is about to write to the output folder '" + folder.string() +
                         "'; allowed: a folder for each run");
    }
}

FolderLock::~FolderLock()
{
    if (m_descriptor >= 0)
    {
        ::close(m_descriptor);
    }
}

} // namespace coflow
