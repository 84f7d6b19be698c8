/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_REPLAY_PROGRAM_H
#define COFLOW_REPLAY_PROGRAM_H

#include "coflow-program.h"

#include <algorithm>
#include <string>
#include <vector>

namespace coflow::test
{

/// Its name.
inline constexpr const char* PROGRAM = "coflow-replay";

/// A run that takes no time.
inline const std::string SMALL =
    "--generate=incast,senders=4,bytes=200000 --topology=big-switch --hosts=5 ";

/// Runs coflow-replay.
class ReplayProgram : public ProgramTest
{
  protected:
    /// A debug build says so in a first line, which is left out here.
    ProgramRun Replay(const std::string& arguments) const
    {
        auto run = Run(PROGRAM, arguments);
        if (run.err.starts_with("warning: this is a debug build"))
        {
            run.err.erase(0, run.err.find('\n') + 1);
        }
        return run;
    }

    /// The run ends with status 2 and one line on standard error that has these parts.
    void ExpectRefused(const std::string& arguments, const std::vector<std::string>& parts) const
    {
        const auto run = Replay(arguments);
        EXPECT_EQ(run.status, 2) << arguments;
        EXPECT_EQ(run.out, "") << arguments;
        EXPECT_EQ(std::count(run.err.begin(), run.err.end(), '\n'), 1) << run.err;
        for (const auto& part : parts)
        {
            EXPECT_NE(run.err.find(part), std::string::npos) << run.err << " lacks " << part;
        }
    }
};

} // namespace coflow::test

#endif // COFLOW_REPLAY_PROGRAM_H
