/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_PREFETCHABLE_H
#define COFLOW_PREFETCHABLE_H

#include <cstddef>

namespace ns3::coflow
{

/// An object that events touch, and that can bring to the cache what they will touch with it. An
/// object for which that is not worth while leaves it.
class Prefetchable
{
  public:
    /// What events touch most is within so many bytes from the object's address, at most.
    static constexpr std::size_t HOT_BYTES = 704;

    /// An event will touch the object soon: brings to the cache what the event will touch.
    /// @param stage as LightEventKind::prefetch has them
    virtual void Prefetch(std::size_t /* stage */) const
    {
    }

  protected:
    ~Prefetchable() = default;
};

} // namespace ns3::coflow

#endif // COFLOW_PREFETCHABLE_H
