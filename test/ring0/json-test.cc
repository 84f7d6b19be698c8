/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-format.h"
#include "ns3/coflow-json.h"
#include "ns3/coflow-text.h"

#include <cmath>
#include <cstdint>
#include <gtest/gtest.h>
#include <limits>

using namespace coflow;

TEST(Json, WritesEveryKindOfValueInTheOrderGiven)
{
    const auto json = Json::Object()
                          .Set("b", true)
                          .Set("a", -1)
                          .Set("large", std::numeric_limits<std::uint64_t>::max())
                          .Set("ratio", 0.1)
                          .Set("none", Json())
                          .Set("list", Json::Array().Add(1).Add("x"))
                          .Set("empty", Json::Object());
    EXPECT_EQ(json.ToString(),
              "{\n"
              "  \"b\": true,\n"
              "  \"a\": -1,\n"
              "  \"large\": 18446744073709551615,\n"
              "  \"ratio\": 0.1,\n"
              "  \"none\": null,\n"
              "  \"list\": [\n"
              "    1,\n"
              "    \"x\"\n"
              "  ],\n"
              "  \"empty\": {}\n"
              "}\n");
}

TEST(Json, EscapesWhatJsonForbids)
{
    EXPECT_EQ(Json("a\"b\\c\nd\x01").ToString(), "\"a\\\"b\\\\c\\nd\\u0001\"\n");
}

TEST(Json, WritesNumbersThatJsonDoesNotHaveAsNull)
{
    EXPECT_EQ(Json(std::nan("")).ToString(), "null\n");
    EXPECT_EQ(Json(std::numeric_limits<double>::infinity()).ToString(), "null\n");
}

TEST(Format, NumbersReadBackAsTheSameDouble)
{
    for (const double value : {0.1, 1.0 / 3, 1e300, -2.5, 0.0, 123456789.125})
    {
        EXPECT_EQ(std::stod(FormatNumber(value)), value);
    }
}

TEST(Format, SecondsAreExact)
{
    EXPECT_EQ(FormatSeconds(0), "0.000000000");
    EXPECT_EQ(FormatSeconds(1'500'000'001), "1.500000001");
    EXPECT_EQ(FormatSeconds(-1), "-0.000000001");
    EXPECT_EQ(FormatSeconds(NEVER), "9223372036.854775807");
    EXPECT_EQ(FormatSeconds(INT64_MIN), "-9223372036.854775808");
}

TEST(Format, RoundedNumbersKeepTheirSignificantDigits)
{
    EXPECT_EQ(FormatRounded(0), "0.000");
    EXPECT_EQ(FormatRounded(1234.567), "1235");
    EXPECT_EQ(FormatRounded(12.34567), "12.35");
    EXPECT_EQ(FormatRounded(0.00123456), "0.001235");
    EXPECT_EQ(FormatRounded(std::nan("")), "-");
    EXPECT_EQ(FormatRounded(INFINITY), "inf");
}
