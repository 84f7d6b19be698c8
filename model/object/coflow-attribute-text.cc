/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-attribute-text.h"

#include "ns3/boolean.h"
#include "ns3/coflow-attribute-spec.h"
#include "ns3/coflow-error.h"
#include "ns3/coflow-quantity.h"
#include "ns3/coflow-text.h"
#include "ns3/data-rate.h"
#include "ns3/double.h"
#include "ns3/integer.h"
#include "ns3/nstime.h"
#include "ns3/object-factory.h"
#include "ns3/pointer.h"
#include "ns3/queue-size.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

namespace ns3::coflow
{

using ::coflow::InputError;
using ::coflow::ParameterSpec;
using ::coflow::Unit;

namespace
{

[[noreturn]] void
Refuse(const std::string& option, const std::string& text, const std::string& allowed)
{
    throw InputError(option + " is '" + text + "'; allowed: " + allowed);
}

/// Throws InputError for a time that rounding to whole nanoseconds changes by more than 0.5 per
/// cent.
/// @param seconds the rounded time
void
CheckResolution(const std::string& option, const std::string& text, double seconds)
{
    const auto given = ::coflow::ParseQuantity(text, Unit::SECONDS);
    constexpr double LARGEST_ERROR = 0.005;
    if (given && std::isfinite(seconds) && std::abs(seconds - *given) > LARGEST_ERROR * *given)
    {
        Refuse(option, text, "whole nanoseconds, which is the resolution of time");
    }
}

/// @return the value where the attribute takes the value; else null
Ptr<const AttributeValue>
IfTaken(const TypeId::AttributeInformation& attribute, Ptr<const AttributeValue> value)
{
    return attribute.checker->Check(*value) ? value : nullptr;
}

Ptr<const AttributeValue>
ParseSpecified(const TypeId::AttributeInformation& attribute,
               const ParameterSpec& spec,
               const std::string& text)
{
    const auto type = attribute.checker->GetValueTypeName();
    if (type == "ns3::UintegerValue")
    {
        if (const auto whole = ::coflow::ParseUnsigned(text)) // exact, because a double cannot
                                                              // represent all numbers of 64 bits
        {
            return IfTaken(attribute, Create<UintegerValue>(*whole));
        }
    }
    const auto value = spec.Parse(text);
    if (!value)
    {
        return nullptr;
    }
    if (spec.unit == Unit::CHOICE)
    {
        return attribute.checker->CreateValidValue(StringValue(text)); // one of the names
    }
    return MakeAttributeValue(attribute, spec, *value);
}

/// Reads a number of packets, such as `100p`, or a number of bytes.
std::optional<QueueSize>
ParseQueueSize(const std::string& text)
{
    const bool packets = text.ends_with("p");
    const auto number = packets
                            ? ::coflow::ParseQuantity(text.substr(0, text.size() - 1), Unit::COUNT)
                            : ::coflow::ParseQuantity(text, Unit::BYTES);
    if (!number || !(*number >= 0 && *number <= std::numeric_limits<uint32_t>::max()))
    {
        return std::nullopt;
    }
    return QueueSize(packets ? QueueSizeUnit::PACKETS : QueueSizeUnit::BYTES,
                     static_cast<uint32_t>(*number));
}

/// Splits `a=1|b=ns3::B[c=2|d=3]` at the bars outside of brackets.
/// @return none where brackets do not match
std::optional<std::vector<std::string>>
SplitAssignments(const std::string& text)
{
    std::vector<std::string> parts(1);
    int depth = 0;
    for (const char c : text)
    {
        depth += c == '[' ? 1 : 0;
        depth -= c == ']' ? 1 : 0;
        if (depth < 0)
        {
            return std::nullopt;
        }
        if (c == '|' && depth == 0)
        {
            parts.emplace_back();
            continue;
        }
        parts.back() += c;
    }
    return depth == 0 ? std::optional(parts) : std::nullopt;
}

/// @return the class with a name; none where no class has the name, the class has no constructor,
///         or the class is not derived from the parent
std::optional<TypeId>
FindClass(const std::string& name, TypeId parent)
{
    TypeId type;
    const bool found = TypeId::LookupByNameFailSafe(name, &type) &&
                       (type == parent || type.IsChildOf(parent)) && type.HasConstructor();
    return found ? std::optional(type) : std::nullopt;
}

} // namespace

Ptr<const AttributeValue>
MakeAttributeValue(const TypeId::AttributeInformation& attribute,
                   const ParameterSpec& spec,
                   double value)
{
    const auto type = attribute.checker->GetValueTypeName();
    if (spec.unit == Unit::FLAG)
    {
        return Create<BooleanValue>(value != 0);
    }
    if (type == "ns3::TimeValue")
    {
        constexpr double LONGEST_SECONDS = 1e9; // longer times become Time::Max()
        return IfTaken(attribute,
                       Create<TimeValue>(value > LONGEST_SECONDS
                                             ? Time::Max()
                                             : NanoSeconds(std::llround(value * 1e9))));
    }
    if (type == "ns3::DoubleValue")
    {
        return IfTaken(attribute, Create<DoubleValue>(value));
    }
    // The other types are integers. The largest integer of 64 bits is not a double, but the power
    // of two above it is.
    constexpr double LIMIT = 9223372036854775808.0;
    if (value != std::trunc(value) || !(std::abs(value) < LIMIT))
    {
        return nullptr;
    }
    if (type == "ns3::IntegerValue")
    {
        return IfTaken(attribute, Create<IntegerValue>(static_cast<int64_t>(value)));
    }
    if (value < 0)
    {
        return nullptr;
    }
    const auto whole = static_cast<uint64_t>(value);
    if (type == "ns3::DataRateValue")
    {
        return IfTaken(attribute, Create<DataRateValue>(DataRate(whole)));
    }
    return IfTaken(attribute, Create<UintegerValue>(whole));
}

Ptr<const AttributeValue>
ParseAttribute(const std::string& option,
               const TypeId::AttributeInformation& attribute,
               const std::string& text)
{
    if (const auto spec = GetSpec(attribute))
    {
        const auto value = ParseSpecified(attribute, *spec, text);
        if (!value)
        {
            Refuse(option, text, spec->Allowed());
        }
        if (attribute.checker->GetValueTypeName() == "ns3::TimeValue")
        {
            CheckResolution(option, text, *GetNumber(*value));
        }
        return value;
    }
    const auto type = attribute.checker->GetValueTypeName();
    if (type == "ns3::StringValue")
    {
        return Create<StringValue>(text);
    }
    if (type == "ns3::QueueSizeValue")
    {
        const auto size = ParseQueueSize(text);
        // A maximum size of a queue must be above 0. A threshold of 0 means no threshold.
        const bool isRoom = attribute.name.ends_with("Size");
        if (!size || (isRoom && size->GetValue() == 0))
        {
            Refuse(option,
                   text,
                   std::string("packets or bytes, such as 100p, 1500B or 256KiB") +
                       (isRoom ? ", more than 0" : ""));
        }
        return Create<QueueSizeValue>(*size);
    }
    if (type == "ns3::TypeIdValue")
    {
        TypeId named;
        if (!TypeId::LookupByNameFailSafe(text, &named))
        {
            Refuse(option, text, "the name of a class, such as ns3::TcpCubic");
        }
        return Create<TypeIdValue>(named);
    }
    if (const auto* pointer = dynamic_cast<const PointerChecker*>(PeekPointer(attribute.checker)))
    {
        const auto factory = ParseObjectFactory(option, pointer->GetPointeeTypeId(), text);
        return Create<PointerValue>(factory.Create<Object>());
    }
    if (type == "ns3::ObjectFactoryValue")
    {
        return Create<ObjectFactoryValue>(ParseObjectFactory(option, Object::GetTypeId(), text));
    }
    Refuse(option, text, "nothing: a text says no " + type);
}

ObjectFactory
ParseObjectFactory(const std::string& option, TypeId parent, const std::string& text)
{
    const auto bracket = text.find('[');
    const auto name = text.substr(0, bracket);
    const auto type = FindClass(name, parent);
    if (!type)
    {
        Refuse(option, text, "a subclass of " + parent.GetName() + ", by its full name");
    }
    ObjectFactory factory(name);
    if (bracket == std::string::npos)
    {
        return factory;
    }
    const auto inner =
        text.ends_with("]") ? text.substr(bracket + 1, text.size() - bracket - 2) : std::string();
    const auto assignments = SplitAssignments(inner);
    if (!text.ends_with("]") || !assignments)
    {
        Refuse(option, text, name + ", or " + name + "[Attribute=Value|...]");
    }
    for (const auto& assignment : *assignments)
    {
        if (inner.empty())
        {
            break;
        }
        const auto equals = assignment.find('=');
        TypeId::AttributeInformation attribute;
        if (equals == std::string::npos ||
            !type->LookupAttributeByName(assignment.substr(0, equals), &attribute) ||
            (attribute.flags & TypeId::ATTR_CONSTRUCT) == 0)
        {
            Refuse(option,
                   text,
                   name + "[Attribute=Value|...] with attributes that it has, unlike '" +
                       assignment + "'");
        }
        // Nested objects are created here. No attribute of this module needs nested objects.
        const auto value = ParseAttribute(option + ", " + name + "::" + attribute.name,
                                          attribute,
                                          assignment.substr(equals + 1));
        factory.Set(attribute.name, *value);
    }
    return factory;
}

} // namespace ns3::coflow
