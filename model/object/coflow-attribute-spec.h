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

/// Declares an attribute of one of our classes beyond what ns-3 has a place for:
///
///     .AddAttribute("BypassBytes", "...", DoubleValue(25e6), MakeDoubleAccessor(...),
///                   Declared(MakeDoubleChecker<double>(0), Unit::BYTES, Scaling::WORKLOAD,
///                            "Varys, SIGCOMM 2014, section 5.3"))
///
/// @param checker ns-3's checker of a number or a time, which knows type and range
/// @param unit of the value; ns-3 has types for times and rates, but not for bytes
/// @param scaling whether the default grows with the workload
/// @param source where the default comes from; empty: nowhere special
/// @return a checker that does what the given one does, and knows the rest
Ptr<const AttributeChecker> Declared(Ptr<const AttributeChecker> checker,
                                     ::coflow::Unit unit,
                                     ::coflow::Scaling scaling = ::coflow::Scaling::FIXED,
                                     std::string source = "");

/// The same for an attribute that another part, such as an engine, has as well, or whose checker
/// knows no range.
/// @param spec the declaration; where the range of the checker is smaller, that counts
Ptr<const AttributeChecker> Declared(Ptr<const AttributeChecker> checker,
                                     const ::coflow::ParameterSpec& spec);

/// The declaration of an attribute, of any class, as that of any other parameter.
/// @param attribute name, default and help are its own; the range is its checker's
/// @return none where its values are no numbers, times, rates, flags or names: texts, objects,
///         classes
std::optional<::coflow::ParameterSpec> GetSpec(const TypeId::AttributeInformation& attribute);

/// @param value of an attribute
/// @return it in the unit of its declaration; none where it is no number, time, rate or flag.
///         The longest time stands for infinity
std::optional<double> GetNumber(const AttributeValue& value);

/// @param name of an attribute
/// @return the name of the option: the first letter is lower case
std::string GetOptionName(const std::string& name);

} // namespace ns3::coflow

#endif // COFLOW_ATTRIBUTE_SPEC_H
