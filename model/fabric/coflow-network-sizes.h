/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_NETWORK_SIZES_H
#define COFLOW_NETWORK_SIZES_H

#include "ns3/coflow-host-network.h"
#include "ns3/coflow-json.h"

#include <algorithm>
#include <cstdint>
#include <string>

namespace ns3::coflow
{

/// What the ports and the connections of a network are sized by, and how large they were in a run.
///
/// Queues and buffers follow the network: rate x base round trip (BandwidthDelay) is what has to be
/// under way for a link to be full. These are at least so large, unless the user gives a value:
///
/// | what | default | at least |
/// |---|---|---|
/// | marking threshold | 30,000 bytes | rate x round trip |
/// | queue that marks | 256 KiB, or what the scheduler asks for | 4 times rate x round trip |
/// | TCP's send and receive buffers | 1 MiB | 4 times rate x round trip |
///
/// In a queue that the user has made shorter, ports mark from a fourth of it on at most.
///
/// It is one value for all ports of a network, by the path of the largest product. On fat-trees of
/// 1 Gbps the product is 11 kB, so that defaults stay.
struct NetworkSizes
{
    BandwidthDelay product;      ///< what sizes follow
    PortQueue queue;             ///< of ports
    uint64_t sendBufferBytes{0}; ///< of TCP
    uint64_t receiveBufferBytes{0};
    double packetTimeError{0}; ///< see HostNetwork::GetPacketTimeError()

    static constexpr uint32_t QUEUE_PRODUCTS = 4;  ///< that a queue holds at least
    static constexpr uint32_t BUFFER_PRODUCTS = 4; ///< that a buffer of TCP holds at least

    /// @param product rate x round trip, bytes
    /// @return bytes that a buffer of TCP holds at least
    static uint64_t GetBuffer(uint64_t product)
    {
        constexpr uint64_t LARGEST_WINDOW = uint64_t{65'535} << 14; // RFC 7323
        return std::min(BUFFER_PRODUCTS * product, LARGEST_WINDOW);
    }

    /// Has the sizes of a queue disc follow a network: thresholds and limits in bytes of a class
    /// that marks at a threshold. What marks nothing stays, and so does what the user gives: in the
    /// text that is chosen, or as the default of an attribute.
    /// @param queueDisc a queue disc that ParseObjectFactory() takes, such as
    /// "ns3::coflow::FifoQueueDisc[MaxSize=1MiB]"
    /// @param isChosen whether the user has given the text; otherwise its values are defaults, too
    /// @param product rate x round trip, bytes
    /// @return the same with the sizes that follow; a text that names no such class as it is
    static std::string FollowNetwork(const std::string& queueDisc, bool isChosen, uint64_t product);

    /// @return the same for files
    ::coflow::Json ToJson() const;

    /// @return what a person has to know of it, in lines; empty: all sizes are the defaults, and
    ///         times are exact
    std::string Describe() const;
};

} // namespace ns3::coflow

#endif // COFLOW_NETWORK_SIZES_H
