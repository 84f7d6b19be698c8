/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_GRAVITON_SF_H
#define COFLOW_GRAVITON_SF_H

#include "ns3/coflow-graviton.h"

namespace coflow
{

/// Graviton-SF, which is starvation-free: a coflow that has sent less than `matchFloor` of a port's
/// capacity for `waitLimit` is served before all queues. Such coflows are served first in, first
/// out. The wait counts from the last progress of the coflow. With a wait from the arrival, old
/// large coflows would always be first.
class GravitonSf : public Graviton
{
  public:
    /// @param parameters values of Specs()
    explicit GravitonSf(const Parameters& parameters)
        : Graviton(parameters),
          m_waitLimit(parameters.Time("waitLimit"))
    {
    }

    /// Parameters of Graviton, and `waitLimit`.
    static std::vector<ParameterSpec> Specs();

    Nanoseconds PromotionTime(const CoflowRow& row) const override;

  protected:
    bool Promoted(const CoflowRow& row, Nanoseconds now) override;

  private:
    /// The last progress of a coflow.
    struct Progress
    {
        double sent{0};     ///< bytes
        Nanoseconds at{-1}; ///< time of the last progress; -1: none
    };

    Nanoseconds m_waitLimit;          ///< wait after which a coflow is promoted
    std::vector<Progress> m_progress; ///< last progress of each coflow, by coflow index
};

} // namespace coflow

#endif // COFLOW_GRAVITON_SF_H
