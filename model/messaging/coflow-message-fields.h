/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_MESSAGE_FIELDS_H
#define COFLOW_MESSAGE_FIELDS_H

#include "ns3/buffer.h"
#include "ns3/coflow-control-reader.h"
#include "ns3/ipv4-address.h"
#include "ns3/nstime.h"

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <ostream>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

/// @file
/// A message or a record declares its fields once, in their order on the wire:
///
///     struct PlaceRecord
///     {
///         ::coflow::CoflowId coflow{0};
///         uint32_t place{0};
///
///         template <class Self, class Visitor>
///         static void VisitFields(Self& self, Visitor& visit)
///         {
///             visit("coflow", self.coflow);
///             visit("place", self.place);
///         }
///     };
///
/// The size, the bytes, and the text for a log follow from this declaration. The type of a field
/// determines its encoding, see Wire. A struct with values that are not allowed also has `bool
/// IsAllowed() const`.

namespace ns3::coflow
{

/// The encoding of values of a type in the body of a message. A specialisation for each type of
/// field has these static members:
/// - `uint32_t Size(const T&)`: bytes;
/// - `void Write(Buffer::Iterator&, const T&)`;
/// - `bool Read(ControlReader&, T&)`: whether the value is allowed. ControlReader::IsGood() returns
///   whether no byte was missing;
/// - `void Print(std::ostream&, const T&)`: the value for a log.
template <class T>
struct Wire;

/// @name Visitors of fields
/// @{

/// Adds up sizes.
struct FieldSizer
{
    uint32_t bytes{0}; ///< sum of the sizes of all fields so far

    template <class T>
    void operator()(const char*, const T& value)
    {
        bytes += Wire<T>::Size(value);
    }
};

/// Writes fields.
struct FieldWriter
{
    Buffer::Iterator& to; ///< the next byte

    template <class T>
    void operator()(const char*, const T& value)
    {
        Wire<T>::Write(to, value);
    }
};

/// Reads fields, up to the first one that is not allowed.
struct FieldReader
{
    ControlReader& from; ///< source of the bytes
    bool allowed{true};  ///< all values so far are allowed

    template <class T>
    void operator()(const char*, T&& value)
    {
        allowed = allowed && Wire<std::remove_cvref_t<T>>::Read(from, value);
    }
};

/// Prints `name=value`, separated by spaces.
struct FieldPrinter
{
    std::ostream& os;   ///< the stream
    bool isFirst{true}; ///< no separator yet

    template <class T>
    void operator()(const char* name, const T& value)
    {
        os << (std::exchange(isFirst, false) ? "" : " ") << name << '=';
        Wire<T>::Print(os, value);
    }
};

/// @}

/// A type with fields: see the top of this file.
template <class T>
concept HasFields = requires(const T& value, FieldSizer& sizer) { T::VisitFields(value, sizer); };

/// Fields one after the other.
template <HasFields T>
struct Wire<T>
{
    static uint32_t Size(const T& value)
    {
        FieldSizer sizer;
        T::VisitFields(value, sizer);
        return sizer.bytes;
    }

    static void Write(Buffer::Iterator& to, const T& value)
    {
        FieldWriter writer{to};
        T::VisitFields(value, writer);
    }

    static bool Read(ControlReader& from, T& value)
    {
        FieldReader reader{from};
        T::VisitFields(value, reader);
        if constexpr (requires { value.IsAllowed(); })
        {
            return reader.allowed && value.IsAllowed();
        }
        return reader.allowed;
    }

    static void Print(std::ostream& os, const T& value)
    {
        FieldPrinter printer{os};
        T::VisitFields(value, printer);
    }
};

/// A number in network byte order.
template <std::unsigned_integral T>
struct Wire<T>
{
    static uint32_t Size(T)
    {
        return sizeof(T);
    }

