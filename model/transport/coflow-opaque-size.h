/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_OPAQUE_SIZE_H
#define COFLOW_OPAQUE_SIZE_H

#include <cstdint>

namespace ns3::coflow
{

/// A number of bytes that an application knows and that passes through the hands of a scheduler:
/// the size of a flow, or the load of a coflow. Code that must not know sizes can carry it on, and
/// hand it to CoflowSource, which has to know when to stop; it cannot read it. Whoever may know
/// sizes has a SizeAccess, which reads it.
class OpaqueSize
{
  public:
    OpaqueSize() = default;

    /// @param bytes the number
    // Implicit: whoever has a number may seal it.
    OpaqueSize(uint64_t bytes) // NOLINT(google-explicit-constructor)
        : m_bytes(bytes)
    {
    }

    /// @return whether there is nothing to send at all, which is known before anything is sent
    bool IsZero() const
    {
        return m_bytes == 0;
    }

  private:
    friend class CoflowSource;
    friend class SizeAccess;

    uint64_t m_bytes{0};
};

} // namespace ns3::coflow

#endif // COFLOW_OPAQUE_SIZE_H
