/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_LISTENER_H
#define COFLOW_LISTENER_H

#include "ns3/coflow-types.h"

#include <functional>

namespace coflow
{

/// Who is told, while a run goes on, when coflows start and finish as its records say. Times come
/// in no order between two decisions of a scheduler, but all that lie before a decision are told
/// before it, except that a coflow with parents is told of when its driver has heard of theirs.
struct CoflowListener
{
    /// One has arrived, and its parents are through: its completion time counts from here.
    std::function<void(Nanoseconds)> started{};
    std::function<void(Nanoseconds)> finished{}; ///< all flows of one are through
};

} // namespace coflow

#endif // COFLOW_LISTENER_H
