/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-error.h"
#include "ns3/coflow-fair.h"
#include "ns3/coflow-policy-registry.h"
#include "ns3/coflow-policy.h"
#include "ns3/coflow-varys.h"

#include <gtest/gtest.h>
#include <type_traits>

using namespace coflow;

namespace
{

template <class View>
concept HasRemaining = requires(const View& view) { view.remaining; };
template <class View>
concept HasBytes = requires(const View& view) { view.bytes; };
template <class View>
concept HasSizes = requires(const View& view) { view.sizes; };

// A non-clairvoyant policy that reads a size does not compile: its view has none, and
// gives no way to the one that has.
static_assert(HasRemaining<ClairvoyantView> && !HasRemaining<AttainedView>);
static_assert(HasBytes<ClairvoyantView> && !HasBytes<AttainedView>);
static_assert(HasSizes<ClairvoyantView> && !HasSizes<AttainedView>);
static_assert(!std::is_convertible_v<const AttainedView&, const ClairvoyantView&>);
static_assert(!std::is_base_of_v<AttainedView, ClairvoyantView>, "no cast leads there either");

// Whatever the base class is called with, the subclass is handed a view only.
static_assert(std::is_base_of_v<AttainedPolicy, Fair>);
static_assert(std::is_base_of_v<ClairvoyantPolicy, Varys>);

// There is no third kind of policy.
static_assert(!std::is_default_constructible_v<Policy>);

} // namespace

TEST(Registry, KnowsWhatEveryPolicyMayKnow)
{
    ASSERT_FALSE(AllPolicies().empty());
    for (const auto& [name, info] : AllPolicies())
    {
        EXPECT_EQ(name, info.name);
        EXPECT_FALSE(info.summary.empty()) << name;
        EXPECT_EQ(MakePolicy(name)->GetKnowledge(), info.knowledge) << name;
    }
    EXPECT_EQ(FindPolicy("fair").knowledge, Knowledge::ATTAINED);
    EXPECT_EQ(FindPolicy("varys").knowledge, Knowledge::CLAIRVOYANT);
}

TEST(Registry, DescribesEveryParameter)
{
    for (const auto& [name, info] : AllPolicies())
    {
        for (const ParameterSpec& spec : info.parameters)
        {
            EXPECT_FALSE(spec.help.empty()) << name << "." << spec.name;
            EXPECT_FALSE(spec.source.empty()) << name << "." << spec.name;
            EXPECT_NO_THROW(MakePolicy(name, {{spec.name, spec.Default()}}))
                << name << "." << spec.name;
        }
    }
}

TEST(Registry, RefusesWhatIsNotThere)
{
    try
    {
        MakePolicy("varis");
        FAIL();
    }
    catch (const InputError& error)
    {
        EXPECT_NE(std::string(error.what()).find("unknown scheduler 'varis'; allowed: "),
                  std::string::npos);
        EXPECT_NE(std::string(error.what()).find("varys"), std::string::npos);
    }
    EXPECT_THROW(MakePolicy("varys", {{"tee", "1"}}), InputError);
}

TEST(Parameters, RefusesValuesOutsideWhatIsAllowed)
{
    const std::vector<ParameterSpec> specs{
        ParameterSpec::Number("T", 2, 0, 10, "s", "help", "source"),
        ParameterSpec::Flag("on", true, "help", "source"),
        ParameterSpec::Choice("mode", {"static", "wfq"}, "help", "source")};
    const auto message = [&](const ParameterTexts& texts) -> std::string {
        try
        {
            const Parameters read("p", specs, texts);
            return "";
        }
        catch (const InputError& error)
        {
            return error.what();
        }
    };
    EXPECT_EQ(message({{"T", "11"}}), "p: T is '11'; allowed: a number from 0 to 10 s");
    EXPECT_EQ(message({{"T", "1x"}}), "p: T is '1x'; allowed: a number from 0 to 10 s");
    EXPECT_EQ(message({{"T", "nan"}}), "p: T is 'nan'; allowed: a number from 0 to 10 s");
    EXPECT_EQ(message({{"on", "yes"}}), "p: on is 'yes'; allowed: true or false");
    EXPECT_EQ(message({{"mode", "fast"}}), "p: mode is 'fast'; allowed: static, wfq");
    EXPECT_EQ(message({{"t", "1"}}), "p: unknown parameter 't'; allowed: T, on, mode");

    const Parameters read("p", specs, {{"T", "0.25"}, {"on", "false"}, {"mode", "wfq"}});
    EXPECT_EQ(read.Number("T"), 0.25);
    EXPECT_EQ(read.Time("T"), 250'000'000);
    EXPECT_FALSE(read.Flag("on"));
    EXPECT_TRUE(read.Is("mode", "wfq"));
    const Parameters defaults("p", specs);
    EXPECT_EQ(defaults.Time("T"), 2'000'000'000);
    EXPECT_TRUE(defaults.Flag("on"));
    EXPECT_TRUE(defaults.Is("mode", "static"));
}
