/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_INTERRUPTION_H
#define COFLOW_INTERRUPTION_H

#include <csignal>

namespace ns3::coflow
{

/// While there is one, the first SIGINT or SIGTERM does not end the process but is remembered, so
/// that a run can end with what has come out so far. The second one ends the process as always. A
/// signal that the process ignores stays ignored.
class Interruption
{
  public:
    Interruption();
    ~Interruption();

    Interruption(const Interruption&) = delete;
    Interruption& operator=(const Interruption&) = delete;

    /// @return whether a signal has come
    static bool HasCome();

    /// Ends the process by the signal that has come, so that a shell hears of it; does nothing
    /// where none has.
    static void EndProcess();

  private:
    struct sigaction m_onInterrupt; ///< as before
    struct sigaction m_onTerminate; ///< as before
};

} // namespace ns3::coflow

#endif // COFLOW_INTERRUPTION_H
