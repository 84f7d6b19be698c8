/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_SPEC_ATTRIBUTE_H
#define COFLOW_SPEC_ATTRIBUTE_H

#include "ns3/attribute.h"
#include "ns3/coflow-parameter.h"
#include "ns3/nstime.h"
#include "ns3/uinteger.h"

#include <string>

namespace ns3::coflow
{

/// What an ns-3 attribute takes from a parameter that ring 0 declares, so that a policy in the
/// fluid engine and a part at packet level have the same default, range, help and source.
namespace SpecAttribute
{

/// @param spec a parameter
/// @param more what is to be said besides; empty: nothing
/// @return the text of the help; where the default comes from, the checker knows
std::string GetHelp(const ::coflow::ParameterSpec& spec, const std::string& more = "");

/// @param spec a parameter in seconds
/// @return its default
TimeValue GetTime(const ::coflow::ParameterSpec& spec);

/// @param spec a parameter in seconds
/// @return its range
Ptr<const AttributeChecker> MakeTimeChecker(const ::coflow::ParameterSpec& spec);

/// @param spec a parameter in bytes
/// @return its default
UintegerValue GetBytes(const ::coflow::ParameterSpec& spec);

/// @param spec a parameter in bytes
/// @return its range
Ptr<const AttributeChecker> MakeBytesChecker(const ::coflow::ParameterSpec& spec);

} // namespace SpecAttribute

} // namespace ns3::coflow

#endif // COFLOW_SPEC_ATTRIBUTE_H