    static void Write(Buffer::Iterator& to, T value)
    {
        if constexpr (sizeof(T) == 1)
        {
            to.WriteU8(value);
        }
        else if constexpr (sizeof(T) == 2)
        {
            to.WriteHtonU16(value);
        }
        else if constexpr (sizeof(T) == 4)
        {
            to.WriteHtonU32(value);
        }
        else
        {
            to.WriteHtonU64(value);
        }
    }

    static bool Read(ControlReader& from, T& value)
    {
        value = from.Read<T>();
        return true;
    }

    static void Print(std::ostream& os, T value)
    {
        os << +value;
    }
};

/// A value that has another type on the wire.
/// @tparam T type of the value
/// @tparam Coded type on the wire
template <class T, class Coded>
struct WireAs
{
    static uint32_t Size(const T&)
    {
        return sizeof(Coded);
    }

    static void Write(Buffer::Iterator& to, const T& value)
    {
        Wire<Coded>::Write(to, static_cast<Coded>(value));
    }
};

/// A number that is not below 0, in 8 bytes.
template <>
struct Wire<int64_t> : WireAs<int64_t, uint64_t>
{
    static bool Read(ControlReader& from, int64_t& value)
    {
        const auto coded = from.Read<uint64_t>();
        value = static_cast<int64_t>(coded);
        return value >= 0;
    }

    static void Print(std::ostream& os, int64_t value)
    {
        os << value;
    }
};

/// A flag of 8 bytes, 0 or 1.
template <>
struct Wire<bool> : WireAs<bool, uint64_t>
{
    static bool Read(ControlReader& from, bool& value)
    {
        const auto coded = from.Read<uint64_t>();
        value = coded == 1;
        return coded <= 1;
    }

    static void Print(std::ostream& os, bool value)
    {
        os << value;
    }
};

/// One of several flags that are a field together.
/// @tparam Bool bool, const or not
template <class Bool>
struct NamedFlag
{
    const char* name; ///< name of the flag, for a log
    Bool& value;      ///< the flag
};

template <class Bool>
NamedFlag(const char*, Bool&) -> NamedFlag<Bool>;

/// Flags in 4 bytes, the first flag in the lowest bit. All other bits must be 0.
template <class Bool, std::size_t N>
struct Wire<std::array<NamedFlag<Bool>, N>>
{
    using Flags = std::array<NamedFlag<Bool>, N>; ///< the field

    static uint32_t Size(const Flags&)
    {
        return sizeof(uint32_t);
    }

    static void Write(Buffer::Iterator& to, const Flags& flags)
    {
        uint32_t coded = 0;
        for (std::size_t i = 0; i < N; ++i)
        {
            coded |= uint32_t{flags[i].value} << i;
        }
        to.WriteHtonU32(coded);
    }

    static bool Read(ControlReader& from, const Flags& flags)
    {
        const auto coded = from.Read<uint32_t>();
        for (std::size_t i = 0; i < N; ++i)
        {
            flags[i].value = (coded >> i & 1) != 0;
        }
        return coded >> N == 0;
    }

    static void Print(std::ostream& os, const Flags& flags)
    {
        const char* separator = "";
        for (const auto& flag : flags)
        {
            os << separator << (flag.value ? "" : "not ") << flag.name;
            separator = ",";
        }
    }
};

/// An enumeration, as its underlying type. `const char* ToString(T)` returns the names of its
/// values. IsAllowed() of the struct checks whether the value is one of the enumeration's values.
template <class T>
    requires std::is_enum_v<T>
struct Wire<T> : WireAs<T, std::underlying_type_t<T>>
{
    static bool Read(ControlReader& from, T& value)
    {
        value = static_cast<T>(from.Read<std::underlying_type_t<T>>());
        return true;
    }

    static void Print(std::ostream& os, T value)
    {
        os << ToString(value);
    }
};

/// A time that is not below 0: nanoseconds in 8 bytes.
template <>
struct Wire<Time>
{
    static uint32_t Size(const Time&)
    {
        return sizeof(int64_t);
    }

