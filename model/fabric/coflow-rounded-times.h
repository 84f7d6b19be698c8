/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_ROUNDED_TIMES_H
#define COFLOW_ROUNDED_TIMES_H

#include "ns3/data-rate.h"

#include <cstdint>
#include <string>

namespace ns3::coflow
{

/// The error of transmission times on ns-3's devices. A device sends every packet in a whole number
/// of time steps, for example in 3 ns in place of 3.34 ns. So a fast link is faster or slower than
/// its rate. Ports of the fabric express add the fractions up (WireTimes).
namespace RoundedTimes
{

/// Check() refuses a larger error.
constexpr double MOST = 0.005;

/// Describe() reports a larger error.
constexpr double TOLD = 0.0001;

/// @param rate rate of a link, above 0
/// @param bytes size of a full segment's frame
/// @return the relative error of the frame's transmission time with ns-3's present time resolution;
///         below 0: the time is too short
double GetError(DataRate rate, uint32_t bytes);

/// @param rate rate of a link, above 0
/// @param bytes size of a full segment's frame
/// @param device name of the sending device, for the message
/// @param instead advice, for the message
/// @return GetError()
/// @throws ::coflow::InputError where the error is more than MOST
double Check(DataRate rate, uint32_t bytes, const std::string& device, const std::string& instead);

/// @param error value of GetError() for the port with the largest error
/// @return a line of text; empty where the error is at most TOLD
std::string Describe(double error);

} // namespace RoundedTimes

} // namespace ns3::coflow

#endif // COFLOW_ROUNDED_TIMES_H
