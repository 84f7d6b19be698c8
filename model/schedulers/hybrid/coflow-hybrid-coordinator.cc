/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-hybrid-coordinator.h"

#include "ns3/log.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <ostream>

namespace ns3::coflow
{

using ::coflow::AttainedView;
using ::coflow::CoflowRow;

NS_LOG_COMPONENT_DEFINE("CoflowHybridCoordinator");

NS_OBJECT_ENSURE_REGISTERED(HybridCoordinator);

namespace
{

/// Prints ids of coflows in the log.
struct Names
{
    const std::vector<::coflow::CoflowId>& coflows;
};

std::ostream&
operator<<(std::ostream& os, const Names& names)
{
    for (const auto coflow : names.coflows)
    {
        os << ' ' << coflow;
    }
    return os;
}

} // namespace

TypeId
HybridCoordinator::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::coflow::HybridCoordinator")
            .SetParent<Coordinator>()
            .SetGroupName("Coflow")
            .AddConstructor<HybridCoordinator>()
            .AddTraceSource("Decision",
                            "The coordinator has decided on queues and receivers",
                            MakeTraceSourceAccessor(&HybridCoordinator::m_decisionTrace),
                            "ns3::coflow::HybridCoordinator::DecisionCallback");
    return tid;
}

void
HybridCoordinator::SetSettings(std::shared_ptr<const HybridSettings> settings)
{
    m_settings = std::move(settings);
    const auto policy = m_settings->makePolicy();
    for (int queue = 0; queue < policy->Queues(); ++queue)
    {
        m_usesWidth = m_usesWidth || policy->KeyOf(queue, 1) != policy->KeyOf(queue, 2);
    }
}

void
HybridCoordinator::SetHandlers()
{
    On(&HybridCoordinator::OnPlaceCoflow);
    On(&HybridCoordinator::OnLocalCoflows);
    On(&HybridCoordinator::OnUnregister);
}

void
HybridCoordinator::Begin()
{
    // Places of this life come behind the places of earlier lives.
    m_memory.reset(new Memory{
        .policy = m_settings->makePolicy(),
        .ledger = ::coflow::AttainedLedger(m_settings->dagLevelSize, GetLife() << 32),
    });
}

void
HybridCoordinator::End()
{
    m_tick.Cancel();
    m_between.Cancel();
    m_memory.reset();
}

const ::coflow::AttainedLedger*
HybridCoordinator::GetLedger() const
{
    return m_memory ? &m_memory->ledger : nullptr;
}

void
HybridCoordinator::OnDaemonUp(HostId host)
{
    m_memory->ledger.DropHost(host);
    m_memory->daemons[host] = {};
}

void
HybridCoordinator::OnDaemonDown(HostId host)
{
    m_memory->ledger.DropHost(host);
    m_memory->daemons.erase(host);
}

void
HybridCoordinator::OnUnregister(HostId, const UnregisterCoflowMessage& message)
{
    NS_LOG_INFO("coflow " << message.id << " is over");
    m_memory->ledger.Close(message.id);
    DecideSoon();
}

void
HybridCoordinator::OnPlaceCoflow(HostId host, const PlaceCoflowMessage& message)
{
    CoflowPlaceMessage answer;
    answer.id = message.id;
    answer.order = m_memory->ledger.Register(message.id,
                                             message.parents,
                                             message.known,
                                             Simulator::Now().GetNanoSeconds());
    NS_LOG_INFO("coflow " << message.id << " is registered by host " << host);
    SendTo(host, answer);
}

void
HybridCoordinator::OnLocalCoflows(HostId host, const LocalCoflowsMessage& message)
{
    for (const auto& coflow : message.coflows)
    {
        // Receivers are sorted.
        if (!coflow.receivers.empty() && coflow.receivers.back() >= m_settings->rates.egress.size())
        {
            continue;
        }
        m_memory->ledger.Report(host,
                                coflow.id,
                                coflow.sent,
                                coflow.receivers,
                                Simulator::Now().GetNanoSeconds());
    }
    ScheduleTick();
    DecideSoon();
}

