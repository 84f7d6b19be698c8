/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_FLOW_MEMORY_H
#define COFLOW_FLOW_MEMORY_H

#include "ns3/coflow-central-messages.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

namespace ns3::coflow
{

/// What applications of a host have put and got of coflows that are not over, as the host's daemon
/// remembers it. A coordinator that has forgotten everything, or a connection that took messages
/// along when it broke, is told all of it anew: also of flows that are done, without which the
/// coordinator would wait for the coflow's missing flows.
class FlowMemory
{
  public:
    /// A flow was put, perhaps again.
    void NotePut(const PutRecord& put);

    /// Nothing of a flow is left to send.
    /// @param bytes its size
    void NoteDone(const FlowKey& key, uint64_t bytes);

    /// A flow was got.
    void NoteGet(const GetRecord& get);

    /// A coflow is over.
    void Forget(::coflow::CoflowId coflow);

    /// @return all that was put and is remembered, by key
    std::vector<PutRecord> GetPuts() const;

    /// @return all that was got and is remembered, by key
    std::vector<GetRecord> GetGets() const;

    /// @return number of puts and gets that are remembered
    std::size_t GetSize() const;

  private:
    std::map<FlowKey, PutRecord> m_puts;
    std::map<FlowKey, GetRecord> m_gets;
};

} // namespace ns3::coflow

#endif // COFLOW_FLOW_MEMORY_H
