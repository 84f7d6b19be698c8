/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-daemon-outbox.h"

#include "ns3/coflow-central-protocol.h"
#include "ns3/simulator.h"

#include <utility>

namespace ns3::coflow
{

DaemonOutbox::DaemonOutbox(Send send)
    : m_send(std::move(send))
{
}

DaemonOutbox::~DaemonOutbox()
{
    m_flush.Cancel();
}

void
DaemonOutbox::SetInterval(Time interval)
{
    m_interval = interval;
}

void
DaemonOutbox::HoldBack()
{
    if (!m_flush.IsPending())
    {
        m_since = Simulator::Now();
        m_flush = Simulator::Schedule(m_interval, &DaemonOutbox::Flush, this);
    }
}

void
DaemonOutbox::AddPut(const PutRecord& put, bool again)
{
    HoldBack();
    (again ? m_putsAgain : m_puts).records.push_back(put);
}

void
DaemonOutbox::AddGet(const GetRecord& get)
{
    HoldBack();
    m_gets.records.push_back(get);
}

void
DaemonOutbox::AddProgress(const ProgressRecord& progress)
{
    HoldBack();
    m_progress.records.push_back(progress);
}

void
DaemonOutbox::Clear()
{
    m_flush.Cancel();
    m_puts.records.clear();
    m_putsAgain.records.clear();
    m_gets.records.clear();
    m_progress.records.clear();
}

void
DaemonOutbox::Flush()
{
    m_flush.Cancel();
    const auto send = [this](auto& message, bool marked) {
        if (!message.records.empty())
        {
            m_send(message, EventStamp{m_since, marked}.Encode());
            message.records.clear();
        }
    };
    send(m_puts, false);
    send(m_putsAgain, true);
    send(m_gets, false);
    send(m_progress, false);
}

} // namespace ns3::coflow