void
HybridCoordinator::DecideSoon()
{
    const bool changed = m_memory->decidedRevision != m_memory->ledger.Revision();
    if (changed && m_settings->matchGap < m_settings->delta && !m_between.IsPending())
    {
        const Time at = std::max(m_memory->decided + m_settings->matchGap, Simulator::Now());
        m_between =
            Simulator::Schedule(at - Simulator::Now(), &HybridCoordinator::SendUpdates, this);
    }
}

void
HybridCoordinator::ScheduleTick()
{
    if (!m_tick.IsPending())
    {
        const auto delta = m_settings->delta.GetTimeStep();
        const auto now = Simulator::Now().GetTimeStep();
        m_tick = Simulator::Schedule(TimeStep((now / delta + 1) * delta - now),
                                     &HybridCoordinator::Tick,
                                     this);
    }
}

void
HybridCoordinator::Tick()
{
    SendUpdates();
    if (!m_memory->ledger.View(Simulator::Now().GetNanoSeconds()).coflows.empty())
    {
        ScheduleTick();
    }
}

void
HybridCoordinator::SendUpdates()
{
    if (m_memory->sending)
    {
        // The last messages are still being sent. With more messages, the delay of messages would
        // grow without limit. The next tick decides.
        return;
    }
    const auto view = m_memory->ledger.View(Simulator::Now().GetNanoSeconds());
    if (HasChanged(view))
    {
        Decide(view);
    }
    for (auto& [host, daemon] : m_memory->daemons)
    {
        SendUpdate(host, daemon);
    }
    m_memory->sending = true;
    WhenSent([this] { m_memory->sending = false; });
}

bool
HybridCoordinator::HasChanged(const AttainedView& view) const
{
    const auto& policy = *m_memory->policy;
    if (m_memory->decidedRevision != m_memory->ledger.Revision() ||
        Simulator::Now() >= m_memory->askAgain)
    {
        return true;
    }
    for (std::size_t r = 0; r < view.coflows.size(); ++r)
    {
        const int queue = policy.QueueOfRow(r);
        if (policy.IsPromoted(r) || policy.QueueAfter(queue, view.coflows[r].sent) != queue)
        {
            return true;
        }
    }
    return false;
}

void
HybridCoordinator::Decide(const AttainedView& view)
{
    auto& policy = *m_memory->policy;
    std::vector<double> rates(view.Positions(), 0.0);
    const auto decision = policy.Allocate(view, m_settings->rates, rates);
    CountRun();
    const auto schedule = NextSchedule();
    m_memory->decidedRevision = m_memory->ledger.Revision();
    m_memory->askAgain =
        decision.askAgain == ::coflow::NEVER ? Time::Max() : NanoSeconds(decision.askAgain);
    m_memory->decided = Simulator::Now();
    MakeViews(view);
    std::vector<::coflow::CoflowId> order;
    for (const auto r : policy.Order())
    {
        order.push_back(view.coflows[r].id);
    }
    NS_LOG_INFO("decision " << GetRuns() << ", first coflow first:" << Names{order});
    m_decisionTrace(schedule, order);
}

void
HybridCoordinator::MakeViews(const AttainedView& view)
{
    const auto& policy = *m_memory->policy;
    m_memory->views.clear();
    m_memory->widths.clear();
    for (const auto r : policy.Order())
    {
        const CoflowRow& row = view.coflows[r];
        m_memory->widths[row.id] = policy.WidthOfRow(r);
        for (auto f = row.begin; f < row.end;)
        {
            const HostId host = view.src[f];
            const auto end = static_cast<std::uint32_t>(
                std::upper_bound(view.src.begin() + f, view.src.begin() + row.end, host) -
                view.src.begin());
            GlobalCoflow coflow;
            coflow.id = row.id;
            coflow.queue = policy.IsPromoted(r) ? GlobalCoflow::PROMOTED
                                                : static_cast<uint8_t>(policy.QueueOfRow(r));
            const auto all = end - f;
            for (; f < end; ++f)
            {
                if (policy.MaySend(r, view.dst[f]))
                {
                    coflow.receivers.push_back(view.dst[f]);
                }
            }
            if (coflow.receivers.size() == all)
            {
                coflow.receivers.clear();
            }
            else
            {
                coflow.mode = coflow.receivers.empty() ? GlobalCoflow::Receivers::NONE
                                                       : GlobalCoflow::Receivers::NAMED;
            }
            m_memory->views[host].push_back(std::move(coflow));
        }
    }
}

