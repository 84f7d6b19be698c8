/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_OPAQUE_SIZE_H
#define COFLOW_OPAQUE_SIZE_H

#include <cstdint>

namespace ns3::coflow
{

/// A number of bytes that an application gives to a scheduler: the size of a flow, or the load of a
/// coflow. A scheduler that must not know sizes can pass the object to CoflowSource, and cannot
/// read the number. A scheduler that may know sizes reads the number by a SizeAccess.
class OpaqueSize
{
  public:
    OpaqueSize() = default;

    /// @param bytes the number
    // Implicit: every number may become opaque.
    OpaqueSize(uint64_t bytes) // NOLINT(google-explicit-constructor)
        : m_bytes(bytes)
    {
    }

    /// @return whether the number is 0. This is no secret, because such a flow sends nothing
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
