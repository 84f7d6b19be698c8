/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_COUNTING_SENDER_H
#define COFLOW_COUNTING_SENDER_H

#include "ns3/coflow-send-queues.h"

#include <cstddef>

namespace coflow::test
{

/// Sends flows of SendQueues without a network.
class CountingSender final : public ns3::coflow::SendQueues::Sender
{
  public:
    void Send() override
    {
        ++sent;
    }

    void Prefetch(std::size_t) const override
    {
        ++expected;
    }

    int sent{0};
    mutable int expected{0}; ///< how often it was told that its turn comes
};

} // namespace coflow::test

#endif // COFLOW_COUNTING_SENDER_H
