/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-attribute-spec.h"

#include "ns3/boolean.h"
#include "ns3/coflow-text.h"
#include "ns3/data-rate.h"
#include "ns3/double.h"
#include "ns3/integer.h"
#include "ns3/nstime.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <limits>
#include <utility>

namespace ns3::coflow
{

using ::coflow::ParameterSpec;
using ::coflow::Scaling;
using ::coflow::Unit;

namespace
{

constexpr double ENDLESS = std::numeric_limits<double>::infinity();

// Longest time, in seconds. ns-3 can represent 9.2e9 s, but times are added to each other and to
// the time of the run.
constexpr double LONGEST_TIME = 1e6;

// Largest rate, in bit/s: a million bits per nanosecond.
constexpr double FASTEST_RATE = 1e15;

/// A checker of ns-3 with the other properties of a declaration.
class DeclaredChecker : public AttributeChecker
{
  public:
    /// @param checker checker with type and range
    /// @param spec declaration; its unit, scaling, source, range and kind are used
    DeclaredChecker(Ptr<const AttributeChecker> checker, ParameterSpec spec)
        : m_checker(std::move(checker)),
          m_spec(std::move(spec))
    {
    }

    bool Check(const AttributeValue& value) const override
    {
        return m_checker->Check(value);
    }

    std::string GetValueTypeName() const override
    {
        return m_checker->GetValueTypeName();
    }

    bool HasUnderlyingTypeInformation() const override
    {
        return m_checker->HasUnderlyingTypeInformation();
    }

    std::string GetUnderlyingTypeInformation() const override
    {
        return m_checker->GetUnderlyingTypeInformation();
    }

    Ptr<AttributeValue> Create() const override
    {
        return m_checker->Create();
    }

    bool Copy(const AttributeValue& source, AttributeValue& destination) const override
    {
        return m_checker->Copy(source, destination);
    }

    const ParameterSpec& GetDeclaration() const
    {
        return m_spec;
    }

