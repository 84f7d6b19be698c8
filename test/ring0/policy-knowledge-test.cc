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
    ASSERT_FALSE(Policies::All().empty());
    for (const auto& [name, info] : Policies::All())
    {
        EXPECT_EQ(name, info.name);
        EXPECT_FALSE(info.summary.empty()) << name;
        EXPECT_EQ(MakePolicy(name)->GetKnowledge(), info.knowledge) << name;
    }
    EXPECT_EQ(Policies::Find("fair").knowledge, Knowledge::ATTAINED);
    EXPECT_EQ(Policies::Find("varys").knowledge, Knowledge::CLAIRVOYANT);
}

TEST(Registry, DescribesEveryParameter)
{
    for (const auto& [name, info] : Policies::All())
    {
        for (const ParameterSpec& spec : info.parameters)
        {
            EXPECT_FALSE(spec.help.empty()) << name << "." << spec.name;
            EXPECT_FALSE(spec.source.empty()) << name << "." << spec.name;
            EXPECT_NO_THROW(MakePolicy(name, {spec.name + "=" + spec.Default()}))
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
        EXPECT_NE(std::string(error.what()).find("scheduler is 'varis'; allowed: "),
                  std::string::npos);
        EXPECT_NE(std::string(error.what()).find("varys"), std::string::npos);
    }
    EXPECT_THROW(MakePolicy("varys", {"tee=1"}), InputError);
}
