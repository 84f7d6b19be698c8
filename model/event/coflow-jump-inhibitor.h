/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_JUMP_INHIBITOR_H
#define COFLOW_JUMP_INHIBITOR_H

#include "ns3/coflow-wheel-simulator.h"

namespace ns3::coflow
{

/// Prevents jumps over time while it is on, because applications wait for a packet, such as a
/// message. No effect with simulators other than WheelSimulatorImpl, which never jump.
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

    /// @param on whether jumps are prevented
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
