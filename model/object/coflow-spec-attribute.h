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

/// Makes default, range and help of an ns-3 attribute from a parameter that ring 0 declares. So a
/// policy in the fluid engine and a class of the packet engine have the same default, range, help
/// and source.
namespace SpecAttribute
{

/// @param spec a parameter
/// @param more additional text; empty: none
/// @return the help text, without the source of the default, which the checker has
std::string GetHelp(const ::coflow::ParameterSpec& spec, const std::string& more = "");

/// @param spec a parameter in seconds
/// @return the default
TimeValue GetTime(const ::coflow::ParameterSpec& spec);

/// @param spec a parameter in seconds
/// @return a checker with the range
Ptr<const AttributeChecker> MakeTimeChecker(const ::coflow::ParameterSpec& spec);

/// @param spec a parameter in bytes
/// @return the default
UintegerValue GetBytes(const ::coflow::ParameterSpec& spec);

/// @param spec a parameter in bytes
/// @return a checker with the range
Ptr<const AttributeChecker> MakeBytesChecker(const ::coflow::ParameterSpec& spec);

} // namespace SpecAttribute

} // namespace ns3::coflow

#endif // COFLOW_SPEC_ATTRIBUTE_H
