/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_ATTRIBUTE_TEXT_H
#define COFLOW_ATTRIBUTE_TEXT_H

#include "ns3/attribute.h"
#include "ns3/coflow-parameter.h"
#include "ns3/object-factory.h"
#include "ns3/type-id.h"

#include <string>

namespace ns3::coflow
{

/// Values of ns-3 attributes from texts that people write. ns-3 itself ends the process for many
/// texts that are malformed, so a text reaches ns-3 only when it is known to be well-formed.

/// Numbers, times, rates, flags and names have the grammar of all parameters (ParameterSpec).
/// Queue sizes are numbers of packets or of bytes, such as 100p or 256KiB; a class is named as
/// ns3::Dctcp; an object is `ns3::Class[Attribute=value|...]`.
/// Throws ::coflow::InputError where the attribute does not take the text.
/// @param option how the user named it, for the message
/// @param attribute the attribute
/// @param text what the user gave
/// @return the value
Ptr<const AttributeValue> ParseAttribute(const std::string& option,
                                         const TypeId::AttributeInformation& attribute,
                                         const std::string& text);

/// @param attribute whose values are numbers, times or rates
/// @param spec its declaration
/// @param value in the unit of the declaration
/// @return the value as ns-3 has it; null where the attribute does not take it
Ptr<const AttributeValue> MakeAttributeValue(const TypeId::AttributeInformation& attribute,
                                             const ::coflow::ParameterSpec& spec,
                                             double value);

/// Reads `ns3::Class[Attribute=value|...]`.
/// Throws ::coflow::InputError where there is no such class or attribute, or the attribute does
/// not take the value.
/// @param option how the user named it, for the message
/// @param parent what the class has to be derived from
/// @param text what the user gave
/// @return makes objects of the class with these values
ObjectFactory ParseObjectFactory(const std::string& option, TypeId parent, const std::string& text);

} // namespace ns3::coflow

#endif // COFLOW_ATTRIBUTE_TEXT_H
