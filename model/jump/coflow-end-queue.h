/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_END_QUEUE_H
#define COFLOW_END_QUEUE_H

#include "ns3/coflow-even-flow.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ns3::coflow
{

/// When flows will have sent their last bytes, the first one first. A flow is in it at most once,
/// and knows its place.
class EndQueue
{
  public:
    /// A flow's end.
    struct End
    {
        int64_t time; ///< world time, steps
        EvenFlow* flow;
    };

    bool IsEmpty() const
    {
        return m_ends.empty();
    }

    /// @return the first end; there is one
    const End& GetFirst() const
    {
        return m_ends.front();
    }

    /// Adds a flow's end without putting it in order: Order() is to follow.
    void Append(int64_t time, EvenFlow& flow);

    /// Puts all ends in order.
    void Order();

    /// Takes a flow out, if it is in.
    /// @return whether it was
    bool Remove(EvenFlow& flow);

    /// Takes all flows out.
    void Clear();

  private:
    static bool IsBefore(const End& a, const End& b);
    void Put(std::size_t place, const End& end);
    /// Has an end rise to its place, or sink to it.
    void Settle(std::size_t place);
    void Rise(std::size_t place);
    void Sink(std::size_t place);

    std::vector<End> m_ends; ///< a heap
};

} // namespace ns3::coflow

#endif // COFLOW_END_QUEUE_H
