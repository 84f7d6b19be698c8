/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-interruption.h"

namespace ns3::coflow
{

namespace
{

volatile std::sig_atomic_t g_signal = 0; ///< the signal that has come; 0: none

extern "C" void
Remember(int signal)
{
    g_signal = signal;
}

/// Installs the handler for the first signal, unless the process ignores the signal. Returns the
/// earlier action.
struct sigaction
HandleFirst(int signal)
{
    struct sigaction before{};
    ::sigaction(signal, nullptr, &before);
    if (before.sa_handler != SIG_IGN)
    {
        struct sigaction first{};
        first.sa_handler = Remember;
        first.sa_flags = static_cast<int>(SA_RESETHAND) | SA_RESTART;
        ::sigaction(signal, &first, nullptr);
    }
    return before;
}

} // namespace

Interruption::Interruption()
    : m_onInterrupt(HandleFirst(SIGINT)),
      m_onTerminate(HandleFirst(SIGTERM))
{
}

Interruption::~Interruption()
{
    ::sigaction(SIGINT, &m_onInterrupt, nullptr);
    ::sigaction(SIGTERM, &m_onTerminate, nullptr);
}

bool
Interruption::HasCome()
{
    return g_signal != 0;
}

void
Interruption::EndProcess()
{
    if (HasCome())
    {
        const int signal = g_signal;
        struct sigaction ends{};
        ends.sa_handler = SIG_DFL;
        ::sigaction(signal, &ends, nullptr);
        ::raise(signal);
    }
}

} // namespace ns3::coflow
