/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-comparison.h"

#include "ns3/coflow-error.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <iostream>
#include <map>
#include <stdexcept>
#include <sys/mman.h>
#include <sys/wait.h>
#include <type_traits>
#include <unistd.h>

namespace ns3::coflow
{

using ::coflow::InputError;

namespace
{

static_assert(std::is_trivially_copyable_v<ComparisonRow>, "is sent through a pipe as it is");
static_assert(std::is_trivially_copyable_v<ComparedCoflow>, "is in memory that is shared");

/// Coflows in memory that this process shares with the processes that it starts.
class SharedCoflows
{
  public:
    explicit SharedCoflows(std::size_t size)
        : m_size(std::max<std::size_t>(size, 1))
    {
        void* memory = ::mmap(nullptr,
                              m_size * sizeof(ComparedCoflow),
                              PROT_READ | PROT_WRITE,
                              MAP_SHARED | MAP_ANONYMOUS,
                              -1,
                              0);
        if (memory == MAP_FAILED)
        {
            throw std::runtime_error("cannot share memory between processes");
        }
        m_coflows = static_cast<ComparedCoflow*>(memory);
    }

    ~SharedCoflows()
    {
        ::munmap(m_coflows, m_size * sizeof(ComparedCoflow));
    }

    SharedCoflows(const SharedCoflows&) = delete;
    SharedCoflows& operator=(const SharedCoflows&) = delete;

    std::span<ComparedCoflow> Part(std::size_t begin, std::size_t size) const
    {
        return {m_coflows + begin, size};
    }

  private:
    std::size_t m_size;
    ComparedCoflow* m_coflows;
};

/// A process that runs one scheduler, and the pipe of its answer. The answer is the letter R, a row
/// and the findings, or the letter E and an error message.
struct Worker
{
    std::size_t index; ///< position of the scheduler
    int pipe;          ///< file descriptor to read from
};

void
WriteAll(int pipe, const char* data, std::size_t size)
{
    while (size > 0)
    {
        const auto written = ::write(pipe, data, size);
        if (written <= 0)
        {
            return;
        }
        data += written;
        size -= static_cast<std::size_t>(written);
    }
}

/// @return the texts of findings, each followed by a NUL
std::string
Pack(const std::vector<::coflow::Finding>& findings)
{
    std::string packed;
    for (const auto& finding : findings)
    {
        for (const auto* text : {&finding.id, &finding.sentence, &finding.change})
        {
            packed.append(*text).push_back('\0');
        }
    }
    return packed;
}

std::vector<::coflow::Finding>
Unpack(const std::string& packed)
{
    std::vector<::coflow::Finding> findings;
    for (std::size_t at = 0; at < packed.size();)
    {
        auto& finding = findings.emplace_back();
        for (auto* text : {&finding.id, &finding.sentence, &finding.change})
        {
            *text = packed.c_str() + at;
            at += text->size() + 1;
        }
    }
    return findings;
}

[[noreturn]] void
Work(int pipe, const std::function<ComparedRun()>& run)
{
    try
    {
        const auto [row, findings] = run();
        std::string answer(1 + sizeof(row), 'R');
        std::memcpy(answer.data() + 1, &row, sizeof(row));
        answer += Pack(findings);
        WriteAll(pipe, answer.data(), answer.size());
    }
    catch (const std::exception& error)
    {
        const auto answer = std::string("E") + error.what();
        WriteAll(pipe, answer.data(), answer.size());
    }
    // Ends without destructors, because the objects belong to the parent process.
    std::cout.flush();
    std::fflush(nullptr);
    ::_exit(0);
}

} // namespace

std::vector<ComparedRun>
RunComparison(const std::vector<std::string>& names,
              unsigned jobs,
              std::size_t coflows,
              std::size_t baseline,
              const std::function<ComparedRun(const std::string&, std::span<ComparedCoflow>)>& run,
              const std::function<void(const std::string&)>& done)
{
    std::cout.flush();
    std::fflush(nullptr);
    std::vector<ComparisonRow> rows(names.size());
    std::vector<ComparedRun> runs(names.size());
    std::vector<std::string> errors(names.size());
    const SharedCoflows shared(names.size() * coflows);
    std::map<pid_t, Worker> workers;
    std::size_t next = 0;
    while (next < names.size() || !workers.empty())
    {
        while (next < names.size() && workers.size() < std::max(jobs, 1U))
        {
            int ends[2];
            if (::pipe(ends) != 0)
            {
                throw std::runtime_error("cannot create a pipe");
            }
            const pid_t child = ::fork();
            if (child == 0)
            {
                ::close(ends[0]);
                Work(ends[1], [&] {
                    const auto part = shared.Part(next * coflows, coflows);
                    std::ranges::fill(part, ComparedCoflow());
                    return run(names[next], part);
                });
            }
            ::close(ends[1]);
            if (child < 0)
            {
                throw std::runtime_error("cannot start a process");
            }
            workers[child] = {next, ends[0]};
            ++next;
        }
        int status = 0;
        const pid_t ended = ::wait(&status);
        const auto worker = workers.find(ended);
        if (worker == workers.end())
        {
            continue;
        }
        // An answer fits into the buffer of the pipe, so the process could end before this read.
        std::string answer;
        char buffer[4096];
        for (ssize_t got; (got = ::read(worker->second.pipe, buffer, sizeof(buffer))) > 0;)
        {
            answer.append(buffer, static_cast<std::size_t>(got));
        }
        ::close(worker->second.pipe);
        const auto index = worker->second.index;
        workers.erase(worker);
        constexpr auto SIZE = 1 + sizeof(ComparisonRow);
        if (answer.size() >= SIZE && answer[0] == 'R')
        {
            std::memcpy(&rows[index], answer.data() + 1, sizeof(ComparisonRow));
            runs[index].findings = Unpack(answer.substr(SIZE));
            done(names[index]);
        }
        else if (!answer.empty() && answer[0] == 'E')
        {
            errors[index] = answer.substr(1);
        }
        else
        {
            errors[index] =
                "the run of scheduler " + names[index] + " ended without a result" +
                (WIFSIGNALED(status) ? " by signal " + std::to_string(WTERMSIG(status)) : "");
        }
    }
    for (const auto& error : errors)
    {
        if (!error.empty())
        {
            throw InputError(error);
        }
    }
    std::vector<std::span<const ComparedCoflow>> compared;
    for (std::size_t i = 0; i < names.size(); ++i)
    {
        compared.emplace_back(shared.Part(i * coflows, coflows));
    }
    MakeComparable(rows, compared, baseline);
    for (std::size_t i = 0; i < names.size(); ++i)
    {
        runs[i].row = rows[i];
    }
    return runs;
}

} // namespace ns3::coflow
