/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-attributes.h"

#include "ns3/application.h"
#include "ns3/coflow-error.h"
#include "ns3/coflow-named-type.h"
#include "ns3/config.h"
#include "ns3/global-value.h"
#include "ns3/pointer.h"
#include "ns3/string.h"

#include <cctype>
#include <cstdio>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace ns3::coflow
{

using ::coflow::InputError;
using ::coflow::Json;

namespace
{

/// Whether a checker takes a text. For many malformed texts ns-3 does not say no but ends the
/// process, so the question is asked in a process of its own.
bool
Takes(const AttributeChecker& checker, const std::string& value)
{
    std::fflush(nullptr);
    const pid_t child = ::fork();
    if (child == 0)
    {
        ::close(STDOUT_FILENO);
        ::close(STDERR_FILENO);
        const auto parsed = checker.CreateValidValue(StringValue(value));
        ::_exit(parsed ? 0 : 1);
    }
    int status = 0;
    if (child < 0 || ::waitpid(child, &status, 0) != child)
    {
        throw std::runtime_error("cannot start a process to check the value '" + value + "'");
    }
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

void
CheckValue(const std::string& option, const AttributeChecker& checker, const std::string& value)
{
    if (!Takes(checker, value))
    {
        auto allowed = checker.GetValueTypeName().substr(std::string("ns3::").size());
        if (checker.HasUnderlyingTypeInformation())
        {
            allowed = checker.GetUnderlyingTypeInformation();
        }
        throw InputError(option + " is '" + value + "'; allowed: " + allowed);
    }
}

/// A value for a file: an object that is pointed to is told by its class and attributes, for its
/// address says nothing and differs from run to run.
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

/// Calls back for every attribute of a class and its parents, those of ns3::Object left out, and
/// those of ns3::Application: an application that starts late, or ends early, is not what a run is
/// made of.
template <typename Visitor>
void
VisitAttributes(TypeId type, Visitor visit)
{
    for (; type != Object::GetTypeId() && type != Application::GetTypeId(); type = type.GetParent())
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
        // Part::name is of this class, or of a class that it is derived from.
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
        auto name = attribute.name;
        name[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(name[0])));
        names.push_back(std::move(name));
    });
    return names;
}

void
CheckAttributeValue(const std::string& option,
                    const TypeId::AttributeInformation& attribute,
                    const std::string& value)
{
    CheckValue(option, *attribute.checker, value);
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
    CheckAttributeValue("option --" + fullName, *attribute, value);
    Config::SetDefault(type.GetName() + "::" + attribute->name, StringValue(value));
}

bool
SetGlobalValue(const std::string& name, const std::string& value)
{
    for (auto i = GlobalValue::Begin(); i != GlobalValue::End(); ++i)
    {
        if ((*i)->GetName() == name)
        {
            CheckValue("option --" + name, *(*i)->GetChecker(), value);
            (*i)->SetValue(StringValue(value));
            return true;
        }
    }
    return false;
}

Json
DescribeAttributes(TypeId type)
{
    auto attributes = Json::Array();
    VisitAttributes(type, [&](const TypeId::AttributeInformation& attribute) {
        const auto& checker = attribute.checker;
        attributes.Add(Json::Object()
                           .Set("name", attribute.name)
                           .Set("default", ToJson(*attribute.initialValue, checker))
                           .Set("type", checker->GetValueTypeName())
                           .Set("allowed",
                                checker->HasUnderlyingTypeInformation()
                                    ? Json(checker->GetUnderlyingTypeInformation())
                                    : Json())
                           .Set("help", attribute.help));
    });
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
