/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_FORMAT_H
#define COFLOW_FORMAT_H

#include "ns3/coflow-types.h"

#include <string>

namespace coflow
{

/// @param time integer nanoseconds
/// @return the exact time in seconds with nine decimals, "1.500000000"
std::string FormatSeconds(Nanoseconds time);

/// @param value any number
/// @param significant number of significant digits
/// @return the rounded number as text, without scientific notation below 10^15
std::string FormatRounded(double value, int significant = 4);

} // namespace coflow

#endif // COFLOW_FORMAT_H
