/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_FLAG_BITS_H
#define COFLOW_FLAG_BITS_H

#include "ns3/coflow-message-fields.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <ostream>

namespace ns3::coflow
{

/// A field that is flags in 4 bytes, the first one in the lowest bit. Others are not allowed.
/// @tparam Bool bool, const or not
/// @tparam N number of flags
template <class Bool, std::size_t N>
struct FlagBits
{
    /// A flag.
    struct Flag
    {
        const char* name; ///< for a log
        Bool& value;      ///< the flag
    };

    std::array<Flag, N> flags; ///< from the lowest bit on
};

/// @param named names and flags in turns
/// @return a field
template <class Bool>
FlagBits<Bool, 1>
MakeFlagBits(const char* name, Bool& flag)
{
    return {{{{name, flag}}}};
}

/// The same for two flags.
template <class Bool>
FlagBits<Bool, 2>
MakeFlagBits(const char* name, Bool& flag, const char* secondName, Bool& second)
{
    return {{{{name, flag}, {secondName, second}}}};
}

template <class Bool, std::size_t N>
struct Wire<FlagBits<Bool, N>>
{
    static uint32_t Size(const FlagBits<Bool, N>&)
    {
        return sizeof(uint32_t);
    }

    static void Write(Buffer::Iterator& to, const FlagBits<Bool, N>& bits)
    {
        uint32_t coded = 0;
        for (std::size_t i = 0; i < N; ++i)
        {
            coded |= uint32_t{bits.flags[i].value} << i;
        }
        to.WriteHtonU32(coded);
    }

    static bool Read(ControlReader& from, const FlagBits<Bool, N>& bits)
    {
        const auto coded = from.Read<uint32_t>();
        for (std::size_t i = 0; i < N; ++i)
        {
            bits.flags[i].value = (coded >> i & 1) != 0;
        }
        return coded >> N == 0;
    }

    static void Print(std::ostream& os, const FlagBits<Bool, N>& bits)
    {
        const char* separator = "";
        for (const auto& flag : bits.flags)
        {
            os << separator << (flag.value ? "" : "not ") << flag.name;
            separator = ",";
        }
    }
};

} // namespace ns3::coflow

#endif // COFLOW_FLAG_BITS_H
