/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_COUNTING_SENDER_H
#define COFLOW_COUNTING_SENDER_H

#include "ns3/coflow-send-queues.h"

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

    int sent{0};
};

} // namespace coflow::test

#endif // COFLOW_COUNTING_SENDER_H
