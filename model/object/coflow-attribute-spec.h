/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_ATTRIBUTE_SPEC_H
#define COFLOW_ATTRIBUTE_SPEC_H

#include "ns3/attribute.h"
#include "ns3/coflow-parameter.h"
#include "ns3/type-id.h"

#include <optional>
#include <string>

namespace ns3::coflow
{

/// Declares properties of an attribute that ns-3 has no field for:
///
///     .AddAttribute("BypassBytes", "...", DoubleValue(25e6), MakeDoubleAccessor(...),
///                   Declared(MakeDoubleChecker<double>(0), Unit::BYTES, Scaling::WORKLOAD,
///                            "Varys, SIGCOMM 2014, section 5.3"))
///
/// @param checker ns-3's checker of a number or a time, which has type and range
/// @param unit unit of the value; ns-3 has types for times and rates, but not for bytes
/// @param scaling whether the default scales with the workload
/// @param source source of the default; empty: none
/// @return a checker with the same checks as the given checker, and with the declared properties
Ptr<const AttributeChecker> Declared(Ptr<const AttributeChecker> checker,
                                     ::coflow::Unit unit,
                                     ::coflow::Scaling scaling = ::coflow::Scaling::FIXED,
                                     std::string source = "");

/// Does the same for an attribute that another part, such as an engine, also has, or for a checker
/// without a range.
/// @param spec the declaration; the intersection of its range and the checker's range counts
Ptr<const AttributeChecker> Declared(Ptr<const AttributeChecker> checker,
                                     const ::coflow::ParameterSpec& spec);

/// Makes the declaration of an attribute of any class as a parameter.
/// @param attribute the attribute, which has name, default and help; its checker has the range
/// @return the declaration; none where the values are texts, objects or classes
std::optional<::coflow::ParameterSpec> GetSpec(const TypeId::AttributeInformation& attribute);

/// @param value value of an attribute
/// @return the value in the unit of its declaration; none where the value is not a number, time,
///         rate or flag. The longest time means infinity
std::optional<double> GetNumber(const AttributeValue& value);

/// @param name name of an attribute
/// @return the name of the option: the first letter is lower case
std::string GetOptionName(const std::string& name);

} // namespace ns3::coflow

#endif // COFLOW_ATTRIBUTE_SPEC_H
