/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// What parts at packet level have in common with policies of the fluid engine: the order of EDF,
// and the declarations of parameters.

#include "ns3/coflow-attribute-spec.h"
#include "ns3/coflow-dcas-agent.h"
#include "ns3/coflow-dcas.h"
#include "ns3/coflow-edf-scheduler.h"
#include "ns3/coflow-edf.h"
#include "ns3/coflow-flow-table.h"
#include "ns3/coflow-policy-registry.h"
#include "ns3/coflow-task-queue-disc.h"
#include "ns3/string.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <gtest/gtest.h>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::coflow;
using ::coflow::CoflowId;
using ::coflow::FlowId;
using ::coflow::FlowTable;
using ::coflow::Nanoseconds;
using ::coflow::TableFlow;

TEST(SameRules, KeysOfPacketsHaveTheOrderOfThePolicy)
{
    std::mt19937_64 random(1);
    FlowTable table;
    std::map<std::pair<CoflowId, FlowId>, uint64_t> keys;
    for (CoflowId id = 1; id <= 200; ++id)
    {
        ::coflow::CoflowRow row;
        row.id = id;
        row.index = static_cast<uint32_t>(id);
        row.ready = static_cast<Nanoseconds>(id);
        ::coflow::CoflowSizes sizes;
        if (random() % 4 > 0)
        {
            // Of all magnitudes, and some of them equal. Keys have units of 1024 ns.
            sizes.deadline = static_cast<Nanoseconds>((random() % 9) << (10 + random() % 48));
        }
        const auto deadline = sizes.deadline == ::coflow::NEVER
                                  ? std::nullopt
                                  : std::optional(NanoSeconds(sizes.deadline));
        std::vector<TableFlow> flows;
        for (FlowId flow = 0; flow < 4; ++flow)
        {
            const auto left = static_cast<::coflow::Bytes>((1 + random() % 5) << (random() % 40));
            flows.push_back({flow, 0, 1, left, static_cast<double>(left)});
            keys[{id, flow}] = EdfScheduler::GetKey(deadline, static_cast<uint64_t>(left));
        }
        table.Insert(row, sizes, flows);
    }
    const ::coflow::Edf policy(::coflow::Parameters("edf", {}, {}));
    uint64_t before = 0;
    for (const auto f : policy.Order(table.Clairvoyant(0)))
    {
        const auto row = std::find_if(table.Rows().begin(), table.Rows().end(), [f](const auto& r) {
            return r.begin <= f && f < r.end;
        });
        const uint64_t key = keys.at({row->id, table.FlowIds()[f]});
        EXPECT_LE(before, key) << "coflow " << row->id;
        before = key;
    }
}

TEST(SameRules, AttributesHaveDefaultAndRangeOfTheParameters)
{
    const auto check =
        [](TypeId type, const std::string& name, const ::coflow::ParameterSpec& spec) {
            TypeId::AttributeInformation attribute;
            ASSERT_TRUE(type.LookupAttributeByName(name, &attribute)) << name;
            const auto text = [&spec](double value) {
                return spec.unit == ::coflow::Unit::SECONDS
                           ? std::to_string(std::llround(value * 1e9)) + "ns"
                           : std::to_string(static_cast<uint64_t>(value));
            };
            const auto take = [&attribute](const std::string& value) {
                return attribute.checker->CreateValidValue(StringValue(value));
            };
            EXPECT_EQ(take(text(spec.defaultValue))->SerializeToString(attribute.checker),
                      attribute.initialValue->SerializeToString(attribute.checker));
            EXPECT_TRUE(take(text(spec.least))) << name;
            EXPECT_TRUE(take(text(spec.most))) << name;
            EXPECT_FALSE(take(text(spec.most * 1.001))) << name;
            if (spec.least > 0)
            {
                EXPECT_FALSE(take(text(0))) << name;
            }
            EXPECT_NE(attribute.help.find(spec.help.substr(1)), std::string::npos) << name;
            const auto declared = GetSpec(attribute);
            ASSERT_TRUE(declared) << name;
            EXPECT_EQ(declared->source, spec.source) << name;
            EXPECT_EQ(declared->scaling, spec.scaling) << name;
            EXPECT_EQ(declared->unit, spec.unit) << name;
        };
    int both = 0;
    for (const auto& spec : ::coflow::Dcas::Specs())
    {
        auto name = spec.name;
        name.front() = static_cast<char>(std::toupper(name.front()));
        TypeId::AttributeInformation attribute;
        if (DcasAgent::GetTypeId().LookupAttributeByName(name, &attribute))
        {
            check(DcasAgent::GetTypeId(), name, spec);
            ++both;
        }
    }
    EXPECT_EQ(both, 4) << "delta, T, expiry, threshold";
    const auto heavy = ::coflow::Policies::Find("baraat").parameters.front();
    ASSERT_EQ(heavy.name, "heavyBytes");
    check(TaskQueueDisc::GetTypeId(), "HeavyBytes", heavy);
    check(TypeId::LookupByName("ns3::coflow::BaraatScheduler"), "HeavyBytes", heavy);
}
