/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_INTERRUPTION_H
#define COFLOW_INTERRUPTION_H

#include <csignal>

namespace ns3::coflow
{

/// While an object of this class exists, the first SIGINT or SIGTERM does not end the process. The
/// object notes the signal, so that a run can end with its results so far. The second signal ends
/// the process. A signal that the process ignores stays ignored.
class Interruption
{
  public:
    Interruption();
    ~Interruption();

    Interruption(const Interruption&) = delete;
    Interruption& operator=(const Interruption&) = delete;

    /// @return whether a signal has come
    static bool HasCome();

    /// Ends the process by the signal that has come, so that a shell sees the signal. Does nothing
    /// where no signal has come.
    static void EndProcess();

  private:
    struct sigaction m_onInterrupt; ///< earlier action for SIGINT
    struct sigaction m_onTerminate; ///< earlier action for SIGTERM
};

} // namespace ns3::coflow

#endif // COFLOW_INTERRUPTION_H