std::vector<CoflowTotal>
HybridCoordinator::GetChangedTotals(HostId host, DaemonState& daemon) const
{
    std::vector<CoflowTotal> news;
    if (!m_settings->localEstimate && !m_usesWidth)
    {
        return news;
    }
    const auto& policy = *m_memory->policy;
    const auto& ledger = m_memory->ledger;
    std::map<::coflow::CoflowId, CoflowTotal> totals;
    for (const auto& coflow : m_memory->views.at(host))
    {
        CoflowTotal total;
        total.id = coflow.id;
        total.order = ledger.OrderOf(coflow.id);
        total.elsewhere = ledger.SentOf(coflow.id) - ledger.SentBy(host, coflow.id);
        total.width = m_memory->widths.at(coflow.id);
        const auto known = daemon.totals.find(coflow.id);
        // The daemon is told when the bytes of other hosts have grown by this part of the queue's
        // threshold.
        constexpr double TOTALS_STEP = 0.125;
        bool tell = known == daemon.totals.end() || known->second.order != total.order;
        if (!tell)
        {
            const auto& old = known->second;
            const int queue = std::min<int>(coflow.queue, policy.Queues() - 1);
            const bool last = policy.IsLast(coflow.queue);
            tell = (m_settings->localEstimate && !last && total.elsewhere > old.elsewhere &&
                    static_cast<double>(total.elsewhere - old.elsewhere) >=
                        TOTALS_STEP * policy.Threshold(queue)) ||
                   policy.KeyOf(queue, total.width) != policy.KeyOf(queue, old.width);
        }
        if (tell)
        {
            news.push_back(total);
        }
        totals[coflow.id] = tell ? total : known->second;
    }
    daemon.totals = std::move(totals);
    return news;
}

void
HybridCoordinator::SendThresholds(HostId host, DaemonState& daemon)
{
    const auto moved = m_memory->policy->MovedThresholds();
    if (!std::ranges::equal(moved, daemon.thresholds))
    {
        QueueThresholdsMessage message;
        message.schedule = GetLastSchedule();
        message.thresholds.assign(moved.begin(), moved.end());
        SendTo(host, message);
        daemon.lastSent = Simulator::Now();
        daemon.thresholds = message.thresholds;
    }
}

void
HybridCoordinator::SendUpdate(HostId host, DaemonState& daemon)
{
    SendThresholds(host, daemon);
    const auto view = m_memory->views.find(host);
    if (view == m_memory->views.end())
    {
        daemon.decision.clear();
        daemon.totals.clear();
        return;
    }
    const auto news = GetChangedTotals(host, daemon);
    if (!news.empty())
    {
        SendTo(host, CoflowTotalsMessage(news));
        daemon.lastSent = Simulator::Now();
    }
    const Time quiet = m_settings->delta * (m_settings->silentPeriods * 0.5);
    if (daemon.decision != view->second || Simulator::Now() - daemon.lastSent >= quiet)
    {
        GlobalCoflowsMessage message;
        message.coflows = view->second;
        NS_LOG_LOGIC("host " << host << " is told: " << message);
        message.schedule = GetLastSchedule();
        SendTo(host, message);
        daemon.lastSent = Simulator::Now();
        daemon.decision = view->second;
    }
}

} // namespace ns3::coflow
