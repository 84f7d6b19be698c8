/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "turns.h"

#include "bindings.h"

#include <chrono>
#include <unistd.h>
#include <utility>

namespace ns3coflow
{

std::unique_lock<std::mutex>
Turns::UseEngines()
{
    static std::mutex engines;
    return std::unique_lock(engines);
}

Turns::~Turns()
{
    Abandon();
}

void
Turns::Start(std::function<void()> body)
{
    Abandon();
    m_running = true;
    m_over = false;
    m_abandoned = false;
    m_error = nullptr;
    m_process = getpid();
    m_thread = std::thread([this, body = std::move(body)] {
        {
            auto engines = UseEngines();
            m_engines = &engines;
            try
            {
                body();
            }
            catch (const Abandoned&)
            {
                // As it was asked for.
            }
            catch (...)
            {
                m_error = std::current_exception();
            }
        }
        const std::lock_guard lock(m_mutex);
        m_over = true;
        m_running = false;
        m_passed.notify_all();
    });
    Wait();
}

void
Turns::Resume()
{
    {
        const std::lock_guard lock(m_mutex);
        m_running = true;
    }
    m_passed.notify_all();
    Wait();
}

void
Turns::Wait()
{
    constexpr auto LOOK = std::chrono::milliseconds(100);
    std::unique_lock lock(m_mutex);
    while (!m_passed.wait_for(lock, LOOK, [this] { return !m_running; }))
    {
        lock.unlock();
        bool raised = false;
        {
            nb::gil_scoped_acquire interpreter;
            raised = PyErr_CheckSignals() != 0;
            if (raised)
            {
                nb::python_error error;
                {
                    nb::gil_scoped_release release;
                    Abandon();
                }
                throw error;
            }
        }
        lock.lock();
    }
    if (!m_over)
    {
        return;
    }
    lock.unlock();
    m_thread.join();
    if (m_error)
    {
        std::rethrow_exception(std::exchange(m_error, nullptr));
    }
}

void
Turns::Abandon()
{
    if (!m_thread.joinable())
    {
        return;
    }
    if (m_process != getpid())
    {
        // A process that was forked has no such thread.
        m_thread.detach();
        return;
    }
    {
        const std::lock_guard lock(m_mutex);
        m_abandoned = true;
        m_running = true;
    }
    m_passed.notify_all();
    m_thread.join();
    m_error = nullptr;
}

void
Turns::Yield()
{
    m_engines->unlock();
    {
        std::unique_lock lock(m_mutex);
        m_running = false;
        m_passed.notify_all();
        m_passed.wait(lock, [this] { return m_running; });
    }
    m_engines->lock();
    CheckAbandoned();
}

void
Turns::CheckAbandoned()
{
    const std::lock_guard lock(m_mutex);
    if (m_abandoned)
    {
        throw Abandoned();
    }
}

} // namespace ns3coflow
