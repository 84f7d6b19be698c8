/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-attributes.h"

#include "ns3/application.h"
#include "ns3/coflow-attribute-spec.h"
#include "ns3/coflow-attribute-text.h"
#include "ns3/coflow-error.h"
#include "ns3/coflow-named-type.h"
#include "ns3/config.h"
#include "ns3/global-value.h"
#include "ns3/pointer.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <cctype>
#include <utility>
#include <vector>

namespace ns3::coflow
{

using ::coflow::InputError;
using ::coflow::Json;

namespace
{

/// Converts a value for a file. A pointer becomes the class and the attributes of its object,
/// because the address of the object differs from run to run.
Json
ToJson(const AttributeValue& value, Ptr<const AttributeChecker> checker)
{
    if (const auto* pointer = dynamic_cast<const PointerValue*>(&value))
    {
        const auto object = pointer->GetObject();
        return object ? Json::Object()
                            .Set("type", object->GetInstanceTypeId().GetName())
                            .Set("attributes", GetAttributeValues(object))
                      : Json();
    }
    return value.SerializeToString(checker);
}

/// Checks the class in a global value. Throws InputError where the class is wrong, because ns-3
/// would end the process.
void
CheckClassOfGlobal(const std::string& name, const std::string& value)
{
    static const std::pair<const char*, const char*> CLASSES[] = {
        {"SchedulerType", "ns3::Scheduler"},
        {"SimulatorImplementationType", "ns3::SimulatorImpl"},
    };
    for (const auto& [global, parent] : CLASSES)
    {
        if (name == global)
        {
            ParseObjectFactory("option --" + name, TypeId::LookupByName(parent), value);
        }
    }
}

/// Calls a visitor for every attribute of a class and its parents, except the attributes of
/// ns3::Object and ns3::Application. A run sets no start and stop times of applications.
/// @param base a parent of the class; its attributes and the attributes of its own parents are left
///        out
template <typename Visitor>
void
VisitAttributes(TypeId type, Visitor visit, TypeId base = Object::GetTypeId())
{
    for (; type != base && type != Object::GetTypeId() && type != Application::GetTypeId();
         type = type.GetParent())
    {
        for (std::size_t i = 0; i < type.GetAttributeN(); ++i)
        {
            visit(type.GetAttribute(i));
        }
        if (!type.HasParent() || type.GetParent() == type)
        {
            return;
        }
    }
}

} // namespace

std::optional<TypeId::AttributeInformation>
FindAttribute(TypeId type, const std::string& name)
{
    const auto separator = name.rfind("::");
    auto wanted = name;
    if (separator != std::string::npos)
    {
        // `Part` in Part::name is this class or one of its parents.
        const auto part = name.substr(0, separator);
        while (GetBareName(type) != part)
        {
            if (!type.HasParent() || type.GetParent() == type)
            {
                return std::nullopt;
            }
            type = type.GetParent();
        }
        wanted = name.substr(separator + 2);
    }
    if (!wanted.empty())
    {
        wanted[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(wanted[0])));
    }
    std::optional<TypeId::AttributeInformation> found;
    VisitAttributes(type, [&](const TypeId::AttributeInformation& attribute) {
        if (!found && attribute.name == wanted)
        {
            found = attribute;
        }
    });
    return found;
}

std::vector<std::string>
GetAttributeNames(TypeId type)
{
    std::vector<std::string> names;
    VisitAttributes(type, [&names](const TypeId::AttributeInformation& attribute) {
        names.push_back(GetOptionName(attribute.name));
    });
    return names;
}

