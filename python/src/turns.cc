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

bool
Turns::IsForked() const
{
    return m_thread.joinable() && m_process != getpid();
}

void
Turns::Start(std::function<void()> body)
{
    Abandon();
    m_state = std::make_unique<State>();
    m_process = getpid();
    m_thread = std::thread([&state = *m_state, body = std::move(body)] {
        state.engines = UseEngines();
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
            state.error = std::current_exception();
        }
        state.engines.unlock();
        const std::lock_guard lock(state.mutex);
        state.over = true;
        state.running = false;
        state.passed.notify_all();
    });
    Wait();
}

void
Turns::Resume()
{
    {
        const std::lock_guard lock(m_state->mutex);
        m_state->running = true;
    }
    m_state->passed.notify_all();
    Wait();
}

void
Turns::Wait()
{
    constexpr auto LOOK = std::chrono::milliseconds(100);
    std::unique_lock lock(m_state->mutex);
    while (!m_state->passed.wait_for(lock, LOOK, [this] { return !m_state->running; }))
    {
        lock.unlock();
        nb::gil_scoped_acquire interpreter;
        if (PyErr_CheckSignals() != 0)
        {
            nb::python_error error;
            {
                nb::gil_scoped_release release;
                Abandon();
            }
            throw error;
        }
        lock.lock();
    }
    if (!m_state->over)
    {
        return;
    }
    lock.unlock();
    m_thread.join();
    if (m_state->error)
    {
        std::rethrow_exception(m_state->error);
    }
}

void
Turns::Abandon()
{
    if (!m_thread.joinable())
    {
        return;
    }
    if (IsForked())
    {
        // Who waits in that state will never leave, so that it cannot be destroyed.
        m_thread.detach();
        static_cast<void>(m_state.release());
        return;
    }
    {
        const std::lock_guard lock(m_state->mutex);
        m_state->abandoned = true;
        m_state->running = true;
    }
    m_state->passed.notify_all();
    m_thread.join();
}

void
Turns::Yield()
{
    m_state->engines.unlock();
    {
        std::unique_lock lock(m_state->mutex);
        m_state->running = false;
        m_state->passed.notify_all();
        // wait() needs a newer C++ library than everything else in a wheel.
        while (!m_state->passed.wait_for(lock, std::chrono::hours(1), [this] {
            return m_state->running;
        }))
        {
        }
    }
    m_state->engines.lock();
    CheckAbandoned();
}

void
Turns::CheckAbandoned()
{
    const std::lock_guard lock(m_state->mutex);
    if (m_state->abandoned)
    {
        throw Abandoned();
    }
}

} // namespace ns3coflow
