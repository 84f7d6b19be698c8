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
#include <sys/wait.h>
#include <type_traits>
#include <unistd.h>

namespace ns3::coflow
{

using ::coflow::InputError;

namespace
{

static_assert(std::is_trivially_copyable_v<ComparisonRow>, "is sent through a pipe as it is");

/// A process that runs one scheduler, and the pipe by which it answers: the letter R and a row,
/// or the letter E and a message.
struct Worker
{
    std::size_t index; ///< of the scheduler
    int pipe;          ///< to read from
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

[[noreturn]] void
Work(int pipe, const std::string& name, const std::function<ComparisonRow(const std::string&)>& run)
{
    try
    {
        const auto row = run(name);
        char answer[1 + sizeof(row)]{'R'};
        std::memcpy(answer + 1, &row, sizeof(row));
        WriteAll(pipe, answer, sizeof(answer));
    }
    catch (const std::exception& error)
    {
        const auto answer = std::string("E") + error.what();
        WriteAll(pipe, answer.data(), answer.size());
    }
    // Leaves without the destructors of what belongs to the parent process.
    std::cout.flush();
    std::fflush(nullptr);
    ::_exit(0);
}

} // namespace

std::vector<ComparisonRow>
RunComparison(const std::vector<std::string>& names,
              unsigned jobs,
              const std::function<ComparisonRow(const std::string&)>& run,
              const std::function<void(const std::string&)>& done)
{
    std::cout.flush();
    std::fflush(nullptr);
    std::vector<ComparisonRow> rows(names.size());
    std::vector<std::string> errors(names.size());
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
                Work(ends[1], names[next], run);
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
        // An answer is shorter than what a pipe holds, so nothing was lost by not reading before.
        std::string answer;
        char buffer[4096];
        for (ssize_t got; (got = ::read(worker->second.pipe, buffer, sizeof(buffer))) > 0;)
        {
            answer.append(buffer, static_cast<std::size_t>(got));
        }
        ::close(worker->second.pipe);
        const auto index = worker->second.index;
        workers.erase(worker);
        if (answer.size() == 1 + sizeof(ComparisonRow) && answer[0] == 'R')
        {
            std::memcpy(&rows[index], answer.data() + 1, sizeof(ComparisonRow));
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
    return rows;
}

} // namespace ns3::coflow