void
SetDefaultAttribute(const std::string& fullName, const std::string& value)
{
    const auto separator = fullName.rfind("::");
    TypeId type;
    if (separator == std::string::npos ||
        !TypeId::LookupByNameFailSafe(fullName.substr(0, separator), &type))
    {
        throw InputError(
            "option --" + fullName +
            " names no class; allowed: --ns3::Class::Attribute=value (see --describe)");
    }
    const auto attribute = FindAttribute(type, fullName.substr(separator + 2));
    if (!attribute)
    {
        std::string names;
        VisitAttributes(type, [&names](const TypeId::AttributeInformation& known) {
            names += names.empty() ? "" : ", ";
            names += known.name;
        });
        throw InputError("option --" + fullName + " names no attribute of " + type.GetName() +
                         "; allowed: " + (names.empty() ? "none, it has no attributes" : names));
    }
    // Config::SetDefault() needs the class that declares the attribute.
    TypeId owner = type;
    while (owner.GetParent() != owner &&
           FindAttribute(owner.GetParent(), fullName.substr(separator + 2)))
    {
        owner = owner.GetParent();
    }
    Config::SetDefault(owner.GetName() + "::" + attribute->name,
                       *ParseAttribute("option --" + fullName, *attribute, value));
}

bool
SetGlobalValue(const std::string& name, const std::string& value)
{
    for (auto i = GlobalValue::Begin(); i != GlobalValue::End(); ++i)
    {
        if ((*i)->GetName() == name)
        {
            const auto present = (*i)->GetChecker()->Create();
            (*i)->GetValue(*present);
            TypeId::AttributeInformation information{};
            information.name = name;
            information.initialValue = present;
            information.checker = (*i)->GetChecker();
            if (name == "RngSeed")
            {
                // The random number generator has two moduli. A seed must be below the smaller
                // modulus.
                constexpr uint32_t MODULUS = 4294944443U;
                information.checker = MakeUintegerChecker<uint32_t>(1, MODULUS - 1);
            }
            const auto parsed = ParseAttribute("option --" + name, information, value);
            CheckClassOfGlobal(name, value);
            (*i)->SetValue(*parsed);
            return true;
        }
    }
    return false;
}

Json
DescribeParameter(const ::coflow::ParameterSpec& spec)
{
    return Json::Object()
        .Set("name", spec.name)
        .Set("default", spec.Default())
        .Set("unit", std::string(UnitName(spec.unit)))
        .Set("allowed", spec.Allowed())
        .Set("scales", spec.scaling == ::coflow::Scaling::WORKLOAD)
        .Set("help", spec.help)
        .Set("source", spec.source);
}

Json
DescribeParameters(const std::vector<::coflow::ParameterSpec>& specs)
{
    auto parameters = Json::Array();
    for (const auto& spec : specs)
    {
        parameters.Add(DescribeParameter(spec));
    }
    return parameters;
}

Json
DescribeAttributes(TypeId type, TypeId base)
{
    auto attributes = Json::Array();
    const auto describe = [&](const TypeId::AttributeInformation& attribute) {
        auto spec = GetSpec(attribute);
        if (spec)
        {
            spec->name = attribute.name;
        }
        auto entry = spec ? DescribeParameter(*spec)
                          : Json::Object()
                                .Set("name", attribute.name)
                                .Set("default", ToJson(*attribute.initialValue, attribute.checker))
                                .Set("help", attribute.help);
        attributes.Add(entry.Set("type", attribute.checker->GetValueTypeName()));
    };
    VisitAttributes(type, describe, base);
    return attributes;
}

Json
GetAttributeValues(Ptr<const Object> object)
{
    auto values = Json::Object();
    VisitAttributes(object->GetInstanceTypeId(),
                    [&](const TypeId::AttributeInformation& attribute) {
                        if ((attribute.flags & TypeId::ATTR_GET) == 0 ||
                            !attribute.accessor->HasGetter())
                        {
                            return;
                        }
                        const auto value = attribute.checker->Create();
                        if (attribute.accessor->Get(PeekPointer(object), *value))
                        {
                            values.Set(attribute.name, ToJson(*value, attribute.checker));
                        }
                    });
    return values;
}

} // namespace ns3::coflow
