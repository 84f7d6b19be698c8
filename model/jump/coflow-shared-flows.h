/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_SHARED_FLOWS_H
#define COFLOW_SHARED_FLOWS_H

#include "ns3/coflow-even-flow.h"
#include "ns3/coflow-send-groups.h"
#include "ns3/coflow-topology.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <functional>
#include <set>
#include <vector>

namespace ns3::coflow
{

/// What TCP gives to flows without rates, and to flows with rates that a port does not carry, as it
/// was measured.
///
/// Nobody says how fast such a flow sends. While the same flows send for a while, TCP shares the
/// ports among them in a way that changes little. So some time after the last change the bytes that
/// arrive are counted, packet by packet, in two halves. If what ports carry differs little
/// between the halves, each flow has what it was counted to get, until something changes.
///
/// Where flows time out all the time, the halves of even the longest measurement differ. Such a
/// measurement is used, too, but only for some times its own length. Then it is repeated.
///
/// A flow of many has few segments in the time that is measured. What it gets in the long run is
/// nearer to the mean of the flows at the same bottleneck: the fewer segments were counted, the
/// nearer to the mean its rate is taken.
///
/// A flow whose connection opens late, as its first packets were lost, joins the others: it is
/// taken to get the mean of those at its bottleneck. Where more of them come than a part of all
/// flows
/// (`tolerance`), packets are to tell again.
///
/// When a flow ends, flows that share a full port with it get what it had, in proportion to what
/// they have, as far as their other ports have room. Such changes are guesses, and are summed up.
/// When the sum exceeds a part of all that flows get (`tolerance`), packets are to tell again.
///
/// A flow with a rate that a port does not carry (EvenFlow::cap) gets its rate at most. What flows
/// whose rates are kept have is not for those that are measured. Marks make the largest windows
/// smaller: at one bottleneck flows with small rates have these, and the others get the same as
/// each other. So the mean of such a flow is that part or its rate, whatever is less. Where there
/// are so many flows that windows of one segment are too large, packets are lost, and each gets the
/// same part of its rate.
///
/// Where a host orders what it sends (NicScheduler), a flow that waits for its turn gets what its
/// host has left for its coflow, perhaps nothing. So the mean is that of the flows of its coflow
/// at its host that wait as well; and what such a flow had goes first to the others of its coflow,
/// then to the coflows behind it in the same queue, and then to all. What goes to another coflow
/// counts twice among the changes: the next coflow may take receivers' ports from others, and
/// packets are to tell how much.
class SharedFlows
{
  public:
    /// How a measurement is made.
    struct Settings
    {
        Time time;                ///< after a change, before it begins; and the shortest one
        double tolerance{0};      ///< most that may change, as a part of all
        uint32_t segmentBytes{0}; ///< payload of a full segment
        uint64_t queueBytes{0};   ///< most that waits at a port; 0: unlimited
    };

    /// Gives a flow what TCP gives it from now on, in bits per second.
    using SetRate = std::function<void(EvenFlow&, uint64_t)>;

    /// @param topology the network; outlives this
    /// @param settings how a measurement is made
    /// @param groups flows at hosts that order what they send; outlives this
    /// @param setRate how a flow learns of its rate
    SharedFlows(const Topology& topology,
                const Settings& settings,
                SendGroups& groups,
                SetRate setRate);

    /// Says what other flows, which have rates, are given of ports.
    /// @param loads by port, bytes per second with all headers
    void SetPaced(const std::vector<double>& loads);

    /// Something has changed: what was measured is void.
    /// @param now network time
    void Forget(int64_t now);

    /// @return whether it is known what flows get
    bool IsSteady() const
    {
        return m_phase == Phase::STEADY;
    }

    /// @param now network time
    /// @return whether Look() does anything
    bool IsDue(int64_t now) const
    {
        return now >= m_next;
    }

    /// Goes on measuring. Too many flows that were not there when the measurement began void it.
    /// @param flows all flows without rates; their connections are open and their paths known
    /// @param now network time
    /// @param worldNow world time
    /// @return whether it is known what flows get
    bool Look(const std::vector<EvenFlow*>& flows, int64_t now, int64_t worldNow);

    /// @return world time until which that is taken to be so; INT64_MAX: until something changes
    int64_t GetEnd() const
    {
        return m_until;
    }

    /// A flow has ended, or ends: others get what it had.
    /// @param flow the flow; its rate is still what it was
    void HandOn(EvenFlow& flow);

    /// A flow may send from now on, or may not, as its host says. Others get what it had, or it
    /// gets a part.
    /// @param flow the flow
    /// @param open whether it may
    void NoteOpen(EvenFlow& flow, bool open);

    /// @param now network time
    /// @param worldNow world time
    /// @return whether packets are to tell again: so much was handed on, or halves differed so long
    ///         ago
    bool IsOutdated(int64_t now, int64_t worldNow);

    /// @return measurements that were used so far
    uint64_t GetNMeasured() const
    {
        return m_measured;
    }

    /// @return measurements that were used for a while although their halves differed
    uint64_t GetNDoubtful() const
    {
        return m_doubtful;
    }

    /// @return flows that have joined a measurement after its beginning
    uint64_t GetNLate() const
    {
        return m_late;
    }

    /// @return measurements whose halves differed
    uint64_t GetNUneven() const
    {
        return m_uneven;
    }

