/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_HOST_PORTS_H
#define COFLOW_HOST_PORTS_H

#include "ns3/node.h"
#include "ns3/object.h"

#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <unordered_set>
#include <vector>

namespace ns3::coflow
{

/// The local TCP ports of a host. Lean connections and CoflowTcpSockets take theirs here, in the
/// order in which ns-3's TCP gives them out: paths of flows depend on ports, and have to be the
/// same whatever simulates the connections.
///
/// A host has 16,384 ports for connections that choose none. Who finds none lines up, and is called
/// in turn when a port is free.
class HostPorts : public Object
{
  public:
    /// Ports for connections that choose none: from this one on.
    static constexpr uint16_t FIRST_PORT = 49152;
    /// Number of these ports.
    static constexpr uint32_t N_PORTS = UINT16_MAX - FIRST_PORT + 1U;

    /// A port that goes back when the last copy of the pointer goes.
    using Lease = std::shared_ptr<const uint16_t>;

    /// A place in the line of those who wait for a port. It is left when this is destroyed.
    class Place
    {
      public:
        Place() = default;
        ~Place();
        Place(const Place&) = delete;
        Place& operator=(const Place&) = delete;

        /// Lines up, at the end, unless MayTake().
        /// @param ports of the host
        /// @param turn called in an event of its own as soon as Take() has a port; the place in
        ///        the line is left before
        /// @return whether it is in the line
        bool Join(const Ptr<HostPorts>& ports, std::function<void()> turn);

        /// Leaves the line.
        void Leave();

        /// @return whether it is in a line
        bool IsWaiting() const
        {
            return m_ports != nullptr;
        }

      private:
        friend class HostPorts;
        Ptr<HostPorts> m_ports;             ///< in whose line it is; or none
        std::list<Place*>::iterator m_here; ///< its place there
        std::function<void()> m_turn;       ///< to be called
    };

    /// @return the TypeId
    static TypeId GetTypeId();

    HostPorts();
    ~HostPorts() override;

    /// @return the ports of a node, which has them from the first call on
    static Ptr<HostPorts> Of(const Ptr<Node>& node);

    /// @return whether Take() has a port: one is free, and nobody else waits for one
    bool MayTake() const
    {
        return m_nTaken < N_PORTS && (m_line.empty() || m_calling);
    }

    /// Takes the next free port.
    /// @return the port; 0 without MayTake()
    uint16_t Take();

    /// Takes a certain port.
    /// @return whether it was free
    bool Take(uint16_t port);

    /// Gives a port back.
    void GiveBack(uint16_t port);

    /// @param port a port that was taken
    /// @return what gives it back
    Lease MakeLease(uint16_t port);

    /// @return how many have lined up so far
    uint64_t GetNWaits() const
    {
        return m_nWaits;
    }

    /// @return how many are in the line now
    std::size_t GetNWaiting() const
    {
        return m_line.size();
    }

  protected:
    void DoDispose() override;

  private:
    /// @return whether a port of those for connections that choose none is taken
    bool IsTaken(uint32_t index) const;
    /// Calls those in the line, as long as there are ports.
    void CallNext();

    std::vector<uint64_t> m_taken; ///< a bit for each of N_PORTS; none at the end: not taken
    uint32_t m_nTaken{0};          ///< bits that are set
    uint32_t m_last{0};            ///< bit that was set last by Take()
    std::unordered_set<uint16_t> m_others; ///< taken ports below FIRST_PORT
    std::list<Place*> m_line;              ///< who waits, next one first
    bool m_calling{false};                 ///< in CallNext(): who is called may take a port
    bool m_willCall{false};                ///< CallNext() is to come
    uint64_t m_nWaits{0};                  ///< how many have lined up
};

} // namespace ns3::coflow

#endif // COFLOW_HOST_PORTS_H
