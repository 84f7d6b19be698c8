/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_TIME_LEFT_H
#define COFLOW_TIME_LEFT_H

#include <optional>
#include <string>

namespace coflow
{

/// How long a run goes on if the rest of the work takes as long as the work so far has taken, share
/// for share.
/// @param elapsedSeconds real time since the start, at least 0
/// @param doneShare share of the work that is done; at 1 and above nothing is left
/// @return seconds that are left; none where nothing is done yet, or no time has passed
std::optional<double> EstimateSecondsLeft(double elapsedSeconds, double doneShare);

/// @param seconds a time, at least 0
/// @return the time as clocks show it, to the second: "1:05", "2:00:09"
std::string FormatClock(double seconds);

/// @param secondsLeft as EstimateSecondsLeft() has it
/// @return "1:05 left", "less than 10 s left", or "time left unknown"
std::string FormatTimeLeft(std::optional<double> secondsLeft);

} // namespace coflow

#endif // COFLOW_TIME_LEFT_H
