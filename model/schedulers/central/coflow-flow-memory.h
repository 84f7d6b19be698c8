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
/// repeats them to the coordinator over every new connection, because the coordinator may have lost
/// its state, and messages may be lost with a connection that breaks. The daemon also repeats flows
/// that are done. Otherwise the coordinator would wait for them.
class FlowMemory
{
  public:
    /// A flow was put, perhaps again.
    /// @param put the record
    void NotePut(const PutRecord& put);

    /// A flow has no bytes left to send.
    /// @param key the flow
    /// @param bytes its size
    void NoteDone(const FlowKey& key, uint64_t bytes);

    /// A flow was got.
    /// @param get the record
    void NoteGet(const GetRecord& get);

    /// A coflow is over. Removes its puts and gets.
    /// @param coflow the coflow
    void Forget(::coflow::CoflowId coflow);

    /// @return all puts in memory, by flow
    const std::map<FlowKey, PutRecord>& GetPuts() const
    {
        return m_puts;
    }

    /// @return all gets in memory, by flow
    const std::map<FlowKey, GetRecord>& GetGets() const
    {
        return m_gets;
    }

    /// @return number of puts and gets in memory
    std::size_t GetSize() const;

  private:
    std::map<FlowKey, PutRecord> m_puts; ///< puts by flow
    std::map<FlowKey, GetRecord> m_gets; ///< gets by flow
};

} // namespace ns3::coflow

#endif // COFLOW_FLOW_MEMORY_H
