/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_RATE_ALLOCATOR_H
#define COFLOW_RATE_ALLOCATOR_H

#include "ns3/coflow-flow-key.h"
#include "ns3/coflow-rate-request.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <map>
#include <unordered_map>
#include <vector>

namespace ns3::coflow
{

/// The rates that a port hands out under Baraat (Dogar et al., SIGCOMM 2014): first in, first out
/// between tasks, with limited multiplexing; see FifoLm, which does the same without rates.
///
/// The port remembers what each flow demands and what it has been given. Flows of the active class
/// (::coflow::BaraatRule, of the tasks that have asked) share the port max-min fairly, as far as
/// each demands; later tasks are entitled to what those before them do not demand, in order. A flow
/// is given its share, less the part that other flows still have, so that the sum never
/// exceeds the port: those who have to give something up do so at their next request.
///
/// A flow demands at most what it was entitled to before, at the port of its way that entitles it
/// to least. Where that is this port, it would take more if it could, so it counts with the whole
/// port. Elsewhere it counts with what it demands. So a paused flow keeps its place at the port
/// that has paused it, and keeps nothing from others at the ports before and after.
///
/// A request costs O(n log n) for n flows at the port.
class RateAllocator
{
  public:
    /// @param heavyBytes bytes sent that make a task heavy
    /// @param timeout flows that have not asked for so long are forgotten
    RateAllocator(uint64_t heavyBytes, Time timeout);

    /// @param bitsPerSecond what may be handed out
    void SetCapacity(uint64_t bitsPerSecond)
    {
        m_capacity = bitsPerSecond;
    }

    /// Bytes of a task were sent.
    void CountSent(uint64_t task, uint32_t bytes);

    /// A flow asks.
    /// @param flow the number of its task, and of the flow in it
    /// @param request is lowered to what this port allows
    /// @param now the present time
    void Handle(const FlowKey& flow, RateRequest& request, Time now);

    /// @return what has been handed out, of what Handle() has not forgotten
    uint64_t GetAllocated() const;

    /// @return number of flows remembered
    std::size_t GetN() const
    {
        return m_flows.size();
    }

  private:
    struct Flow
    {
        uint64_t demand{0};   ///< that it counts with
        uint64_t entitled{0}; ///< to what, by its last request
        uint64_t allocated{0};
        Time seen;
    };

    /// @return the number of the last task in the active class
    uint64_t GetLastOfClass() const;
    /// @return the max-min fair share of the most demanding of m_demands
    uint64_t GetShare(uint64_t available);
    bool IsHeavy(uint64_t task) const;

    uint64_t m_heavyBytes;
    Time m_timeout;
    uint64_t m_capacity{0};
    std::map<FlowKey, Flow> m_flows;               ///< by task, then flow
    std::unordered_map<uint64_t, uint64_t> m_sent; ///< bytes, by task; never iterated
    std::vector<uint64_t> m_demands;               ///< of all who share
};

} // namespace ns3::coflow

#endif // COFLOW_RATE_ALLOCATOR_H