    static void Write(Buffer::Iterator& to, const Time& time)
    {
        Wire<int64_t>::Write(to, time.GetNanoSeconds());
    }

    static bool Read(ControlReader& from, Time& time)
    {
        int64_t nanoseconds = 0;
        const bool allowed = Wire<int64_t>::Read(from, nanoseconds);
        time = NanoSeconds(allowed ? nanoseconds : 0);
        return allowed;
    }

    static void Print(std::ostream& os, const Time& time)
    {
        os << time.GetNanoSeconds() << "ns";
    }
};

/// An address in 4 bytes.
template <>
struct Wire<Ipv4Address>
{
    static uint32_t Size(const Ipv4Address&)
    {
        return sizeof(uint32_t);
    }

    static void Write(Buffer::Iterator& to, const Ipv4Address& address)
    {
        to.WriteHtonU32(address.Get());
    }

    static bool Read(ControlReader& from, Ipv4Address& address)
    {
        address = Ipv4Address(from.Read<uint32_t>());
        return true;
    }

    static void Print(std::ostream& os, const Ipv4Address& address)
    {
        os << address;
    }
};

/// An optional value. One value of T is the code of no value.
/// @tparam T type of the value
template <class T>
struct Wire<std::optional<T>>
{
    /// @return the code of no value: 0 for times, and all bits set for numbers
    static T None()
    {
        if constexpr (std::unsigned_integral<T>)
        {
            return std::numeric_limits<T>::max();
        }
        else
        {
            return T();
        }
    }

    static uint32_t Size(const std::optional<T>& value)
    {
        return Wire<T>::Size(value.value_or(None()));
    }

    static void Write(Buffer::Iterator& to, const std::optional<T>& value)
    {
        Wire<T>::Write(to, value.value_or(None()));
    }

    static bool Read(ControlReader& from, std::optional<T>& value)
    {
        T coded = None();
        const bool allowed = Wire<T>::Read(from, coded);
        value = coded == None() ? std::nullopt : std::optional(coded);
        return allowed;
    }

    static void Print(std::ostream& os, const std::optional<T>& value)
    {
        value ? Wire<T>::Print(os, *value) : void(os << '-');
    }
};

/// Text, up to the end of the body.
template <>
struct Wire<std::string>
{
    static uint32_t Size(const std::string& text)
    {
        return static_cast<uint32_t>(text.size());
    }

    static void Write(Buffer::Iterator& to, const std::string& text)
    {
        to.Write(reinterpret_cast<const uint8_t*>(text.data()), Size(text));
    }

    static bool Read(ControlReader& from, std::string& text)
    {
        text = from.ReadText();
        return true;
    }

    static void Print(std::ostream& os, const std::string& text)
    {
        os << '\'' << text << '\'';
    }
};

/// A list, up to the end of the body. It may be empty.
template <class T>
struct Wire<std::vector<T>>
{
    static uint32_t Size(const std::vector<T>& list)
    {
        uint32_t bytes = 0;
        for (const auto& value : list)
        {
            bytes += Wire<T>::Size(value);
        }
        return bytes;
    }

    static void Write(Buffer::Iterator& to, const std::vector<T>& list)
    {
        for (const auto& value : list)
        {
            Wire<T>::Write(to, value);
        }
    }

    static bool Read(ControlReader& from, std::vector<T>& list)
    {
        list.clear();
        list.reserve(from.GetLeft() / Wire<T>::Size(T()));
        while (from.IsGood() && from.GetLeft() > 0)
        {
            if (!Wire<T>::Read(from, list.emplace_back()))
            {
                return false;
            }
        }
        return true;
    }

    static void Print(std::ostream& os, const std::vector<T>& list)
    {
        os << '[';
        for (std::size_t i = 0; i < list.size(); ++i)
        {
            os << (i > 0 ? "; " : "");
            Wire<T>::Print(os, list[i]);
        }
        os << ']';
    }
};

} // namespace ns3::coflow

#endif // COFLOW_MESSAGE_FIELDS_H
