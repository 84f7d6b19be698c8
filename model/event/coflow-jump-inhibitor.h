/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_JUMP_INHIBITOR_H
#define COFLOW_JUMP_INHIBITOR_H

#include "ns3/coflow-wheel-simulator.h"

namespace ns3::coflow
{

/// While it is on, something is on its way in packet time that applications wait for, and time is
/// not jumped over. No effect with another simulator than WheelSimulatorImpl, which never jumps.
class JumpInhibitor
{
  public:
    JumpInhibitor() = default;

    ~JumpInhibitor()
    {
        Set(false);
    }

    JumpInhibitor(const JumpInhibitor&) = delete;
    JumpInhibitor& operator=(const JumpInhibitor&) = delete;

    /// @param on whether applications wait
    void Set(bool on)
    {
        auto* simulator = WheelSimulatorImpl::Get();
        if (on == m_on || !simulator)
        {
            return;
        }
        m_on = on;
        on ? simulator->AddInhibitor() : simulator->RemoveInhibitor();
    }

  private:
    bool m_on{false};
};

} // namespace ns3::coflow

#endif // COFLOW_JUMP_INHIBITOR_H
