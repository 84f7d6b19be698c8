/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-policy-runs.h"

#include "ns3/simulator.h"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

namespace ns3::coflow
{

using ::coflow::CoflowId;
using ::coflow::HostId;
using ::coflow::LifeState;

namespace
{

::coflow::PortRates
Scale(::coflow::PortRates rates, double factor)
{
    for (auto* side : {&rates.ingress, &rates.egress})
    {
        for (auto& rate : *side)
        {
            rate *= factor;
        }
    }
    return rates;
}

} // namespace

PolicyRuns::PolicyRuns(std::unique_ptr<::coflow::Policy> policy,
                       ::coflow::CoflowLedger& ledger,
                       const Settings& settings,
                       Admit admit,
                       Prepare prepare,
                       WhenSent whenSent)
    : m_policy(std::move(policy)),
      m_ledger(ledger),
      m_settings(settings),
      m_admit(std::move(admit)),
      m_prepare(std::move(prepare)),
      m_whenSent(std::move(whenSent)),
      m_residual(Scale(settings.rates, settings.kappa)),
      m_used(m_residual.Get()), // heartbeats may come before the first run
      m_queue(settings.computeDelay, [this] { Begin(); }, [this] { End(); })
{
    m_policy->SetLeastRate(settings.leastRate);
    if (settings.paths && m_policy->ChoosesPaths())
    {
        m_policy->ShowPaths(*settings.paths, settings.kappa);
    }
    else if (settings.paths)
    {
        m_chooser = std::make_unique<::coflow::PathChooser>(*settings.paths,
                                                            settings.pathChoice,
                                                            settings.kappa);
    }
}

void
PolicyRuns::Request(Time event, Time delay)
{
    m_event = Min(m_event, event);
    m_queue.Request(delay);
}

void
PolicyRuns::Propose(CoflowId coflow, Time event)
{
    if (m_policy->AdmitsWhenItDecides())
    {
        m_proposed.insert(coflow);
        Request(event);
    }
    else if (m_admit(coflow))
    {
        Request(event);
    }
}

::coflow::Admission
PolicyRuns::Ask(CoflowId coflow)
{
    return m_ledger.Admit(*m_policy, coflow, Simulator::Now().GetNanoSeconds(), m_residual.Get());
}

void
PolicyRuns::AdmitProposed()
{
    const auto proposed = std::exchange(m_proposed, {});
    std::vector<CoflowId> coflows(proposed.begin(), proposed.end());
    std::erase_if(coflows, [this](CoflowId coflow) {
        return m_ledger.LifeOf(coflow) != LifeState::WAITING; // its driver has left, or it is over
    });
    std::ranges::sort(coflows, {}, [this](CoflowId coflow) {
        const auto& registration = m_ledger.RegistrationOf(coflow);
        return std::tuple(registration.arrival, registration.deadline, coflow);
    });
    for (const auto coflow : coflows)
    {
        m_admit(coflow);
    }
}

void
PolicyRuns::Begin()
{
    const Run run{std::exchange(m_event, Time::Max()), Simulator::Now()};
    m_used = m_residual.Get();
    AdmitProposed();
    const auto askAgain =
        m_ledger.Schedule(*m_policy, run.begun.GetNanoSeconds(), m_residual.Get());
    if (m_chooser)
    {
        m_ledger.ChoosePaths(*m_chooser);
    }
    m_send = m_prepare(run);
    // The next decision waits until this one has left. Otherwise decisions would queue up.
    const Time leaves = Simulator::Now() + m_settings.computeDelay + m_settings.dispatchDelay;
    m_queue.SetTimer(askAgain == ::coflow::NEVER ? Time::Max()
                                                 : Max(NanoSeconds(askAgain), leaves));
}

void
PolicyRuns::End()
{
    auto send = std::exchange(m_send, nullptr);
    if (m_settings.dispatchDelay.IsZero())
    {
        Send(send);
    }
    else
    {
        m_events.Schedule(m_settings.dispatchDelay, [this, send = std::move(send)] { Send(send); });
    }
}

void
PolicyRuns::Send(const std::function<void()>& send)
{
    send();
    // The next decision waits until this one has been sent. Otherwise, a policy whose period is
    // shorter than the time to send a decision would let the queue of messages, and their delay,
    // grow without limit.
    m_queue.Hold();
    m_whenSent([this] { m_queue.Resume(); });
}

void
PolicyRuns::FlowsDone(const std::set<CoflowId>& coflows, Time event)
{
    if (m_settings.onFlow == OnFlow::ALWAYS)
    {
        // Without Renew(), a policy that ignores finished flows would see no change.
        for (const auto coflow : coflows)
        {
            m_ledger.Renew(coflow);
        }
    }
    const auto triggers = m_policy->GetTriggers();
    if (m_settings.onFlow == OnFlow::ALWAYS ||
        (m_settings.onFlow == OnFlow::POLICY && triggers.flowCompletion))
    {
        // A policy with periodic reports chooses the times of its decisions itself.
        const bool ownClock = m_policy->ReportPeriod() != ::coflow::NEVER;
        Request(event, ownClock ? Time() : NanoSeconds(triggers.coalesce));
        return;
    }
    // A coflow without flows to send for this time counts as departed until it has more flows, even
    // if its driver has not unregistered it. Applications may put flows late.
    constexpr int64_t IDLE_MS = 1;
    for (const auto coflow : coflows)
    {
        // Mostly, the driver is about to unregister the coflow.
        if (m_settings.onFlow != OnFlow::NEVER && m_ledger.IsIdle(coflow))
        {
            m_events.Schedule(MilliSeconds(IDLE_MS), [this, coflow] {
                if (m_ledger.IsIdle(coflow))
                {
                    Request(Simulator::Now());
                }
            });
        }
    }
    const auto isOverdue = [this](CoflowId coflow) {
        return m_ledger.IsOverdue(coflow, Simulator::Now().GetNanoSeconds());
    };
    for (const auto coflow : coflows)
    {
        // Mostly, the reports on the other flows are under way.
        if (isOverdue(coflow) && m_overdue.insert(coflow).second)
        {
            m_events.Schedule(m_settings.reportGrace, [this, coflow, isOverdue] {
                m_overdue.erase(coflow);
                if (isOverdue(coflow))
                {
                    m_ledger.Renew(coflow);
                    Request(Simulator::Now());
                }
            });
        }
    }
    if (std::ranges::any_of(coflows,
                            [this](CoflowId coflow) { return m_ledger.IsStalled(coflow); }))
    {
        Request(event);
    }
}

void
PolicyRuns::Measure(HostId host, double sent, double received)
{
    m_residual.Report(host, sent, received);
    if (m_ledger.Table().Rows().empty())
    {
        return;
    }
    constexpr double REM_CHANGE = 0.2; // part of a port's rate
    const auto& now = m_residual.Get();
    const auto& rates = m_settings.rates;
    if (std::abs(now.ingress[host] - m_used.ingress[host]) > REM_CHANGE * rates.ingress[host] ||
        std::abs(now.egress[host] - m_used.egress[host]) > REM_CHANGE * rates.egress[host])
    {
        Request(Simulator::Now());
    }
}

void
PolicyRuns::SetShare(HostId host, double share)
{
    m_residual.SetShare(host, share);
    if (!m_ledger.Table().Rows().empty())
    {
        Request(Simulator::Now());
    }
}

void
PolicyRuns::ResetShare(HostId host)
{
    m_residual.SetShare(host, 1);
}

uint64_t
PolicyRuns::GetMoves() const
{
    return m_ledger.GetMoves() + (m_chooser ? m_chooser->GetMoves() : 0);
}

} // namespace ns3::coflow
