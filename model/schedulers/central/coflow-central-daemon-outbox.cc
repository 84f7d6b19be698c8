/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-central-daemon-outbox.h"

#include "ns3/coflow-central-protocol.h"
#include "ns3/simulator.h"

#include <utility>

namespace ns3::coflow
{

CentralDaemonOutbox::CentralDaemonOutbox(Send send)
    : m_send(std::move(send))
{
}

CentralDaemonOutbox::~CentralDaemonOutbox()
{
    m_flush.Cancel();
}

void
CentralDaemonOutbox::SetInterval(Time interval)
{
    m_interval = interval;
}

void
CentralDaemonOutbox::HoldBack()
{
    if (!m_flush.IsPending())
    {
        m_since = Simulator::Now();
        m_flush = Simulator::Schedule(m_interval, &CentralDaemonOutbox::Flush, this);
    }
}

void
CentralDaemonOutbox::AddPut(const PutRecord& put, bool again)
{
    HoldBack();
    (again ? m_putsAgain : m_puts).records.push_back(put);
}

void
CentralDaemonOutbox::AddGet(const GetRecord& get)
{
    HoldBack();
    m_gets.records.push_back(get);
}

void
CentralDaemonOutbox::AddProgress(const ProgressRecord& progress)
{
    HoldBack();
    m_progress.records.push_back(progress);
}

void
CentralDaemonOutbox::Clear()
{
    m_flush.Cancel();
    m_puts.records.clear();
    m_putsAgain.records.clear();
    m_gets.records.clear();
    m_progress.records.clear();
}

void
CentralDaemonOutbox::Flush()
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
