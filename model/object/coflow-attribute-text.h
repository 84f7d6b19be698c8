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

/// Values of ns-3 attributes from texts of users. ns-3 ends the process for many malformed texts,
/// so only texts that were checked are passed to ns-3. Numbers, times, rates, flags and names have
/// the grammar of all parameters (ParameterSpec). Queue sizes are numbers of packets or of bytes,
/// such as 100p or 256KiB; a class is named as ns3::Dctcp; an object is
/// `ns3::Class[Attribute=value|...]`. Throws ::coflow::InputError where the attribute does not take
/// the text.
/// @param option name of the option, for the message
/// @param attribute the attribute
/// @param text text from the user
/// @return the value
Ptr<const AttributeValue> ParseAttribute(const std::string& option,
                                         const TypeId::AttributeInformation& attribute,
                                         const std::string& text);

/// @param attribute an attribute whose values are numbers, times or rates
/// @param spec declaration of the attribute
/// @param value value in the unit of the declaration
/// @return the value as an ns-3 attribute value; null where the attribute does not take it
Ptr<const AttributeValue> MakeAttributeValue(const TypeId::AttributeInformation& attribute,
                                             const ::coflow::ParameterSpec& spec,
                                             double value);

/// Reads `ns3::Class[Attribute=value|...]`.
/// Throws ::coflow::InputError where there is no such class or attribute, or the attribute does
/// not take the value.
/// @param option name of the option, for the message
/// @param parent required parent of the class
/// @param text text from the user
/// @return a factory of objects of the class with these values
ObjectFactory ParseObjectFactory(const std::string& option, TypeId parent, const std::string& text);

} // namespace ns3::coflow

#endif // COFLOW_ATTRIBUTE_TEXT_H
