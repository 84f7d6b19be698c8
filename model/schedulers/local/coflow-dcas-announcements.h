/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_DCAS_ANNOUNCEMENTS_H
#define COFLOW_DCAS_ANNOUNCEMENTS_H

#include "ns3/ipv4-address.h"
#include "ns3/nstime.h"

#include <cstddef>
#include <cstdint>
#include <unordered_map>

namespace ns3::coflow
{

/// What a receiver remembers of the announcements of one coflow (DcasAgent).
///
/// Each sender announces in each round, and each announcement is answered with Psi of those of all
/// senders. So neither looks at all senders unless the answer may have become less.
class DcasAnnouncements
{
  public:
    /// A sender has announced what it wants. Those that have expired are forgotten.
    /// @param sender the sender
    /// @param desired what it wants
    /// @param expiry how long an announcement counts
    void Note(Ipv4Address sender, Time desired, Time expiry);

    /// A sender has ended. Those that have expired are forgotten.
    /// @param sender the sender
    /// @param expiry how long an announcement counts
    void Forget(Ipv4Address sender, Time expiry);

    /// @return whether nothing is remembered
    bool IsEmpty() const
    {
        return m_bySender.empty();
    }

    /// @return senders that are remembered
    std::size_t GetN() const
    {
        return m_bySender.size();
    }

    /// @return Psi of what is remembered, which is something
    Time GetAnswer();

    /// @param expiry how long an announcement counts
    /// @return senders whose announcements have not expired
    std::size_t CountRemembered(Time expiry) const;

  private:
    struct Announcement
    {
        Time desired;
        Time received;
    };

    static bool IsRemembered(const Announcement& announcement, Time expiry);
    void ForgetExpired(Time expiry);

    std::unordered_map<uint32_t, Announcement> m_bySender; ///< by address
    Time m_answer;                                         ///< Psi, if that is known
    bool m_isKnown{false};                                 ///< m_answer is Psi
    Time m_oldest;                                         ///< none was received before this
};

} // namespace ns3::coflow

#endif // COFLOW_DCAS_ANNOUNCEMENTS_H
