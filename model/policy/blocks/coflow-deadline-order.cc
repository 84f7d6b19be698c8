/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-deadline-order.h"

#include "ns3/coflow-order-by.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

namespace coflow
{

namespace
{

/// Factor of deadlines for rounding errors: a coflow that meets its deadline exactly is in time.
constexpr double EXACT = 1 + 1e-12;

/// A port with at least this share of the bottleneck's load is congested.
constexpr double CONGESTED = 0.7;

/// The completion time of a job after the present work of its ports.
double
TimeBehind(const DeadlineJob& job, std::span<const double> busy)
{
    double time = 0;
    for (const PortDemand& d : job.seconds)
    {
        time = std::max(time, busy[d.port] + d.load);
    }
    return time;
}

/// Admits the chosen jobs, and the other ones that are in time behind all jobs admitted before.
/// @param order all jobs, first to last
/// @param chosen per job: nonzero if it is chosen
DeadlineChoice
Admit(std::span<const DeadlineJob> jobs,
      std::size_t ports,
      std::span<const std::uint32_t> order,
      std::span<const std::uint8_t> chosen)
{
    std::vector<double> busy(ports, 0.0);
    DeadlineChoice choice;
    for (const std::uint32_t j : order)
    {
        if (chosen[j] || TimeBehind(jobs[j], busy) <= jobs[j].due * EXACT)
        {
            choice.admitted.push_back(j);
            for (const PortDemand& d : jobs[j].seconds)
            {
                busy[d.port] += d.load;
            }
        }
        else
        {
            choice.rejected.push_back(j);
        }
    }
    std::ranges::sort(choice.rejected);
    return choice;
}

/// The state of DCoflow for one set of jobs: the jobs without a position.
class Placing
{
  public:
    /// Starts with no job in a position.
    Placing(std::span<const DeadlineJob> jobs, std::size_t ports)
        : m_jobs(jobs),
          m_users(ports),
          m_total(ports, 0.0)
    {
        for (std::uint32_t j = 0; j < jobs.size(); ++j)
        {
            for (const PortDemand& d : jobs[j].seconds)
            {
                m_users[d.port].push_back({j, d.load});
                m_total[d.port] += d.load;
            }
        }
    }

    /// The port with the largest load; ties: smallest number.
    HostPort Bottleneck() const
    {
        return static_cast<HostPort>(std::ranges::max_element(m_total) - m_total.begin());
    }

    /// The job with the latest deadline among the users of a port; ties: the later job.
    std::uint32_t Latest(HostPort port) const
    {
        std::uint32_t latest = m_users[port].front().job;
        for (const User& user : m_users[port])
        {
            latest = m_jobs[user.job].due >= m_jobs[latest].due ? user.job : latest;
        }
        return latest;
    }

    /// Whether a job is in time at a port behind all other users of the port.
    bool InTimeLast(std::uint32_t job, HostPort port) const
    {
        return m_total[port] <= m_jobs[job].due * EXACT;
    }

    /// The job to reject if no job is in time at the bottleneck.
    std::uint32_t Victim(HostPort port, const DeadlineRejection& rejection) const
    {
        const auto candidates = Candidates(port, rejection.candidates);
        std::uint32_t victim = candidates.front();
        double smallest = std::numeric_limits<double>::infinity();
        for (const std::uint32_t j : candidates)
        {
            double psi = 0;
            for (const PortDemand& d : m_jobs[j].seconds)
            {
                const double part = d.load * (m_jobs[j].due - m_total[d.port]);
                const bool counts = rejection.measure == DeadlineRejection::Measure::NEGATIVE
                                        ? part < 0
                                        : m_total[d.port] >= CONGESTED * m_total[port];
                psi += counts ? part : 0;
            }
            if (psi / m_jobs[j].weight < smallest)
            {
                smallest = psi / m_jobs[j].weight;
                victim = j;
            }
        }
        return victim;
    }

