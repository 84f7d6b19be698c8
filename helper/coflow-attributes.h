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

/// ns-3 attributes by name, as people give and read them.

/// @param type a class
/// @param name name of an attribute; its first letter may be lower case, as in options, and the
///        name of the class, or of one that it is derived from, may stand before it:
///        CoflowSource::port
/// @return the attribute of the class or of its parents up to, not including, ns3::Object
std::optional<TypeId::AttributeInformation> FindAttribute(TypeId type, const std::string& name);

/// @param type a class
/// @return names of all attributes of the class and its parents, as they are given in options
std::vector<std::string> GetAttributeNames(TypeId type);

/// Changes the default value of an attribute for all objects made from now on.
/// Throws ::coflow::InputError where there is no such attribute or it does not take the value.
/// @param fullName such as "ns3::coflow::FatTreeTopology::K"
/// @param value such as "8"
void SetDefaultAttribute(const std::string& fullName, const std::string& value);

/// Changes an ns-3 global value, such as RngRun.
/// Throws ::coflow::InputError where it does not take the value.
/// @param name of the global value
/// @param value as text
/// @return false where there is no such global value
bool SetGlobalValue(const std::string& name, const std::string& value);

/// @param specs parameters
/// @return an array of them: name, default, unit, allowed values, whether the default scales
///         with the workload, help, source
::coflow::Json DescribeParameters(const std::vector<::coflow::ParameterSpec>& specs);

/// @param type a class
/// @param base a class that it is derived from: attributes of that are left out
/// @return the same of its attributes, and the type of ns-3's value; of texts, objects and classes
///         no unit and range
::coflow::Json DescribeAttributes(TypeId type, TypeId base = Object::GetTypeId());

/// @param object any object
/// @return an object with the present values of its attributes, as text
::coflow::Json GetAttributeValues(Ptr<const Object> object);

} // namespace ns3::coflow

#endif // COFLOW_ATTRIBUTES_H
