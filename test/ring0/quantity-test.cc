/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "coflow-expect-error.h"

#include "ns3/coflow-parameter.h"
#include "ns3/coflow-quantity.h"
#include "ns3/coflow-text.h"

#include <gtest/gtest.h>
#include <limits>
#include <sstream>

using namespace coflow;

TEST(Quantity, ReadsNumbersWithTheUnitsSuffixes)
{
    EXPECT_EQ(ParseQuantity("5MB", Unit::BYTES), 5e6);
    EXPECT_EQ(ParseQuantity("64KiB", Unit::BYTES), 65536);
    EXPECT_EQ(ParseQuantity("32.3MB", Unit::BYTES), 32300000);
    EXPECT_EQ(ParseQuantity("8.2Gbps", Unit::BITS_PER_SECOND), 8.2e9);
    EXPECT_EQ(ParseQuantity("1.5e3", Unit::BYTES), 1500);
    EXPECT_EQ(ParseQuantity("2e1GB", Unit::BYTES), 2e10);
    EXPECT_EQ(ParseQuantity("20ms", Unit::SECONDS), 0.02);
    EXPECT_EQ(ParseQuantity("10Gbps", Unit::BITS_PER_SECOND), 1e10);
    EXPECT_EQ(ParseQuantity("12", Unit::COUNT), 12);
    EXPECT_EQ(ParseQuantity("-0.5", Unit::NUMBER), -0.5);
}

TEST(Quantity, RefusesEverythingElse)
{
    for (const char* text : {"", "MB", "5 MB", "5mb", "5Mbps", "5MBx", "x5", "nan", "inf", "1e999"})
    {
        EXPECT_FALSE(ParseQuantity(text, Unit::BYTES)) << text;
    }
    EXPECT_FALSE(ParseQuantity("1.5", Unit::COUNT));
    EXPECT_FALSE(ParseQuantity("1kB", Unit::COUNT));
}

TEST(Quantity, ASmallRateWantsItsUnit)
{
    for (const char* text : {"10", "1", "0.5", "999"})
    {
        EXPECT_FALSE(ParseQuantity(text, Unit::BITS_PER_SECOND)) << text;
    }
    EXPECT_EQ(ParseQuantity("10bps", Unit::BITS_PER_SECOND), 10);
    EXPECT_EQ(ParseQuantity("1000", Unit::BITS_PER_SECOND), 1000);
    EXPECT_EQ(ParseQuantity("0", Unit::BITS_PER_SECOND), 0);
    // What a parameter says of itself can be read again.
    const ParameterSpec spec{"rate", Unit::BITS_PER_SECOND, 1, 1, 1e15, "", ""};
    EXPECT_EQ(spec.Default(), "1bps");
    EXPECT_EQ(spec.Parse(spec.Default()), 1);
}

TEST(Text, WordsAreQuotedForAShell)
{
    EXPECT_EQ(ShellQuote("--linkRate=10Gbps"), "--linkRate=10Gbps");
    EXPECT_EQ(ShellQuote("a b"), "'a b'");
    EXPECT_EQ(ShellQuote("a'b"), "'a'\"'\"'b'");
    EXPECT_EQ(ShellQuote("a|b"), "'a|b'");
    EXPECT_EQ(ShellQuote("$(x)"), "'$(x)'");
    EXPECT_EQ(ShellQuote(""), "''");
    EXPECT_EQ(ShellQuote("\xC3\xA4"), "'\xC3\xA4'");
}

TEST(Text, TheNearestNameIsOfEitherCase)
{
    const std::vector<std::string> known{"leaf", "spine", "edge"};
    EXPECT_EQ(FindNearest("spime", known), "spine");
    EXPECT_EQ(FindNearest("SPINE", known), "spine");
    EXPECT_EQ(FindNearest("nothing", known), "");
    EXPECT_EQ(SuggestName("ege", known), " (perhaps edge)");
    EXPECT_EQ(SuggestName("nothing", known), "");
}

