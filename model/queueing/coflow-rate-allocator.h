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

/// The rates that a port allocates under Baraat (Dogar et al., SIGCOMM 2014): first in, first out
/// between tasks, with limited multiplexing. FifoLm does the same without rates.
///
/// The port stores the demand and the allocated rate of each flow. Flows of the active class
/// (::coflow::BaraatRule for the tasks with requests) share the port by max-min fairness, up to
/// their demands. Later tasks are entitled to the remaining capacity, in order. A flow gets its
/// share, less the part that other flows still have, so that the sum never exceeds the port's rate.
/// The other flows reduce their rates at their next request.
///
/// A flow demands at most its last entitlement at the port of its path with the smallest
/// entitlement. Where this port is that port, the flow counts with the rate of the whole port,
/// because it would use more. At other ports it counts with its demand. So a paused flow keeps its
/// position at the port that has paused it, and takes nothing from others at other ports.
///
/// A request costs O(n log n) for n flows at the port.
class RateAllocator
{
  public:
    /// @param heavyBytes number of sent bytes from which a task is heavy
    /// @param timeout time without a request after which a flow is removed
    RateAllocator(uint64_t heavyBytes, Time timeout);

    /// @param bitsPerSecond rate that may be allocated
    void SetCapacity(uint64_t bitsPerSecond)
    {
        m_capacity = bitsPerSecond;
    }

    /// Counts sent bytes of a task.
    /// @param task number of the task
    /// @param bytes number of bytes
    void CountSent(uint64_t task, uint32_t bytes);

    /// Handles the request of a flow.
    /// @param flow number of the flow's task, and number of the flow in the task
    /// @param request the request, which is lowered to the rates that this port allows
    /// @param now the present time
    void Handle(const FlowKey& flow, RateRequest& request, Time now);

    /// @return sum of allocated rates of all stored flows
    uint64_t GetAllocated() const;

    /// @return number of stored flows
    std::size_t GetN() const
    {
        return m_flows.size();
    }

  private:
    struct Flow
    {
        uint64_t demand{0};   ///< demand with which the flow counts, in bit/s
        uint64_t entitled{0}; ///< rate to which the flow was entitled at its last request, in bit/s
        uint64_t allocated{0}; ///< allocated rate, in bit/s
        Time seen;             ///< time of the last request
    };

    /// @return the number of the last task in the active class
    uint64_t GetLastOfClass() const;
    /// @param available rate to be shared, in bit/s
    /// @return max-min fair share of the largest demand in m_demands, in bit/s
    uint64_t GetShare(uint64_t available);
    bool IsHeavy(uint64_t task) const;

    uint64_t m_heavyBytes;
    Time m_timeout;
    uint64_t m_capacity{0};
    std::map<FlowKey, Flow> m_flows;               ///< flows by task, then number in the task
    std::unordered_map<uint64_t, uint64_t> m_sent; ///< sent bytes by task; never iterated
    std::vector<uint64_t> m_demands;               ///< working memory: demands that share a rate
};

} // namespace ns3::coflow

#endif // COFLOW_RATE_ALLOCATOR_H