    /// Removes a job from all its ports.
    void Remove(std::uint32_t job)
    {
        for (const PortDemand& d : m_jobs[job].seconds)
        {
            auto& users = m_users[d.port];
            std::erase_if(users, [job](const User& user) { return user.job == job; });
            // The sum is computed again, because the total must be exactly 0 without users.
            m_total[d.port] =
                std::accumulate(users.begin(), users.end(), 0.0, [](double sum, const User& user) {
                    return sum + user.seconds;
                });
        }
    }

  private:
    /// A job at a port.
    struct User
    {
        std::uint32_t job; ///< the job
        double seconds;    ///< load of the job over the rate of the port
    };

    /// The jobs that may be rejected; at least one.
    std::vector<std::uint32_t> Candidates(HostPort port, DeadlineRejection::Candidates who) const
    {
        const auto& users = m_users[port];
        std::vector<std::uint8_t> spared(users.size(), 0);
        if (who == DeadlineRejection::Candidates::LATE)
        {
            std::vector<MachineJob> machine;
            for (const User& user : users)
            {
                machine.push_back({user.seconds, m_jobs[user.job].due, m_jobs[user.job].weight});
            }
            // No job would be in time in the last position, so at least one job is late in any
            // schedule.
            spared = LargestWeightInTime(machine);
        }
        std::vector<std::uint32_t> candidates;
        for (std::size_t u = 0; u < users.size(); ++u)
        {
            if (!spared[u])
            {
                candidates.push_back(users[u].job);
            }
        }
        return candidates;
    }

    std::span<const DeadlineJob> m_jobs;    ///< all jobs
    std::vector<std::vector<User>> m_users; ///< per port: users without a position
    std::vector<double> m_total;            ///< per port: seconds of its users
};

} // namespace

DeadlineChoice
DCoflowChoice(std::span<const DeadlineJob> jobs,
              std::size_t ports,
              const DeadlineRejection& rejection)
{
    Placing placing(jobs, ports);
    std::vector<std::uint32_t> order(jobs.size());
    std::vector<std::uint8_t> chosen(jobs.size(), 1);
    for (std::size_t place = jobs.size(); place > 0; --place)
    {
        const HostPort bottleneck = placing.Bottleneck();
        std::uint32_t last = placing.Latest(bottleneck);
        if (!placing.InTimeLast(last, bottleneck))
        {
            last = placing.Victim(bottleneck, rejection);
            chosen[last] = 0;
        }
        order[place - 1] = last;
        placing.Remove(last);
    }
    // A chosen job was in time behind all jobs before it here, rejected or not.
    return Admit(jobs, ports, order, chosen);
}

DeadlineChoice
CsMhaChoice(std::span<const DeadlineJob> jobs, std::size_t ports)
{
    std::vector<std::vector<std::uint32_t>> users(ports);
    std::vector<std::vector<MachineJob>> machines(ports);
    for (std::uint32_t j = 0; j < jobs.size(); ++j)
    {
        for (const PortDemand& d : jobs[j].seconds)
        {
            users[d.port].push_back(j);
            machines[d.port].push_back({d.load, jobs[j].due * EXACT, 1});
        }
    }
    std::vector<std::uint8_t> chosen(jobs.size(), 1);
    for (std::size_t p = 0; p < ports; ++p)
    {
        const auto inTime = LargestNumberInTime(machines[p]);
        for (std::size_t u = 0; u < inTime.size(); ++u)
        {
            chosen[users[p][u]] &= inTime[u];
        }
    }
    std::vector<std::pair<bool, double>> keys;
    for (std::size_t j = 0; j < jobs.size(); ++j)
    {
        double share = 0;
        for (const PortDemand& d : jobs[j].seconds)
        {
            share = std::max(share, d.load / jobs[j].due);
        }
        keys.emplace_back(!chosen[j], chosen[j] ? jobs[j].due : share);
    }
    std::vector<std::uint32_t> order;
    OrderBy(order, keys);
    return Admit(jobs, ports, order, chosen);
}

} // namespace coflow
