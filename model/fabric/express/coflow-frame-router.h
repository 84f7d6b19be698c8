/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_FRAME_ROUTER_H
#define COFLOW_FRAME_ROUTER_H

#include "ns3/coflow-fabric.h"
#include "ns3/coflow-flowlet-table.h"
#include "ns3/coflow-frame.h"
#include "ns3/coflow-packet-classifier.h"
#include "ns3/coflow-segment-carrier.h"

#include <array>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace ns3::coflow
{

/// Computes the paths of frames in an express fabric. A path is computed when a frame leaves its
/// host. The path is computed again at a switch if a link has changed since, or if switches choose
/// by flowlets.
class FrameRouter
{
  public:
    /// @param topology the network, after Build()
    void SetTopology(Ptr<Topology> topology);

    /// Releases the topology.
    void Dispose()
    {
        m_topology = nullptr;
    }

    /// @return the network; null before SetTopology() and after Dispose()
    const Ptr<Topology>& GetTopology() const
    {
        return m_topology;
    }

    /// @return the host with an address; NO_HOST: none
    HostId FindHost(uint32_t address) const;

    /// A link has changed: frames in flight are routed again at the next switch that they reach.
    void CountChange()
    {
        ++m_epoch;
    }

    /// Computes the path of a frame at its host, whose destination, label and hash are known.
    void RouteFrom(HostId host, Frame* frame) const;

    /// A frame has arrived at a switch, and Frame::hop is the next position of its path. Checks
    /// that the rest of the path is valid.
    /// @param from the port that has sent the frame
    void Continue(Frame* frame, LinkPort from)
    {
        if (!m_flowlets.empty() && frame->label == 0)
        {
            RouteFlowlet(frame, m_topology->GetPort(from).to);
        }
        else if (m_epoch != 0 && frame->epoch != m_epoch)
        {
            Route(frame, m_topology->GetPort(from).to, frame->hop);
        }
    }

    /// Gives a frame the path of a connection.
    /// @param host the sending host
    /// @param frame the frame
    /// @param connection name of the connection at the host
    /// @param route route of the connection, which stores the path
    /// @return false where there is no path
    bool FollowRoute(HostId host,
                     Frame* frame,
                     const ConnectionName& connection,
                     SegmentRoute& route);

  private:
    /// No host has the packet's address. This is not the number of a vertex.
    static constexpr HostId NO_HOST = UINT32_MAX;

    /// @return the hash by which switches choose a frame's path, without flowlets
    uint64_t GetHash(const Frame& frame) const;
    /// Computes the path of a frame from a vertex on, beginning at an index of the path.
    void Route(Frame* frame, VertexId vertex, uint8_t hop) const;
    /// Chooses the next port of a frame at its present switch by flowlets.
    void RouteFlowlet(Frame* frame, VertexId vertex);

    Ptr<Topology> m_topology;
    uint32_t m_epoch{0};                  ///< number of changes of the topology so far
    std::vector<FlowletTable> m_flowlets; ///< by switch; empty: no flowlets
    /// Identification field of the next segment and the next datagram of a pair of hosts, for
    /// packet spraying.
    std::array<std::unordered_map<uint64_t, uint16_t>, 2> m_identification;
};

} // namespace ns3::coflow

#endif // COFLOW_FRAME_ROUTER_H
