/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_FLOW_MEMORY_H
#define COFLOW_FLOW_MEMORY_H

#include "ns3/coflow-central-messages.h"

#include <cstddef>
#include <cstdint>
#include <map>

namespace ns3::coflow
{

/// The puts and gets of a host's applications, of coflows that are not over. The host's daemon
/// repeats them to a coordinator with every new connection: the coordinator may have forgotten
/// everything, and messages may be lost with a connection that breaks. It repeats flows that are
/// done, too. Otherwise the coordinator would wait for them.
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
    const std::map<FlowKey, PutRecord>& GetPuts() const
    {
        return m_puts;
    }

    /// @return all that was got and is remembered, by key
    const std::map<FlowKey, GetRecord>& GetGets() const
    {
        return m_gets;
    }

    /// @return number of puts and gets that are remembered
    std::size_t GetSize() const;

  private:
    std::map<FlowKey, PutRecord> m_puts;
    std::map<FlowKey, GetRecord> m_gets;
};

} // namespace ns3::coflow

#endif // COFLOW_FLOW_MEMORY_H
