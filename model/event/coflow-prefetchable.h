/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_PREFETCHABLE_H
#define COFLOW_PREFETCHABLE_H

#include <cstddef>

namespace ns3::coflow
{

/// An object that events touch. Prefetch() can prefetch the memory of the next event. By default,
/// Prefetch() has no effect.
class Prefetchable
{
  public:
    /// The members that events touch most are within this number of bytes from the object's
    /// address.
    static constexpr std::size_t HOT_BYTES = 704;

    /// An event will touch the object soon. Prefetches the memory that the event will touch.
    /// @param stage stage of IntrusiveEventKind::prefetch
    virtual void Prefetch(std::size_t /* stage */) const
    {
    }

  protected:
    ~Prefetchable() = default;
};

} // namespace ns3::coflow

#endif // COFLOW_PREFETCHABLE_H
