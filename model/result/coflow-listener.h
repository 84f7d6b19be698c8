/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_LISTENER_H
#define COFLOW_LISTENER_H

#include "ns3/coflow-types.h"

#include <functional>

namespace coflow
{

/// Receives calls during a run when coflows start and finish. Times are those of the records. The
/// calls between two decisions of a scheduler are not ordered by time. All calls for times before a
/// decision come before the decision, with one exception: the start of a coflow with parents is
/// called when the coflow's driver has learnt that the parents have finished.
struct CoflowListener
{
    /// A coflow has arrived, and its parents have finished. Its completion time counts from the
    /// given time.
    std::function<void(Nanoseconds)> started{};
    std::function<void(Nanoseconds)> finished{}; ///< all flows of a coflow have finished
};

} // namespace coflow

#endif // COFLOW_LISTENER_H
