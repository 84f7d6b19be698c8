/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_ATTRIBUTES_H
#define COFLOW_ATTRIBUTES_H

#include "ns3/coflow-json.h"
#include "ns3/object.h"
#include "ns3/type-id.h"

#include <optional>
#include <string>
#include <vector>

namespace ns3::coflow
{

/// ns-3 attributes as text from people: ns-3 itself ends the process where a value is malformed.

/// @param type a class
/// @param name name of an attribute; its first letter may be lower case, as in options, and the
///        name of the class, or of one that it is derived from, may stand before it:
///        CoflowSource::port
/// @return the attribute of the class or of its parents up to, not including, ns3::Object
std::optional<TypeId::AttributeInformation> FindAttribute(TypeId type, const std::string& name);

/// @return names of all attributes of a class and its parents, as they are given in options
std::vector<std::string> GetAttributeNames(TypeId type);

/// Throws ::coflow::InputError where an attribute does not take a value.
/// @param option how the user named it, for the message
/// @param attribute the attribute
/// @param value what the user gave
void CheckAttributeValue(const std::string& option,
                         const TypeId::AttributeInformation& attribute,
                         const std::string& value);

/// Changes the default value of an attribute for all objects made from now on.
/// Throws ::coflow::InputError where there is no such attribute or it does not take the value.
/// @param fullName such as "ns3::coflow::FatTreeTopology::K"
/// @param value such as "8"
void SetDefaultAttribute(const std::string& fullName, const std::string& value);

/// Changes an ns-3 global value, such as RngRun.
/// Throws ::coflow::InputError where it does not take the value.
/// @return false where there is no such global value
bool SetGlobalValue(const std::string& name, const std::string& value);

/// @param type a class
/// @return an array of its attributes: name, default, allowed values, help
::coflow::Json DescribeAttributes(TypeId type);

/// @param object any object
/// @return an object with the present values of its attributes, as text
::coflow::Json GetAttributeValues(Ptr<const Object> object);

} // namespace ns3::coflow

#endif // COFLOW_ATTRIBUTES_H
