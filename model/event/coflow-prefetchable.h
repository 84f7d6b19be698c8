/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_PREFETCHABLE_H
#define COFLOW_PREFETCHABLE_H

#include <cstddef>

namespace ns3::coflow
{

/// An object that events touch. It can bring the memory of the next event to the cache. By default
/// it does nothing.
class Prefetchable
{
  public:
    /// The members that events touch most are within this number of bytes from the object's
    /// address.
    static constexpr std::size_t HOT_BYTES = 704;

    /// An event will touch the object soon. Brings the memory that the event will touch to the
    /// cache.
    /// @param stage stage of IntrusiveEventKind::prefetch
    virtual void Prefetch(std::size_t /* stage */) const
    {
    }

  protected:
    ~Prefetchable() = default;
};

} // namespace ns3::coflow

#endif // COFLOW_PREFETCHABLE_H
