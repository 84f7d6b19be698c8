/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-unloaded-time.h"

#include "ns3/coflow-flow-header.h"
#include "ns3/coflow-transport-profile.h"

#include <algorithm>
#include <array>
#include <limits>
#include <map>

namespace ns3::coflow
{

using ::coflow::Flow;
using ::coflow::Nanoseconds;

namespace
{

constexpr double EMPTY = TransportProfile::OVERHEAD_BYTES;
/// TCP's options of a SYN are four bytes longer than those of a segment.
constexpr double SYN = EMPTY + 4;

/// The bytes of all flows at a port of a host. The port is idle before the first flow begins, and
/// after the last flow ends.
struct HostPort
{
    double ns{0}; ///< transmission time of all bytes
    /// Smallest time before the first byte of a flow.
    double before{std::numeric_limits<double>::infinity()};
    /// Smallest time after the last byte of a flow.
    double after{std::numeric_limits<double>::infinity()};

    void Add(double bytesNs, double beforeNs, double afterNs)
    {
        ns += bytesNs;
        before = std::min(before, beforeNs);
        after = std::min(after, afterNs);
    }
};

/// A coflow alone in the network.
class UnloadedCoflow
{
  public:
    UnloadedCoflow(const Topology& topology, uint32_t segment)
        : m_topology(topology),
          m_segment(segment)
    {
    }

    /// Adds a flow that crosses the network.
    void Add(const Flow& flow)
    {
        std::array<LinkPort, MAX_PATH_PORTS> ports;
        const auto n = m_topology.Path(flow.src, flow.dst, 0, ports);
        m_hasPaths = m_hasPaths && n > 0;
        if (!m_hasPaths)
        {
            return;
        }
        const auto payload = static_cast<uint64_t>(flow.bytes) + CoflowFlowHeader::SIZE;
        // Number of full segments before the last segment.
        const auto before = (payload - 1) / m_segment;
        const double last = static_cast<double>(payload - before * m_segment) + EMPTY;
        const double first = before > 0 ? m_segment + EMPTY : last;
        const double all = static_cast<double>(before) * (m_segment + EMPTY) + last;
        double opened = Take(ports[0], EMPTY); // time of the handshake; here the third packet
        double comes = 0;  // time of the first segment from the first port to the last port
        double leaves = 0; // time of the last segment after the first port
        double slowest = 0;
        for (uint32_t i = 0; i < n; ++i)
        {
            const auto delay =
                static_cast<double>(m_topology.GetPort(ports[i]).delay.GetNanoSeconds());
            opened += 2 * (Take(ports[i], SYN) + delay);
            comes += i + 1 == n ? 0 : Take(ports[i], first) + delay;
            leaves += (i == 0 ? 0 : Take(ports[i], last)) + delay;
            slowest = std::max(slowest, Take(ports[i], all - last));
        }
        const auto end =
            static_cast<double>(m_topology.GetPort(ports[n - 1]).delay.GetNanoSeconds());
        m_sending[flow.src].Add(Take(ports[0], all), opened, leaves);
        m_receiving[flow.dst].Add(Take(ports[n - 1], all), opened + comes, end);
        m_longest = std::max(m_longest, opened + slowest + Take(ports[0], last) + leaves);
    }

    /// @return the completion time, in nanoseconds
    Nanoseconds GetCct() const
    {
        if (!m_hasPaths)
        {
            return ::coflow::NEVER;
        }
        double cct = m_longest;
        for (const auto* side : {&m_sending, &m_receiving})
        {
            for (const auto& [host, port] : *side)
            {
                cct = std::max(cct, port.before + port.ns + port.after);
            }
        }
        return static_cast<Nanoseconds>(cct);
    }

  private:
    /// @return nanoseconds that bytes take at a port
    double Take(LinkPort port, double bytes) const
    {
        return bytes * 8e9 / static_cast<double>(m_topology.GetPort(port).rate.GetBitRate());
    }

    const Topology& m_topology;
    const uint32_t m_segment;
    std::map<::coflow::HostId, HostPort> m_sending;
    std::map<::coflow::HostId, HostPort> m_receiving;
    double m_longest{0};   ///< longest time of a flow alone
    bool m_hasPaths{true}; ///< all flows have a path
};

} // namespace

std::vector<Nanoseconds>
GetUnloadedCcts(const ::coflow::Workload& workload, const Topology& topology, uint32_t segment)
{
    std::vector<Nanoseconds> ccts;
    ccts.reserve(workload.coflows.size());
    for (const auto& coflow : workload.coflows)
    {
        UnloadedCoflow alone(topology, segment);
        for (const auto& flow : coflow.flows)
        {
            if (flow.bytes > 0 && !flow.IsLocal())
            {
                alone.Add(flow);
            }
        }
        ccts.push_back(alone.GetCct());
    }
    return ccts;
}

} // namespace ns3::coflow