  private:
    Ptr<const AttributeChecker> m_checker;
    ParameterSpec m_spec;
};

/// @return the unit that follows from the type of an attribute's values
std::optional<Unit>
GetUnitOfType(const AttributeChecker& checker)
{
    const std::string type = checker.GetValueTypeName();
    if (type.starts_with("ns3::EnumValue"))
    {
        return Unit::CHOICE;
    }
    static const std::pair<const char*, Unit> UNITS[] = {
        {"ns3::BooleanValue", Unit::FLAG},
        {"ns3::DoubleValue", Unit::NUMBER},
        {"ns3::IntegerValue", Unit::COUNT},
        {"ns3::UintegerValue", Unit::COUNT},
        {"ns3::TimeValue", Unit::SECONDS},
        {"ns3::DataRateValue", Unit::BITS_PER_SECOND},
    };
    for (const auto& [name, unit] : UNITS)
    {
        if (type == name)
        {
            return unit;
        }
    }
    return std::nullopt;
}

/// Reads a limit of a range in the format of ns-3, such as `0.5` or `+1000ns`. Times are converted
/// from nanoseconds to seconds.
double
ReadEnd(std::string text, Unit unit)
{
    text.erase(0, text.starts_with("+") ? 1 : 0);
    double value = 0;
    std::from_chars(text.data(), text.data() + text.size(), value);
    if (unit == Unit::SECONDS)
    {
        constexpr double LONGEST_NS = 9.2e18;
        return value >= LONGEST_NS ? ENDLESS : value / 1e9;
    }
    constexpr double LARGEST = 1.7e308;
    return value >= LARGEST ? ENDLESS : value;
}

/// Limits the range of times and rates to values that a simulation can use. The default always
/// stays in the range of a time.
void
Narrow(ParameterSpec& spec)
{
    if (spec.unit == Unit::SECONDS && spec.defaultValue >= 0)
    {
        spec.least = std::max(spec.least, 0.0);
        const double longest = std::max(LONGEST_TIME, spec.defaultValue);
        spec.most = std::min(spec.most, longest);
    }
    if (spec.unit == Unit::BITS_PER_SECOND)
    {
        spec.most = std::min(spec.most, FASTEST_RATE);
    }
}

/// Reads the range from the type information of an ns-3 checker, such as `Time +0ns:+1e+10ns`.
void
ReadRange(const AttributeChecker& checker, ParameterSpec& spec)
{
    spec.least = 0;
    spec.most = ENDLESS;
    const std::string text =
        checker.HasUnderlyingTypeInformation() ? checker.GetUnderlyingTypeInformation() : "";
    const auto space = text.find(' ');
    const auto colon = text.find(':', space == std::string::npos ? 0 : space);
    if (space != std::string::npos && colon != std::string::npos)
    {
        spec.least = ReadEnd(text.substr(space + 1, colon - space - 1), spec.unit);
        spec.most = ReadEnd(text.substr(colon + 1), spec.unit);
    }
}

} // namespace

Ptr<const AttributeChecker>
Declared(Ptr<const AttributeChecker> checker, Unit unit, Scaling scaling, std::string source)
{
    ParameterSpec spec;
    spec.unit = unit;
    spec.least = -ENDLESS;
    spec.most = ENDLESS;
    spec.source = std::move(source);
    spec.scaling = scaling;
    return Declared(std::move(checker), spec);
}

Ptr<const AttributeChecker>
Declared(Ptr<const AttributeChecker> checker, const ParameterSpec& spec)
{
    return Create<const DeclaredChecker>(std::move(checker), spec);
}

std::optional<ParameterSpec>
GetSpec(const TypeId::AttributeInformation& attribute)
{
    const auto* declared = dynamic_cast<const DeclaredChecker*>(PeekPointer(attribute.checker));
    const auto unit =
        declared ? declared->GetDeclaration().unit : GetUnitOfType(*attribute.checker);
    if (!unit)
    {
        return std::nullopt;
    }
    ParameterSpec spec;
    spec.name = GetOptionName(attribute.name);
    spec.help = attribute.help;
    spec.unit = *unit;
    if (declared)
    {
        spec.scaling = declared->GetDeclaration().scaling;
        spec.source = declared->GetDeclaration().source;
        spec.isControlPeriod = declared->GetDeclaration().isControlPeriod;
    }
    // ns-3 stores a default that was given as text as a StringValue.
    const auto byDefault = attribute.checker->CreateValidValue(*attribute.initialValue);
    if (!byDefault)
    {
        return std::nullopt; // the checkers of some ns-3 attributes refuse the attribute's own
                             // default
    }
    if (spec.unit == Unit::CHOICE)
    {
        spec.choices = ::coflow::SplitText(attribute.checker->GetUnderlyingTypeInformation(), '|');
        const auto found =
            std::ranges::find(spec.choices, byDefault->SerializeToString(attribute.checker));
        spec.defaultValue = static_cast<double>(found - spec.choices.begin());
        spec.most = static_cast<double>(spec.choices.size()) - 1;
        return spec;
    }
    if (spec.unit == Unit::FLAG)
    {
        spec.most = 1;
    }
    else
    {
        ReadRange(*attribute.checker, spec);
    }
    spec.defaultValue = GetNumber(*byDefault).value_or(0);
    if (attribute.checker->GetValueTypeName() == "ns3::DoubleValue" &&
        !attribute.checker->Check(DoubleValue(ENDLESS)))
    {
        spec.most = std::min(spec.most, std::numeric_limits<double>::max());
    }
    if (spec.unit != Unit::FLAG)
    {
        Narrow(spec);
    }
    if (declared)
    {
        spec.least = std::max(spec.least, declared->GetDeclaration().least);
        spec.most = std::min(spec.most, declared->GetDeclaration().most);
    }
    return spec;
}

std::optional<double>
GetNumber(const AttributeValue& value)
{
    if (const auto* time = dynamic_cast<const TimeValue*>(&value))
    {
        return time->Get() == Time::Max() ? ENDLESS
                                          : static_cast<double>(time->Get().GetNanoSeconds()) / 1e9;
    }
    if (const auto* number = dynamic_cast<const DoubleValue*>(&value))
    {
        return number->Get();
    }
    if (const auto* count = dynamic_cast<const UintegerValue*>(&value))
    {
        return static_cast<double>(count->Get());
    }
    if (const auto* count = dynamic_cast<const IntegerValue*>(&value))
    {
        return static_cast<double>(count->Get());
    }
    if (const auto* rate = dynamic_cast<const DataRateValue*>(&value))
    {
        return static_cast<double>(rate->Get().GetBitRate());
    }
    if (const auto* flag = dynamic_cast<const BooleanValue*>(&value))
    {
        return flag->Get() ? 1 : 0;
    }
    return std::nullopt;
}

std::string
GetOptionName(const std::string& name)
{
    std::string option = name;
    if (!option.empty())
    {
        option[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(option[0])));
    }
    return option;
}

} // namespace ns3::coflow
