/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-error.h"
#include "ns3/coflow-option-table.h"

#include <gtest/gtest.h>

using namespace ns3::coflow;
using ::coflow::InputError;

namespace
{

class OptionTableTest : public testing::Test
{
  protected:
    OptionTableTest()
    {
        m_table.AddSection("Some options");
        m_table.Add("size", "BYTES", "first line\nsecond line", [this](const std::string& value) {
            m_sizes.push_back(value);
        });
        m_table.AddFlag("loud", "says more", m_loud);
    }

    std::string Refusal(const std::vector<std::string>& arguments) const
    {
        try
        {
            m_table.Parse(arguments);
        }
        catch (const InputError& error)
        {
            return error.what();
        }
        return "";
    }

    OptionTable m_table;
    std::vector<std::string> m_sizes;
    bool m_loud{false};
};

} // namespace

TEST_F(OptionTableTest, SetsWhatIsGiven)
{
    EXPECT_TRUE(m_table.Parse({"--loud", "--size=a=b"}).empty());
    EXPECT_EQ(m_sizes, (std::vector<std::string>{"a=b"}));
    EXPECT_TRUE(m_loud);
}

TEST_F(OptionTableTest, RefusesWhatIsGivenTwice)
{
    EXPECT_EQ(Refusal({"--size=1", "--size=1"}), "option --size is given twice; allowed: once");
}

TEST_F(OptionTableTest, HandsOnWhatItDoesNotKnow)
{
    const auto unknown = m_table.Parse({"--other=3", "--strange"});
    ASSERT_EQ(unknown.size(), 2U);
    EXPECT_EQ(unknown[0].name, "other");
    EXPECT_EQ(unknown[0].value, "3");
    EXPECT_EQ(unknown[1].name, "strange");
    EXPECT_FALSE(unknown[1].value);
    EXPECT_EQ(m_table.GetNearest("sise"), "size");
    EXPECT_EQ(m_table.GetNearest("quite-different"), "");
}

TEST_F(OptionTableTest, RefusesWhatIsNoOption)
{
    EXPECT_NE(Refusal({"size=1"}).find("'size=1' is no option"), std::string::npos);
    EXPECT_NE(Refusal({"--"}).find("is no option"), std::string::npos);
    EXPECT_NE(Refusal({"--size"}).find("allowed: --size=BYTES"), std::string::npos);
    EXPECT_NE(Refusal({"--loud=1"}).find("takes no value"), std::string::npos);
}

TEST_F(OptionTableTest, AlignsItsHelp)
{
    EXPECT_EQ(m_table.GetHelp(),
              "\nSome options\n"
              "  --size=BYTES               first line\n"
              "                             second line\n"
              "  --loud                     says more\n");
}

TEST(ParseNumber, TakesNumbersInTheirRangeOnly)
{
    EXPECT_EQ(ParseNumber("x", "1e-3", 0, 1), 0.001);
    EXPECT_EQ(ParseCount("x", "1e6", 1, 10'000'000), 1'000'000U);
    for (const char* text : {"", "1x", "nan", "2", "-1", "0x1", " 1"})
    {
        EXPECT_THROW(ParseNumber("x", text, 0, 1), InputError) << text;
    }
    EXPECT_THROW(ParseCount("x", "1.5", 0, 2), InputError);
    EXPECT_THROW(ParseCount("x", "1e17", 0, UINT64_MAX), InputError) << "not every one is exact";
}