TEST(Text, FixedPointIsExact)
{
    EXPECT_EQ(ParseFixedPoint("0.1", 9), 100'000'000);
    EXPECT_EQ(ParseFixedPoint("9223372036.854775807", 9), INT64_MAX);
    EXPECT_FALSE(ParseFixedPoint("9223372036.854775808", 9));
    EXPECT_FALSE(ParseFixedPoint(".5", 9));
    EXPECT_FALSE(ParseFixedPoint("1.0000000000", 9));
    for (const std::int64_t value :
         {std::int64_t{0}, std::int64_t{7}, std::int64_t{1'500'000'000}, INT64_MAX})
    {
        EXPECT_EQ(ParseFixedPoint(FormatFixedPoint(value, 9), 9), value);
    }
    EXPECT_EQ(FormatFixedPoint(1250, 3), "1.25");
    EXPECT_EQ(FormatFixedPoint(1000, 3), "1");
    EXPECT_EQ(FormatFixedPoint(5, 3), "0.005");
    EXPECT_EQ(FormatFixedPoint(120, 0), "120");
}

TEST(Text, LinesEndInLfOrCrLf)
{
    std::istringstream in("a\r\n\nb\r\r\nc \n\r\n \t\n");
    TextLines lines(in, "f");
    std::vector<std::string> seen;
    while (lines.Next())
    {
        seen.emplace_back(lines.Line());
    }
    EXPECT_EQ(seen, (std::vector<std::string>{"a", "", "b\r", "c"}));
    EXPECT_EQ(lines.Number(), 4U);
}

namespace
{

Parameters
Make(const std::vector<std::string>& assignments)
{
    return Parameters("thing",
                      {{"hosts", Unit::COUNT, 4, 2, 100, "number of hosts"},
                       {"bytes", Unit::BYTES, 1000, 0, 1e9, "size"}},
                      assignments);
}

} // namespace

TEST(Parameters, TakesValuesAndDefaults)
{
    const Parameters parameters = Make({"bytes=2kB"});
    EXPECT_EQ(parameters.Count("hosts"), 4U);
    EXPECT_EQ(parameters.Size("bytes"), 2000);
    EXPECT_EQ(parameters.Text(), "hosts=4 bytes=2000");
    EXPECT_EQ(Make({}).Text(), "hosts=4 bytes=1000");
}

TEST(Parameters, TellsWhatIsAllowed)
{
    const auto error = [](const std::vector<std::string>& assignments) {
        return test::ErrorOf([&] { Make(assignments); });
    };
    EXPECT_EQ(error({"host=3"}),
              "thing: parameter is 'host=3'; allowed: NAME=VALUE with NAME one of hosts, bytes");
    EXPECT_EQ(error({"hosts"}),
              "thing: parameter is 'hosts'; allowed: NAME=VALUE with NAME one of hosts, bytes");
    EXPECT_EQ(error({"hosts=1"}), "thing: hosts is '1'; allowed: a whole number, from 2 to 100");
    EXPECT_EQ(error({"bytes=2GB"}),
              "thing: bytes is '2GB'; allowed: a number of bytes, such as 1500, 5MB or 64KiB, from "
              "0 to 1e+09 bytes");
    EXPECT_EQ(error({"hosts=3", "hosts=3"}), "thing: hosts is given twice; allowed: once");
}

TEST(Quantity, ReadsFractionsMinutesAndHours)
{
    EXPECT_EQ(ParseQuantity("1/250", Unit::NUMBER), 0.004);
    EXPECT_EQ(ParseQuantity("3/0", Unit::NUMBER), std::nullopt);
    EXPECT_EQ(ParseQuantity("1/", Unit::NUMBER), std::nullopt);
    EXPECT_EQ(ParseQuantity("1/2/3", Unit::NUMBER), std::nullopt);
    EXPECT_EQ(ParseQuantity("1/2", Unit::BYTES), std::nullopt);
    EXPECT_EQ(ParseQuantity("2min", Unit::SECONDS), 120);
    EXPECT_EQ(ParseQuantity("1.5h", Unit::SECONDS), 5400);
}

TEST(Parameters, DefaultsThatScaleFollowTheWorkload)
{
    const double infinite = std::numeric_limits<double>::infinity();
    const std::vector<ParameterSpec> specs{
        {"T", Unit::SECONDS, 2, 1e-3, infinite, "", "", Scaling::WORKLOAD},
        {"never", Unit::SECONDS, infinite, 0, infinite, "", "", Scaling::WORKLOAD},
        {"off", Unit::SECONDS, 0, 0, 10, "", "", Scaling::WORKLOAD},
        {"bypass", Unit::BYTES, 25e6, 0, 1e18, "", "", Scaling::WORKLOAD},
        {"rtt", Unit::SECONDS, 1, 0, 10, ""}};
    const auto at = [&specs](double scale, const std::vector<std::string>& given) {
        return Parameters("thing", ScaleDefaults(specs, scale), given).Text();
    };
    EXPECT_EQ(at(1, {}), "T=2 never=inf off=0 bypass=2.5e+07 rtt=1");
    EXPECT_EQ(at(1.0 / 250, {}), "T=0.008 never=inf off=0 bypass=1e+05 rtt=1");
    // Not below what is allowed, and no byte is cut.
    EXPECT_EQ(at(1e-9, {}), "T=0.001 never=inf off=0 bypass=1 rtt=1");
    // What is given counts as given.
    EXPECT_EQ(at(0.5, {"T=2", "bypass=1kB"}), "T=2 never=inf off=0 bypass=1000 rtt=1");
}

TEST(Parameters, HaveFlagsChoicesAndEndlessRanges)
{
    const double infinite = std::numeric_limits<double>::infinity();
    const std::vector<ParameterSpec> specs{
        ParameterSpec::Flag("backfill", true, "hand out what is left", "Varys"),
        ParameterSpec::Choice("mode", {"static", "wfq"}, "how ports share", "NC-DRF"),
        {"T", Unit::SECONDS, 2, 0, infinite, "interval"}};
    const Parameters byDefault("thing", specs, {});
    EXPECT_TRUE(byDefault.Flag("backfill"));
    EXPECT_TRUE(byDefault.Is("mode", "static"));
    EXPECT_EQ(byDefault.Time("T"), 2'000'000'000);
    EXPECT_EQ(byDefault.Text(), "backfill=true mode=static T=2");

    const Parameters given("thing", specs, {"backfill=false", "mode=wfq", "T=inf"});
    EXPECT_FALSE(given.Flag("backfill"));
    EXPECT_TRUE(given.Is("mode", "wfq"));
    EXPECT_EQ(given.Time("T"), NEVER);

    const auto error = [&specs](const std::string& assignment) {
        return test::ErrorOf([&] { Parameters("thing", specs, {assignment}); });
    };
    EXPECT_EQ(error("backfill=1"), "thing: backfill is '1'; allowed: true or false");
    EXPECT_EQ(error("mode=both"), "thing: mode is 'both'; allowed: static, wfq");
    EXPECT_EQ(error("T=-1"),
              "thing: T is '-1'; allowed: a time, such as 0.5, 20ms or 10s, from 0 on "
              "s, or inf");
    for (const ParameterSpec& spec : specs)
    {
        EXPECT_EQ(spec.Parse(spec.Default()), spec.defaultValue) << spec.name;
    }
}
