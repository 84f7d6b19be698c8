/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_GRAVITON_H
#define COFLOW_GRAVITON_H

#include "ns3/coflow-dclas-policy.h"

namespace coflow
{

/// Graviton (HotCloud 2016): Aalo's queues with another order inside a queue, by the number of
/// receivers of unfinished flows. The lowest `fifoQueues` (1) queues are first in, first out. The
/// `wideQueues` (2) queues above them serve the widest coflow first. All other queues serve the
/// thinnest coflow first. With `allOrNone`, a coflow is not served where one of its receivers has
/// no free rate. Otherwise its flows to other receivers are served.
class Graviton : public DclasPolicy
{
  public:
    /// @param parameters values of Specs()
    explicit Graviton(const Parameters& parameters)
        : DclasPolicy(parameters),
          m_fifoQueues(static_cast<int>(parameters["fifoQueues"])),
          m_wideQueues(static_cast<int>(parameters["wideQueues"])),
          m_allOrNone(parameters.Flag("allOrNone"))
    {
    }

    /// Parameters of the family, `fifoQueues`, `wideQueues` and `allOrNone`.
    static std::vector<ParameterSpec> Specs();

    double KeyOf(int queue, std::uint32_t width) const override;

    bool AllOrNone() const override
    {
        return m_allOrNone;
    }

  private:
    int m_fifoQueues; ///< number of queues that are first in, first out
    int m_wideQueues; ///< number of queues that serve the widest coflow first
    bool m_allOrNone; ///< serve all receivers of a coflow, or none
};

} // namespace coflow

#endif // COFLOW_GRAVITON_H
