/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-central-daemon-outbox.h"

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
CentralDaemonOutbox::AddPut(const PutRecord& put)
{
    HoldBack();
    m_puts.records.push_back(put);
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
    m_gets.records.clear();
    m_progress.records.clear();
}

void
CentralDaemonOutbox::Flush()
{
    m_flush.Cancel();
    const auto send = [this](auto& message) {
        if (!message.records.empty())
        {
            message.happened = m_since;
            m_send(message);
            message.records.clear();
        }
    };
    send(m_puts);
    send(m_gets);
    send(m_progress);
}

} // namespace ns3::coflow
