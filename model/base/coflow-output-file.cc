/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-output-file.h"

#include "ns3/coflow-error.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <iostream>
#include <optional>
#include <random>
#include <streambuf>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace coflow
{

namespace
{

namespace fs = std::filesystem;

constexpr const char* TEMPORARY_PREFIX = ".coflow-";
constexpr const char* TEMPORARY_SUFFIX = ".part";

/// @return the status of a file; none where the file does not exist
std::optional<struct stat>
StatusOf(const fs::path& path)
{
    struct stat state{};
    return ::stat(path.c_str(), &state) == 0 ? std::optional(state) : std::nullopt;
}

/// @return the file descriptor of this process that a path names, such as /dev/stdout or /dev/fd/3;
///         none where the path does not name a descriptor
std::optional<int>
FindOwnDescriptor(const fs::path& path)
{
    std::error_code error;
    const auto folder = fs::canonical(path.parent_path(), error).string();
    const auto name = path.filename().string();
    const bool isNumber =
        !name.empty() && name.size() < 9 &&
        std::ranges::all_of(name, [](unsigned char c) { return std::isdigit(c); });
    const bool isOurs =
        folder.starts_with("/proc/" + std::to_string(::getpid()) + "/") && folder.ends_with("/fd");
    return !error && isNumber && isOurs ? std::optional(std::stoi(name)) : std::nullopt;
}

/// Follows symbolic links, except links to a file descriptor of this process. Returns the final
/// path, which need not exist.
fs::path
FollowLinks(fs::path path)
{
    constexpr int MOST = 40;
    std::error_code error;
    for (int i = 0; i < MOST && fs::is_symlink(fs::symlink_status(path, error)); ++i)
    {
        if (FindOwnDescriptor(path))
        {
            return path;
        }
        const auto next = fs::read_symlink(path, error);
        path = next.is_absolute() ? next : path.parent_path() / next;
    }
    return path;
}

/// @return a random name for a temporary file
std::string
MakeTemporaryName()
{
    constexpr std::string_view LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789";
    std::random_device random;
    std::string name(TEMPORARY_PREFIX);
    for (int i = 0; i < 12; ++i)
    {
        name += LETTERS[random() % LETTERS.size()];
    }
    return name + TEMPORARY_SUFFIX;
}

/// Whether two paths name the same file. The file need not exist. A character device never counts
/// as the same file.
bool
IsSameFile(const std::string& a, const std::string& b)
{
    const auto first = StatusOf(a);
    const auto second = StatusOf(b);
    if (first && second)
    {
        return first->st_dev == second->st_dev && first->st_ino == second->st_ino &&
               !S_ISCHR(first->st_mode);
    }
    std::error_code error;
    const auto resolve = [&error](const std::string& path) {
        return fs::weakly_canonical(fs::absolute(FollowLinks(path)), error);
    };
    return !first && !second && resolve(a) == resolve(b);
}

} // namespace

/// Writes to a file descriptor, and stores the first error.
class OutputFile::Buffer : public std::streambuf
{
  public:
    explicit Buffer(int descriptor)
        : m_descriptor(descriptor)
    {
        setp(m_bytes.data(), m_bytes.data() + m_bytes.size());
    }

    ~Buffer() override
    {
        Close();
    }

    Buffer(const Buffer&) = delete;
    Buffer& operator=(const Buffer&) = delete;

    int Descriptor() const
    {
        return m_descriptor;
    }

    /// Writes the rest and closes the file descriptor. Returns the first error (errno); 0: no
    /// error.
    int Close()
    {
        if (m_descriptor >= 0)
        {
            sync();
            if (::close(m_descriptor) != 0 && m_error == 0)
            {
                m_error = errno;
            }
            m_descriptor = -1;
        }
        return m_error;
    }

  protected:
    int sync() override
    {
        const char* next = pbase();
        while (next < pptr() && m_error == 0)
        {
            const auto written =
                ::write(m_descriptor, next, static_cast<std::size_t>(pptr() - next));
            if (written < 0 && errno != EINTR)
            {
                m_error = errno;
            }
            next += std::max<ssize_t>(written, 0);
        }
        setp(m_bytes.data(), m_bytes.data() + m_bytes.size());
        return m_error == 0 ? 0 : -1;
    }

    int_type overflow(int_type next) override
    {
        if (sync() != 0)
        {
            return traits_type::eof();
        }
        if (!traits_type::eq_int_type(next, traits_type::eof()))
        {
            *pptr() = traits_type::to_char_type(next);
            pbump(1);
        }
        return traits_type::not_eof(next);
    }

  private:
    int m_descriptor;
    int m_error{0};
    std::array<char, 1 << 16> m_bytes;
};

OutputFile::OutputFile(std::string what, const std::string& path)
    : m_what(std::move(what)),
      m_path(path),
      m_target(FollowLinks(path)),
      m_out(nullptr)
{
    int descriptor = -1;
    const auto state = StatusOf(m_path);
    if (m_path.empty())
    {
        Fail(ENOENT);
    }
    std::error_code error;
    const auto own = FindOwnDescriptor(m_target);
    if (!own && fs::is_symlink(fs::symlink_status(m_target, error)))
    {
        Fail(ELOOP);
    }
    if (own)
    {
        descriptor = ::fcntl(*own, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    }
    else if (state && !S_ISREG(state->st_mode))
    {
        descriptor = ::open(m_path.c_str(), O_WRONLY | O_NOCTTY | O_CLOEXEC);
    }
    else
    {
        OpenTemporary();
        return;
    }
    if (descriptor < 0)
    {
        Fail(errno);
    }
    m_buffer = std::make_unique<Buffer>(descriptor);
    m_out.rdbuf(m_buffer.get());
}

OutputFile::~OutputFile()
{
    m_buffer.reset();
    if (!m_temporary.empty())
    {
        ::unlink(m_temporary.c_str());
    }
}

void
OutputFile::OpenTemporary()
{
    const auto earlier = StatusOf(m_target);
    if (earlier && ::access(m_target.c_str(), W_OK) != 0)
    {
        Fail(errno); // A write-protected file is not replaced.
    }
    int descriptor = -1;
    while (descriptor < 0)
    {
        const auto name = m_target.parent_path() / MakeTemporaryName();
        descriptor = ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (descriptor < 0 && errno != EEXIST)
        {
            Fail(errno);
        }
        // The lock tells other processes that this file is being written. If RemoveAbandonedFiles()
        // of another process has removed the file before the lock, another name is tried.
        struct stat state{};
        if (descriptor >= 0 && ::flock(descriptor, LOCK_EX) == 0 &&
            ::fstat(descriptor, &state) == 0 && state.st_nlink == 0)
        {
            ::close(descriptor);
            descriptor = -1;
            continue;
        }
        m_temporary = descriptor >= 0 ? name : fs::path();
    }
    m_buffer = std::make_unique<Buffer>(descriptor);
    m_out.rdbuf(m_buffer.get());
    if (earlier)
    {
        // A process without the permission to change the owner remains the owner.
        [[maybe_unused]] const int owned = ::fchown(descriptor, earlier->st_uid, earlier->st_gid);
        if (::fchmod(descriptor, earlier->st_mode & 07777) != 0)
        {
            const int error = errno;
            m_buffer.reset();
            ::unlink(m_temporary.c_str());
            Fail(error);
        }
    }
}

std::ostream&
OutputFile::Out()
{
    return m_out;
}

void
OutputFile::Commit()
{
    // A duplicate of the descriptor holds the lock until the file is renamed, so that no other
    // process removes the temporary file.
    const Buffer lock(::fcntl(m_buffer->Descriptor(), F_DUPFD_CLOEXEC, STDERR_FILENO + 1));
    if (const int error = m_buffer->Close(); error != 0)
    {
        Fail(error);
    }
    if (!m_temporary.empty())
    {
        if (::rename(m_temporary.c_str(), m_target.c_str()) != 0)
        {
            Fail(errno);
        }
        m_temporary.clear();
    }
}

void
OutputFile::Fail(int error) const
{
    throw InputError(m_what + ": the file '" + m_path + "' cannot be written (" +
                     std::strerror(error) +
                     "); allowed: a file that this user may write to, in a folder that exists, on "
                     "a disk with room");
}

void
WriteFile(const std::string& what, const std::string& path, const std::string& content)
{
    OutputFile file(what, path);
    file.Out() << content;
    file.Commit();
}

void
RemoveAbandonedFiles(const fs::path& folder)
{
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(folder, error))
    {
        const auto name = entry.path().filename().string();
        if (!name.starts_with(TEMPORARY_PREFIX) || !name.ends_with(TEMPORARY_SUFFIX))
        {
            continue;
        }
        const int descriptor =
            ::open(entry.path().c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
        if (descriptor < 0)
        {
            continue;
        }
        if (::flock(descriptor, LOCK_EX | LOCK_NB) == 0)
        {
            ::unlink(entry.path().c_str());
        }
        ::close(descriptor);
    }
}

void
FinishStandardOutput()
{
    errno = 0;
    std::cout.flush();
    const bool isFlushed = std::fflush(stdout) == 0;
    if (!isFlushed || std::ferror(stdout) != 0 || !std::cout)
    {
        const std::string why = errno != 0 ? std::string(" (") + std::strerror(errno) + ")" : "";
        throw InputError("the standard output cannot be written" + why +
                         "; allowed: a file on a disk with room, a terminal or a pipe");
    }
}

void
CheckOutputs(const std::vector<NamedFile>& inputs, const std::vector<NamedFile>& outputs)
{
    for (auto output = outputs.begin(); output != outputs.end(); ++output)
    {
        const auto refuse = [&output](const NamedFile& other, const char* instead) {
            if (IsSameFile(output->path, other.path))
            {
                throw InputError(output->option + " is '" + output->path +
                                 "', the same file as that of " + other.option +
                                 "; allowed: " + instead);
            }
        };
        for (const auto& input : inputs)
        {
            refuse(input, "a file that is not read");
        }
        for (auto other = outputs.begin(); other != output; ++other)
        {
            refuse(*other, "a file of its own");
        }
    }
}

} // namespace coflow
