/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// The policy of the fluid engine, the queue of packets and the allocator of explicit rates have one
// active class for Baraat, on the same arrivals, bytes and ends.

#include "discipline-model.h"

#include "ns3/coflow-fifo-lm.h"
#include "ns3/coflow-flow-table.h"
#include "ns3/coflow-policy-registry.h"
#include "ns3/coflow-rate-allocator.h"

#include <gtest/gtest.h>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::coflow;
using ::coflow::FlowTable;
using ::coflow::Nanoseconds;
using ::coflow::PortRates;

namespace
{

using Tasks = std::set<uint64_t>;

/// A link of 1 byte per nanosecond, which the policy, a FifoLm and a RateAllocator share out. All
/// three count the same bytes of the same tasks, which have one flow each.
class BaraatLink
{
  public:
    BaraatLink()
        : m_policy(::coflow::MakePolicy("baraat", {"heavyBytes=" + std::to_string(HEAVY)})),
          m_fifo(UNBOUNDED, HEAVY, FifoLm::ARRIVAL),
          m_allocator(HEAVY, Seconds(1e6))
    {
        m_allocator.SetCapacity(BITS_PER_SECOND);
    }

    void Arrive(uint64_t task)
    {
        ::coflow::Coflow coflow;
        coflow.id = task;
        coflow.flows.push_back({0, 0, 1, 1'000'000'000});
        m_table.Add(coflow, static_cast<uint32_t>(task), m_now);
        m_sent[task] = 0;
    }

    void End(uint64_t task)
    {
        for (std::size_t r = 0; r < m_table.Rows().size(); ++r)
        {
            if (m_table.Rows()[r].id == task)
            {
                m_table.RemoveCoflow(r);
                break;
            }
        }
        m_sent.erase(task);
        Ask(task, 0);
    }

    /// Every task of the active class sends something.
    void Send(const Tasks& active, uint64_t bytesEach)
    {
        m_now += static_cast<Nanoseconds>(bytesEach * active.size());
        for (const uint64_t task : active)
        {
            m_sent[task] += bytesEach;
            m_allocator.CountSent(task, static_cast<uint32_t>(bytesEach));
            // It is alone, so that it is sent at once.
            std::vector<PortItem> alone{MakeItem(task, task, static_cast<uint32_t>(bytesEach))};
            InAndOut(m_fifo, alone);
        }
    }

    /// By the definition.
    Tasks Defined() const
    {
        Tasks tasks;
        for (const auto& [task, sent] : m_sent)
        {
            tasks.insert(task);
            if (sent < HEAVY)
            {
                break;
            }
        }
        return tasks;
    }

    Tasks OfPolicy()
    {
        std::vector<double> rates(m_table.Src().size(), 0.0);
        m_policy->Decide(m_table, m_now, PortRates::Uniform(2, 1e9), rates);
        Tasks tasks;
        for (const auto& row : m_table.Rows())
        {
            if (rates[row.begin] > 0)
            {
                tasks.insert(row.id);
            }
        }
        return tasks;
    }

    /// Those whose packets leave before any task's second one: all wait, and the earliest packet
    /// of the class is sent.
    Tasks OfFifo()
    {
        std::vector<PortItem> items;
        for (int round = 0; round < 2; ++round)
        {
            for (auto task = m_sent.rbegin(); task != m_sent.rend(); ++task)
            {
                items.push_back(MakeItem(task->first, task->first, 1));
            }
        }
        Tasks tasks;
        bool again = false;
        for (const std::size_t i : InAndOut(m_fifo, items))
        {
            again = again || !tasks.insert(KeyOf(&items[i])).second;
            if (again)
            {
                break;
            }
        }
        return tasks;
    }

    /// Those that are entitled to a rate where all demand everything.
    Tasks OfAllocator()
    {
        Tasks tasks;
        for (int round = 0; round < 2; ++round)
        {
            tasks.clear();
            for (const auto& [task, sent] : m_sent)
            {
                if (Ask(task, BITS_PER_SECOND).nominal > 0)
                {
                    tasks.insert(task);
                }
            }
        }
        return tasks;
    }

  private:
    /// Bytes are sent by the thousand. Looking at the FifoLm sends a few more, which is far from
    /// what makes a difference.
    static constexpr uint64_t HEAVY = 10'500;
    static constexpr uint64_t BITS_PER_SECOND = 8'000'000'000;

    RateRequest Ask(uint64_t task, uint64_t demand)
    {
        RateRequest request;
        request.demand = demand;
        m_allocator.Handle({task, 0}, request, Time(0));
        return request;
    }

    std::unique_ptr<::coflow::Policy> m_policy;
    FifoLm m_fifo;
    RateAllocator m_allocator;
    FlowTable m_table;
    Nanoseconds m_now{0};
    std::map<uint64_t, uint64_t> m_sent; ///< by task that is present
};

} // namespace

TEST(SameRules, BaraatHasOneActiveClassInPolicyQueueAndAllocator)
{
    std::map<std::size_t, int> sizes; // of active classes
    for (uint32_t seed = 1; seed <= 40; ++seed)
    {
        std::mt19937 random(seed);
        BaraatLink link;
        Tasks present;
        uint64_t last = 0;
        for (int step = 0; step < 60; ++step)
        {
            if (present.empty() || random() % 4 == 0)
            {
                present.insert(++last);
                link.Arrive(last);
            }
            const Tasks defined = link.Defined();
            ASSERT_EQ(link.OfPolicy(), defined) << "seed " << seed << ", step " << step;
            ASSERT_EQ(link.OfFifo(), defined) << "seed " << seed << ", step " << step;
            ASSERT_EQ(link.OfAllocator(), defined) << "seed " << seed << ", step " << step;
            ++sizes[defined.size()];
            link.Send(defined, 1000 * (1 + random() % 4));
            if (random() % 8 == 0)
            {
                const auto gone =
                    std::next(present.begin(), static_cast<long>(random() % present.size()));
                link.End(*gone);
                present.erase(gone);
            }
        }
    }
    EXPECT_GT(sizes[1], 100);
    EXPECT_GT(sizes[2], 100);
    EXPECT_GT(sizes[4], 20) << "three heavy ones, and the next";
}
