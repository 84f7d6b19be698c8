/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_EVEN_FLOW_H
#define COFLOW_EVEN_FLOW_H

#include "ns3/coflow-flow-key.h"
#include "ns3/coflow-topology.h"
#include "ns3/coflow-types.h"

#include <array>
#include <cstddef>
#include <cstdint>

namespace ns3::coflow
{

class SinkConnection;
struct SourceFlow;

/// The ports that a flow's packets pass.
struct PortPath
{
    std::array<LinkPort, MAX_PATH_PORTS> ports{};
    uint32_t n{0}; ///< used entries; 0: not known
};

/// What a TimeJumper knows of a flow that runs.
struct EvenFlow
{
    FlowKey key;
    SourceFlow* source{nullptr};   ///< its sending end
    SinkConnection* sink{nullptr}; ///< its receiving end; null until its first bytes have come
    ::coflow::HostId src{0};       ///< the host that sends
    bool sends{false};             ///< it is in the list of those that may send
    std::size_t place{0};          ///< in its list
    uint64_t bitsPerSecond{0};     ///< its rate
    int64_t seenAt{-1};            ///< network time when `unsent` was that, while it catches up
    uint32_t unsent{0};            ///< bytes that TCP had and had not sent
    int64_t creditedTo{0};   ///< of all steps that were skipped, how many it was credited with
    uint64_t rest{0};        ///< what is owed to it, in 8e9ths of a byte, always below one byte
    uint16_t port{0};        ///< of its connection at the sending host, that the paths are of
    uint32_t label{0};       ///< that the paths are of
    uint32_t epoch{0};       ///< state of the topology that the paths are of
    PortPath data;           ///< of its data
    PortPath answers;        ///< of the acknowledgements
    uint64_t ahead{0};       ///< of what TCP has too much, what it has sent, less what was credited
    uint64_t owedBytes{0};   ///< payload that its ports have not been credited with
    uint64_t owedAnswers{0}; ///< the same, as acknowledgements count it
};

} // namespace ns3::coflow

#endif // COFLOW_EVEN_FLOW_H
