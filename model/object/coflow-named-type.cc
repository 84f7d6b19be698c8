/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-named-type.h"

#include "ns3/coflow-error.h"
#include "ns3/coflow-text.h"

#include <algorithm>
#include <cctype>
#include <map>

namespace ns3::coflow
{

namespace
{

/// Descriptions by class. Written only while the program and its libraries are loaded.
std::map<TypeId, const char*>&
Descriptions()
{
    static std::map<TypeId, const char*> descriptions;
    return descriptions;
}

} // namespace

std::string
GetBareName(TypeId typeId)
{
    const std::string name = typeId.GetName();
    const auto colon = name.rfind(':');
    return colon == std::string::npos ? name : name.substr(colon + 1);
}

TypeRegistration::TypeRegistration(TypeId typeId, const char* description)
{
    Descriptions().emplace(typeId, description);
}

std::string
GetDescription(TypeId typeId)
{
    const auto found = Descriptions().find(typeId);
    return found == Descriptions().end() ? "" : found->second;
}

std::string
GetCommandLineName(TypeId typeId, TypeId parent)
{
    std::string name = GetBareName(typeId);
    const std::string suffix = GetBareName(parent);
    if (name.size() > suffix.size() && name.ends_with(suffix))
    {
        name.resize(name.size() - suffix.size());
    }
    std::string result;
    for (const char c : name)
    {
        const auto letter = static_cast<unsigned char>(c);
        if (std::isupper(letter) && !result.empty())
        {
            result += '-';
        }
        result += static_cast<char>(std::tolower(letter));
    }
    return result;
}

std::vector<NamedType>
GetNamedTypes(TypeId parent)
{
    std::vector<NamedType> types;
    for (const auto& [typeId, description] : Descriptions())
    {
        if (typeId != parent && typeId.IsChildOf(parent) && typeId.HasConstructor())
        {
            types.push_back({GetCommandLineName(typeId, parent), description, typeId});
        }
    }
    std::ranges::sort(types,
                      [](const NamedType& a, const NamedType& b) { return a.name < b.name; });
    return types;
}

TypeId
FindNamedType(TypeId parent, const std::string& name)
{
    std::vector<std::string> names;
    for (const NamedType& type : GetNamedTypes(parent))
    {
        if (type.name == name)
        {
            return type.typeId;
        }
        names.push_back(type.name);
    }
    std::string what = GetBareName(parent);
    std::transform(what.begin(), what.end(), what.begin(), [](unsigned char c) {
        return static_cast<char>(std::tolower(c));
    });
    throw ::coflow::InputError(what + " is '" + name + "'; allowed: " + ::coflow::JoinNames(names) +
                               ::coflow::SuggestName(name, names));
}

} // namespace ns3::coflow
