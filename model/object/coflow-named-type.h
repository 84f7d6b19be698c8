/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_NAMED_TYPE_H
#define COFLOW_NAMED_TYPE_H

#include "ns3/object-factory.h"
#include "ns3/object.h"
#include "ns3/type-id.h"

#include <string>
#include <vector>

namespace ns3::coflow
{

/// A class that users choose by name, such as a topology, fabric or scheduler.
struct NamedType
{
    std::string name;        ///< name on the command line, such as "fat-tree"
    std::string description; ///< one line
    TypeId typeId;           ///< TypeId of the class
};

/// All constructible classes derived from a parent that COFLOW_REGISTER has registered.
/// @param parent a class such as Topology
/// @return the classes, sorted by name
std::vector<NamedType> GetNamedTypes(TypeId parent);

/// Throws ::coflow::InputError with all names, where no class has the name.
/// @param parent a class such as Topology
/// @param name name on the command line
/// @return the class
TypeId FindNamedType(TypeId parent, const std::string& name);

/// Returns the name on the command line: the class name in lower case with dashes, without
/// namespace and without the parent's class name at its end. For example,
/// ns3::coflow::FatTreeTopology has the name "fat-tree" among topologies. Acronyms in class names
/// are written as words (DcasScheduler: "dcas").
/// @param typeId a class
/// @param parent parent of the class
/// @return the name
std::string GetCommandLineName(TypeId typeId, TypeId parent);

/// @param typeId a class
/// @return the class name without namespaces
std::string GetBareName(TypeId typeId);

/// @return description of a class in COFLOW_REGISTER; empty where the class was not registered
/// @param typeId a class
std::string GetDescription(TypeId typeId);

/// Throws ::coflow::InputError where no class has the name.
/// @tparam T parent class, such as Topology
/// @param name name on the command line
/// @return a new object with the attributes' default values
template <typename T>
Ptr<T>
CreateByName(const std::string& name)
{
    ObjectFactory factory;
    factory.SetTypeId(FindNamedType(T::GetTypeId(), name));
    return factory.Create<T>();
}

/// Registers a class when the program is loaded; see COFLOW_REGISTER.
class TypeRegistration
{
  public:
    /// @param typeId the class
    /// @param description one line
    TypeRegistration(TypeId typeId, const char* description);
};

/// Registers a class with ns-3, and by name for users. Use this macro in the source file of the
/// class, in the namespace of the class, in place of NS_OBJECT_ENSURE_REGISTERED.
/// @param type the class
/// @param description one line, a string literal
#define COFLOW_REGISTER(type, description)                                                         \
    NS_OBJECT_ENSURE_REGISTERED(type);                                                             \
    static const ::ns3::coflow::TypeRegistration g_registration##type(type::GetTypeId(),           \
                                                                      description)

} // namespace ns3::coflow

#endif // COFLOW_NAMED_TYPE_H
