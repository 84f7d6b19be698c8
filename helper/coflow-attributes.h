/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_ATTRIBUTES_H
#define COFLOW_ATTRIBUTES_H

#include "ns3/coflow-json.h"
#include "ns3/coflow-parameter.h"
#include "ns3/object.h"
#include "ns3/type-id.h"

#include <optional>
#include <string>
#include <vector>

namespace ns3::coflow
{

/// Finds, describes and sets ns-3 attributes by name.

/// @param type a class
/// @param name name of an attribute. The first letter may be lower case, as in options. The name of
///        the class, or of a parent class, may precede the name of the attribute:
///        CoflowSource::port
/// @return the attribute of the class or of one of its parents, ns3::Object excluded; none where
///         there is no such attribute
std::optional<TypeId::AttributeInformation> FindAttribute(TypeId type, const std::string& name);

/// @param type a class
/// @return names of all attributes of the class and its parents, in the spelling of options: the
///         first letter is in lower case
std::vector<std::string> GetAttributeNames(TypeId type);

/// Changes the default value of an attribute for all objects made from now on. Throws
/// ::coflow::InputError where there is no such attribute, or where the attribute does not take the
/// value.
/// @param fullName such as "ns3::coflow::FatTreeTopology::K"
/// @param value such as "8"
void SetDefaultAttribute(const std::string& fullName, const std::string& value);

/// Changes an ns-3 global value, such as RngRun. Throws ::coflow::InputError where the global value
/// does not take the value.
/// @param name of the global value
/// @param value as text
/// @return false where there is no such global value
bool SetGlobalValue(const std::string& name, const std::string& value);

/// @param specs parameters
/// @return a JSON array with one object per parameter: name, default, unit, allowed values, whether
///         the default scales with the workload, help, source
::coflow::Json DescribeParameters(const std::vector<::coflow::ParameterSpec>& specs);

/// @param type a class
/// @param base a parent of the class; the attributes of the parent are left out
/// @return a JSON array with one object per attribute of the class. The objects have the members of
///         DescribeParameters(), and the type of the ns-3 value. An attribute that holds a text,
///         an object or a class has no unit and no range
::coflow::Json DescribeAttributes(TypeId type, TypeId base = Object::GetTypeId());

/// @param object any object
/// @return a JSON object with the present values of the object's attributes, as text
::coflow::Json GetAttributeValues(Ptr<const Object> object);

} // namespace ns3::coflow

#endif // COFLOW_ATTRIBUTES_H
