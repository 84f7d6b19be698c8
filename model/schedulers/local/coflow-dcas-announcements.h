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

/// The announcements of one coflow that a receiver stores (DcasAgent).
///
/// Each sender announces in each round, and the answer to each announcement is Psi of the
/// announcements of all senders. Psi is computed over all senders only when it may have decreased.
class DcasAnnouncements
{
  public:
    /// A sender has announced its wanted time. Removes expired announcements.
    /// @param sender address of the sender
    /// @param desired the wanted time
    /// @param expiry lifetime of announcements
    void Note(Ipv4Address sender, Time desired, Time expiry);

    /// A sender has no flow left. Removes its announcement, and expired announcements.
    /// @param sender address of the sender
    /// @param expiry lifetime of announcements
    void Forget(Ipv4Address sender, Time expiry);

    /// @return whether no announcement is stored
    bool IsEmpty() const
    {
        return m_bySender.empty();
    }

    /// @return number of senders with a stored announcement
    std::size_t GetN() const
    {
        return m_bySender.size();
    }

    /// @return Psi of the stored announcements; there must be at least one
    Time GetAnswer();

    /// @param expiry lifetime of announcements
    /// @return number of senders whose announcements have not expired
    std::size_t CountRemembered(Time expiry) const;

  private:
    struct Announcement
    {
        Time desired;
        Time received;
    };

    static bool IsRemembered(const Announcement& announcement, Time expiry);
    void ForgetExpired(Time expiry);

    std::unordered_map<uint32_t, Announcement> m_bySender; ///< announcements by sender's address
    Time m_answer;                                         ///< Psi, if m_isKnown
    bool m_isKnown{false};                                 ///< m_answer is Psi
    Time m_oldest; ///< no stored announcement was received before this time
};

} // namespace ns3::coflow

#endif // COFLOW_DCAS_ANNOUNCEMENTS_H
