/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_UNITS_H
#define COFLOW_UNITS_H

#include <cstdint>

/// Ring 0: coflows, policies and the fluid engine in standard C++, without ns-3.
namespace coflow
{

/// A point or length of time in integer nanoseconds.
using Nanoseconds = std::int64_t;

/// The largest time; stands for "never".
inline constexpr Nanoseconds NEVER = INT64_MAX;

/// Number of bytes; never negative in a valid workload.
using Bytes = std::int64_t;

/// Index of a host, counted from 0. A host has two directed ports: its ingress port (uplink, into
/// the fabric) and its egress port (downlink, out of the fabric).
using HostId = std::uint32_t;

/// Identifier of a coflow, unique in its workload.
using CoflowId = std::uint64_t;

/// Identifier of a flow, unique in its coflow.
using FlowId = std::uint32_t;

} // namespace coflow

#endif // COFLOW_UNITS_H