    /// @return changes by which so much was handed on that it was measured anew
    uint64_t GetNDrifts() const
    {
        return m_drifts;
    }

  private:
    /// A port that carries this part of what it may is full.
    static constexpr double FULL = 0.9;

    enum class Phase
    {
        SETTLING, ///< something has changed not long ago
        FIRST,    ///< the first half is measured
        SECOND,   ///< the second half is
        STEADY
    };

    /// What is known of a port.
    struct Port
    {
        double whole{0};           ///< payload that it carries, bits per second
        double capacity{0};        ///< of that, what flows with rates leave
        double load{0};            ///< of flows, bits per second
        double limit{0};           ///< what flows may get together
        double own{0};             ///< of flows whose bottleneck it is, bits per second
        double weighed{0};         ///< the same, after what was measured was moved to the mean
        uint32_t nOwn{0};          ///< number of these flows
        double cut{0};             ///< of `own`, what flows get that have a rate, but not all of it
        double caps{0};            ///< the rates of these
        double level{0};           ///< what each of these gets, at most its rate, if TCP is fair
        std::vector<double> rates; ///< of these
        std::vector<EvenFlow*> flows;
    };

    /// A flow that has ended while it was measured.
    struct Gone
    {
        PortPath path;
        double first;  ///< bytes that arrived in the first half
        double second; ///< ... and in the second
    };

    void Begin(const std::vector<EvenFlow*>& flows, int64_t now);
    /// @return whether a measurement of this length is not made any longer
    bool IsLongest() const;
    /// @return whether ports carry the same in both halves, as far as that matters for all together
    bool IsEven(const std::vector<EvenFlow*>& flows, int64_t now);
    /// Takes note of flows that may send nothing, which get nothing.
    /// @return the others
    std::vector<EvenFlow*> FindOpen(const std::vector<EvenFlow*>& flows);
    /// Gives all flows their rates.
    /// @return false where a flow that may send gets nothing
    bool Settle(const std::vector<EvenFlow*>& all, int64_t now);
    /// Has flows join that were not there when the measurement began.
    /// @return whether these are few, and each gets something
    bool HaveJoin(const std::vector<EvenFlow*>& flows, std::size_t all);
    /// Gives a flow its part of its ports.
    /// @return whether it gets something
    bool Admit(EvenFlow& flow);
    /// Flows of ports that are given more than they carry get less.
    void FitPorts();
    /// Flows of a port get less: so much of what each has.
    void Shrink(LinkPort port, double part);
    void ClearPorts();
    /// Takes a flow's rate from its ports, and hands it on where they are full.
    /// @param path the ports
    /// @param rate bits per second
    /// @param group where the flow's host orders what it sends
    void HandOn(const PortPath& path, double rate, const SendGroup* group);
    /// @return the port that limits a flow, by the ports' loads; not that of a host that orders
    ///         what it sends
    LinkPort FindBottleneck(const EvenFlow& flow) const;
    /// @param flow a flow
    /// @param counted what it was counted to get, bits per second
    /// @param segments the same, as segments in the time of the measurement
    /// @return what it gets, before all are made to get as much together as before
    double Weigh(const EvenFlow& flow, double counted, double segments) const;
    /// @param flow one with a rate, which it cannot be sure to get
    /// @return what it gets by what all such flows at its bottleneck get together
    double GetPart(const EvenFlow& flow) const;
    /// @return whether windows of one segment are more than a port holds, so that flows lose some
    bool IsCrowded(const Port& port) const;
    /// Finds `level` of all ports.
    void FindLevels();
    /// @param flow a flow
    /// @return whether it has a rate, and no port seems to keep it from that
    bool IsFree(const EvenFlow& flow) const;
    /// A host that orders what it sends has so much left.
    void ShareAtHost(LinkPort port, const SendGroup& group, double most);
    /// Gives flows more, as far as their ports have room.
    /// @param flows in proportion to what they have, or evenly if none has anything
    /// @param most bits per second
    /// @return what they have no room for
    double ShareOut(const std::vector<EvenFlow*>& flows, double most);
    /// What was measured is not to be used for long.
    void Doubt(int64_t worldNow);
    /// @return what a flow can get more by its ports
    double GetRoom(const EvenFlow& flow) const;

    const Settings m_settings;
    SendGroups& m_groups;
    const SetRate m_setRate;
    std::vector<Port> m_ports;
    std::set<LinkPort> m_overfull; ///< ports that were given more than they carry since FitPorts()
    std::vector<Gone> m_gone;      ///< since the measurement began
    Phase m_phase{Phase::SETTLING};
    uint32_t m_number{0};       ///< of the measurement
    int64_t m_next{0};          ///< network time when there is something to do
    int64_t m_length{0};        ///< of the measurement, at least
    std::size_t m_joined{0};    ///< flows that were not there when it began
    int64_t m_begun{0};         ///< network time when the measurement began
    int64_t m_middle{0};        ///< ... and when its second half did
    int64_t m_until{INT64_MAX}; ///< world time until which it is used
    double m_all{0};            ///< what flows were measured to get, bits per second
    double m_changed{0};        ///< of that, what has changed since
    uint64_t m_measured{0};
    uint64_t m_uneven{0};
    uint64_t m_doubtful{0};
    uint64_t m_late{0};
    uint64_t m_drifts{0};
};

} // namespace ns3::coflow

#endif // COFLOW_SHARED_FLOWS_H
