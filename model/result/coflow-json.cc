/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-json.h"

#include "ns3/coflow-text.h"

#include <cmath>
#include <cstdio>
#include <string_view>

namespace coflow
{

namespace
{

void
WriteQuoted(std::string& out, std::string_view text)
{
    out += '"';
    for (char c : text)
    {
        if (c == '"' || c == '\\')
        {
            out += '\\';
            out += c;
        }
        else if (c == '\n')
        {
            out += "\\n";
        }
        else if (static_cast<unsigned char>(c) < 0x20)
        {
            char escape[8];
            std::snprintf(escape, sizeof(escape), "\\u%04x", static_cast<unsigned>(c));
            out += escape;
        }
        else
        {
            out += c;
        }
    }
    out += '"';
}

void
WriteLineBreak(std::string& out, int level)
{
    out += '\n';
    out.append(2 * static_cast<std::size_t>(level), ' ');
}

} // namespace

Json::Json(bool value)
    : m_value(value)
{
}

Json::Json(double value)
{
    if (std::isfinite(value))
    {
        m_value = value;
    }
}

Json::Json(std::string value)
    : m_value(std::move(value))
{
}

Json::Json(const char* value)
    : m_value(std::string(value))
{
}

Json
Json::Object()
{
    Json json;
    json.m_value = Members();
    return json;
}

Json
Json::Array()
{
    Json json;
    json.m_value = Elements();
    return json;
}

Json&
Json::Set(std::string name, Json value)
{
    std::get<Members>(m_value).emplace_back(std::move(name), std::move(value));
    return *this;
}

Json&
Json::Add(Json value)
{
    std::get<Elements>(m_value).push_back(std::move(value));
    return *this;
}

Json&
Json::Append(Json array)
{
    for (auto& value : std::get<Elements>(array.m_value))
    {
        Add(std::move(value));
    }
    return *this;
}

std::string
Json::ToString() const
{
    std::string out;
    Write(out, 0);
    out += '\n';
    return out;
}

void
Json::Write(std::string& out, int level) const
{
    if (const auto* flag = std::get_if<bool>(&m_value))
    {
        out += *flag ? "true" : "false";
    }
    else if (const auto* integer = std::get_if<std::int64_t>(&m_value))
    {
        out += std::to_string(*integer);
    }
    else if (const auto* natural = std::get_if<std::uint64_t>(&m_value))
    {
        out += std::to_string(*natural);
    }
    else if (const auto* number = std::get_if<double>(&m_value))
    {
        out += FormatNumber(*number);
    }
    else if (const auto* text = std::get_if<std::string>(&m_value))
    {
        WriteQuoted(out, *text);
    }
    else if (const auto* members = std::get_if<Members>(&m_value))
    {
        out += '{';
        const char* separator = "";
        for (const auto& [name, value] : *members)
        {
            out += separator;
            separator = ",";
            WriteLineBreak(out, level + 1);
            WriteQuoted(out, name);
            out += ": ";
            value.Write(out, level + 1);
        }
        if (!members->empty())
        {
            WriteLineBreak(out, level);
        }
        out += '}';
    }
    else if (const auto* elements = std::get_if<Elements>(&m_value))
    {
        out += '[';
        const char* separator = "";
        for (const auto& value : *elements)
        {
            out += separator;
            separator = ",";
            WriteLineBreak(out, level + 1);
            value.Write(out, level + 1);
        }
        if (!elements->empty())
        {
            WriteLineBreak(out, level);
        }
        out += ']';
    }
    else
    {
        out += "null";
    }
}

} // namespace coflow
