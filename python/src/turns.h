/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_PYTHON_TURNS_H
#define COFLOW_PYTHON_TURNS_H

#include <condition_variable>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <sys/types.h>
#include <thread>

namespace [[gnu::visibility("hidden")]] ns3coflow
{

/// Nobody waits for the run any more. It goes through the engine to its thread's end.
struct Abandoned : std::exception
{
    const char* what() const noexcept override
    {
        return "the run was abandoned";
    }
};

/// A thread that takes turns with its owner: one of the two runs, the other one waits. So an
/// engine, which calls a policy, can be used by somebody who calls the engine. Engines share state
/// of the process, and of all threads of this class only one runs at a time.
class Turns
{
  public:
    Turns() = default;
    /// Abandons what runs.
    ~Turns();
    Turns(const Turns&) = delete;
    Turns& operator=(const Turns&) = delete;

    /// Begins a run and waits until it yields or ends; for the owner, without the interpreter's
    /// lock.
    /// @param body what the thread does
    /// @throws what the body throws; what the interpreter raises for a signal
    void Start(std::function<void()> body);

    /// Goes on with the run until it yields again or ends; as Start().
    void Resume();

    /// Ends the run. Its owner waits until its thread has ended.
    void Abandon();

    /// Whether a run has begun and not ended; for the owner.
    bool IsOpen() const
    {
        return m_thread.joinable();
    }

    /// Whether this process was forked from that of the run. The run's thread is not in it.
    bool IsForked() const;

    /// Gives the turn to the owner and waits for the next one; for the thread.
    /// @throws Abandoned
    void Yield();

    /// For the thread while it runs.
    /// @throws Abandoned
    void CheckAbandoned();

    /// Takes the right to use what engines share in this process.
    static std::unique_lock<std::mutex> UseEngines();

  private:
    /// Waits for the owner's turn.
    void Wait();

    /// Whose turn it is.
    struct State
    {
        std::mutex mutex;               ///< of what follows
        std::condition_variable passed; ///< the turn has passed
        bool running{true};             ///< it is the thread's turn
        bool over{false};               ///< the body has ended
        bool abandoned{false};          ///< the body is to end
        std::exception_ptr error;       ///< what it threw
        /// The thread's right to use what engines share.
        std::unique_lock<std::mutex> engines;
    };

    std::thread m_thread;
    pid_t m_process{0};             ///< in which the thread is
    std::unique_ptr<State> m_state; ///< of the run
};

} // namespace ns3coflow

#endif // COFLOW_PYTHON_TURNS_H
