/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_TIME_HOLD_H
#define COFLOW_TIME_HOLD_H

#include "ns3/coflow-wheel-simulator.h"

namespace ns3::coflow
{

/// While it is on, something is on its way in network time that the world waits for, and time is
/// not jumped over. No effect with another simulator than WheelSimulatorImpl, which never jumps.
class TimeHold
{
  public:
    TimeHold() = default;

    ~TimeHold()
    {
        Set(false);
    }

    TimeHold(const TimeHold&) = delete;
    TimeHold& operator=(const TimeHold&) = delete;

    /// @param on whether the world waits
    void Set(bool on)
    {
        auto* simulator = WheelSimulatorImpl::Get();
        if (on == m_on || !simulator)
        {
            return;
        }
        m_on = on;
        on ? simulator->Hold() : simulator->Release();
    }

  private:
    bool m_on{false};
};

} // namespace ns3::coflow

#endif // COFLOW_TIME_HOLD_H
