/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_GRAVITON_SF_H
#define COFLOW_GRAVITON_SF_H

#include "ns3/coflow-graviton.h"

namespace coflow
{

/// Graviton-SF, starvation-free: a coflow that for `waitLimit` has sent less than `matchFloor` of
/// what a port moves in that time goes before all queues, first in, first out among its like. The
/// wait is counted from its last progress, since an age counted from the arrival would put old
/// elephants first for ever.
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
    /// What was last seen of a coflow.
    struct Progress
    {
        double sent{0};     ///< bytes
        Nanoseconds at{-1}; ///< when they had last grown; -1: never seen
    };

    Nanoseconds m_waitLimit;          ///< wait that promotes
    std::vector<Progress> m_progress; ///< by coflow index
};

} // namespace coflow

#endif // COFLOW_GRAVITON_SF_H
