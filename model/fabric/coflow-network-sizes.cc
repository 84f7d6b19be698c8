/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-network-sizes.h"

#include "ns3/coflow-attribute-text.h"
#include "ns3/coflow-format.h"
#include "ns3/coflow-rounded-times.h"
#include "ns3/coflow-text.h"
#include "ns3/object-factory.h"
#include "ns3/queue-disc.h"
#include "ns3/queue-size.h"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace ns3::coflow
{

using ::coflow::FormatRounded;
using ::coflow::Json;

namespace
{

/// A queue disc as a text, `ns3::Class[Attribute=Value|...]`. The class has no attributes that are
/// objects.
class QueueText
{
  public:
    explicit QueueText(const std::string& text)
    {
        const auto bracket = text.find('[');
        m_class = text.substr(0, bracket);
        auto begin = bracket;
        while (begin < text.size() && text[begin] != ']')
        {
            const auto end = text.find_first_of("|]", ++begin);
            m_assignments.push_back(text.substr(begin, end - begin));
            begin = end;
        }
    }

    const std::string& GetClass() const
    {
        return m_class;
    }

    /// @return the value of an attribute; empty: the text has none
    std::string Get(const std::string& attribute) const
    {
        const auto found = Find(attribute);
        return found == m_assignments.size() ? ""
                                             : m_assignments[found].substr(attribute.size() + 1);
    }

    void Set(const std::string& attribute, const std::string& value)
    {
        const auto found = Find(attribute);
        if (found == m_assignments.size())
        {
            m_assignments.emplace_back();
        }
        m_assignments[found] = attribute + "=" + value;
    }

    std::string ToString() const
    {
        std::string list;
        for (const auto& assignment : m_assignments)
        {
            list += (list.empty() ? "" : "|") + assignment;
        }
        return list.empty() ? m_class : m_class + "[" + list + "]";
    }

  private:
    std::size_t Find(const std::string& attribute) const
    {
        const auto found = std::ranges::find_if(m_assignments, [&](const auto& assignment) {
            return assignment.starts_with(attribute + "=");
        });
        return static_cast<std::size_t>(found - m_assignments.begin());
    }

    std::string m_class;
    std::vector<std::string> m_assignments;
};

/// A size of a queue disc that may follow the network.
class Size
{
  public:
    /// @param text text of the queue disc
    /// @param isChosen whether the user has given the text
    /// @param queueDisc a queue disc of the class, with the defaults of its attributes
    /// @param attribute name of the attribute
    Size(QueueText& text, bool isChosen, const QueueDisc& queueDisc, const std::string& attribute)
        : m_text(text),
          m_attribute(attribute)
    {
        TypeId::AttributeInformation information;
        const auto type = queueDisc.GetInstanceTypeId();
        if (!type.LookupAttributeByName(attribute, &information))
        {
            return;
        }
        m_isThere = true;
        const auto original =
            DynamicCast<const QueueSizeValue>(information.originalInitialValue)->Get();
        QueueSizeValue present;
        queueDisc.GetAttribute(attribute, present);
        m_size = present.Get();
        m_original = original;
        // A default that the user has changed is a value that the user gives, in any text. The user
        // may also have set a default to its original value.
        const bool isChanged = m_size.GetUnit() != original.GetUnit() ||
                               m_size.GetValue() != original.GetValue() ||
                               information.initialValue != information.originalInitialValue;
        const auto inText = text.Get(attribute);
        m_isGiven = isChanged || (isChosen && !inText.empty());
        if (inText.empty())
        {
            return;
        }
        if (isChanged && !isChosen)
        {
            text.Set(attribute, present.SerializeToString(information.checker));
            return;
        }
        const auto value = ParseAttribute(type.GetName() + "::" + attribute, information, inText);
        m_size = DynamicCast<const QueueSizeValue>(value)->Get();
    }

    /// @return whether the size or its original default is above 0
    bool Counts() const
    {
        return m_isThere && (m_size.GetValue() > 0 || m_original.GetValue() > 0);
    }

    /// @return the size in bytes, if the user gives it; otherwise UINT64_MAX
    uint64_t GetRoom() const
    {
        constexpr uint64_t PACKET_BYTES = 1500;
        const bool inPackets = m_size.GetUnit() == QueueSizeUnit::PACKETS;
        return m_isGiven ? m_size.GetValue() * (inPackets ? PACKET_BYTES : 1) : UINT64_MAX;
    }

    /// Raises the size to a number of bytes, unless the user gives the size, or the size is 0,
    /// larger or in packets.
    void Raise(uint64_t bytes)
    {
        const auto wanted = static_cast<uint32_t>(std::min<uint64_t>(bytes, UINT32_MAX));
        if (m_isThere && !m_isGiven && m_size.GetUnit() == QueueSizeUnit::BYTES &&
            m_size.GetValue() > 0 && m_size.GetValue() < wanted)
        {
            m_text.Set(m_attribute, std::to_string(wanted) + "B");
        }
    }

  private:
    QueueText& m_text;
    std::string m_attribute;
    bool m_isThere{false};
    bool m_isGiven{false};
    QueueSize m_size;
    QueueSize m_original; ///< original default, before any change by the user
};

} // namespace

std::string
NetworkSizes::FollowNetwork(const std::string& queueDisc, bool isChosen, uint64_t product)
{
    QueueText text(queueDisc);
    TypeId type;
    TypeId::AttributeInformation ofOurs;
    if (!TypeId::LookupByNameFailSafe(text.GetClass(), &type) ||
        !type.LookupAttributeByName("MarkingThreshold", &ofOurs))
    {
        return queueDisc;
    }
    ObjectFactory factory;
    factory.SetTypeId(type);
    const auto defaults = factory.Create<QueueDisc>();
    Size threshold(text, isChosen, *defaults, "MarkingThreshold");
    Size ofAll(text, isChosen, *defaults, "MaxSize");
    Size ofBand(text, isChosen, *defaults, "BandSize");
    // A queue that the user has made short must mark before it is full.
    threshold.Raise(
        std::min({product, ofAll.GetRoom() / QUEUE_PRODUCTS, ofBand.GetRoom() / QUEUE_PRODUCTS}));
    if (threshold.Counts())
    {
        ofAll.Raise(QUEUE_PRODUCTS * product);
        ofBand.Raise(QUEUE_PRODUCTS * product);
    }
    return text.ToString();
}

Json
NetworkSizes::ToJson() const
{
    return Json::Object()
        .Set("rate_bit_per_s", product.rate.GetBitRate())
        .Set("base_round_trip_s", product.roundTrip.GetSeconds())
        .Set("rate_x_round_trip_bytes", product.GetBytes())
        .Set("queue_disc", queue.type)
        .Set("marking_threshold", queue.markingThreshold)
        .Set("queue_size", queue.maxSize)
        .Set("send_buffer_bytes", sendBufferBytes)
        .Set("receive_buffer_bytes", receiveBufferBytes)
        .Set("packet_time_error", packetTimeError);
}

std::string
NetworkSizes::Describe() const
{
    // The smallest default of a size that follows the network.
    constexpr uint64_t MOST_OF_DEFAULTS = 30'000;
    std::string lines;
    if (product.GetBytes() > MOST_OF_DEFAULTS)
    {
        lines = "rate x round trip is " + std::to_string(product.GetBytes()) + " bytes (" +
                ::coflow::FormatNumber(static_cast<double>(product.rate.GetBitRate()) * 1e-9) +
                " Gbps, " + FormatRounded(product.roundTrip.GetSeconds() * 1e6) + " us): ";
        lines += queue.markingThreshold.empty() ? ""
                                                : "ports mark above " + queue.markingThreshold +
                                                      " and hold " + queue.maxSize + ", ";
        lines += "TCP's buffers are " + std::to_string(sendBufferBytes) + " and " +
                 std::to_string(receiveBufferBytes) + " bytes\n";
    }
    const auto rounded = RoundedTimes::Describe(packetTimeError);
    return lines + (rounded.empty() ? "" : rounded + "\n");
}

} // namespace ns3::coflow
