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

/// ns-3's devices send every packet in a whole number of time steps, so that a link is faster or
/// slower than its rate where packets take few of them: 3.34 ns become 3. This is how far times are
/// off, and what is done about it. Ports of the fabric express keep the rest (WireTimes).
namespace RoundedTimes
{

/// A larger error is refused.
constexpr double MOST = 0.005;

/// A larger error is told with the result.
constexpr double TOLD = 0.0001;

/// @param rate of a link, above 0
/// @param bytes of a full segment's frame
/// @return by which share of its time the frame takes longer than at the rate of the link, in the
///         resolution of time in force; below 0: it takes less
double GetError(DataRate rate, uint32_t bytes);

/// @param rate of a link, above 0
/// @param bytes of a full segment's frame
/// @param device whose device sends, for the message
/// @param instead what helps, for the message
/// @return GetError()
/// @throws ::coflow::InputError where the error is more than MOST
double Check(DataRate rate, uint32_t bytes, const std::string& device, const std::string& instead);

/// @param error what GetError() says of the port that is farthest off
/// @return a line for people; empty where the error is at most TOLD
std::string Describe(double error);

} // namespace RoundedTimes

} // namespace ns3::coflow

#endif // COFLOW_ROUNDED_TIMES_H
