/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// The examples of applications that use coflows run under a scheduler without and with a
// coordinator.

#include "coflow-program.h"

#include <string>

using namespace coflow::test;

namespace
{

class ApplicationExample : public ProgramTest
{
};

} // namespace

TEST_F(ApplicationExample, IncastAnswersAllQuestions)
{
    // Representatives: without a coordinator, and with one that knows sizes or not.
    for (const std::string scheduler : {"fair", "varys", "nc-drf"})
    {
        const auto run =
            Run("coflow-incast", "--questions=5 --bytes=50000 --scheduler=" + scheduler);
        ASSERT_EQ(run.status, 0) << run.err;
        EXPECT_EQ(run.out.find(scheduler + ": 5 questions to 8 workers, "), 0U) << run.out;
        // They are small enough to bypass; only the connections of daemons are there.
        EXPECT_EQ(run.out.find(" 0 control messages") != std::string::npos, scheduler == "fair")
            << run.out;
    }
}

TEST_F(ApplicationExample, BothStagesOfBothJobsAreDone)
{
    // Under varys they are just too large to bypass.
    for (const std::string scheduler : {"fair", "varys"})
    {
        const std::string bytes = scheduler == "fair" ? "500000" : "7000000";
        const auto run = Run("coflow-two-stage", "--bytes=" + bytes + " --scheduler=" + scheduler);
        ASSERT_EQ(run.status, 0) << run.err;
        EXPECT_NE(run.out.find(scheduler + ": both jobs are done"), std::string::npos) << run.out;
        EXPECT_LT(run.out.find("small job shuffled"), run.out.find("small job done"));
        EXPECT_LT(run.out.find("large job shuffled"), run.out.find("large job done"));
    }
}

TEST_F(ApplicationExample, UnknownSchedulersAreTold)
{
    const auto run = Run("coflow-incast", "--scheduler=none");
    EXPECT_EQ(run.status, 2);
    EXPECT_NE(run.err.find("coflow-incast: scheduler is 'none'; allowed: "), std::string::npos);
}
