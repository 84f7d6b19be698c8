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

/// The sizes of queues and TCP buffers in a network, and the bandwidth-delay product that they
/// follow.
///
/// Rate x base round trip (BandwidthDelay) is the number of bytes in flight with which a link is
/// fully used. Unless the user gives a value, these sizes have a lower limit:
///
/// | what | default | at least |
/// |---|---|---|
/// | marking threshold | 30,000 bytes | rate x round trip |
/// | queue that marks | 256 KiB, or what the scheduler asks for | 4 times rate x round trip |
/// | TCP's send and receive buffers | 1 MiB | 4 times rate x round trip |
///
/// In a queue that the user has made shorter, the marking threshold is at most a fourth of the
/// queue.
///
/// All ports of a network have the same value, from the path with the largest product. On fat-trees
/// of 1 Gbps the product is 11 kB, so that the defaults apply.
struct NetworkSizes
{
    BandwidthDelay product;      ///< bandwidth-delay product of the network
    PortQueue queue;             ///< queue of a port
    uint64_t sendBufferBytes{0}; ///< send buffer of a TCP connection, in bytes
    uint64_t receiveBufferBytes{0};
    double packetTimeError{0}; ///< see HostNetwork::GetPacketTimeError()

    static constexpr uint32_t QUEUE_PRODUCTS = 4;  ///< least length of a queue
    static constexpr uint32_t BUFFER_PRODUCTS = 4; ///< least size of a buffer

    /// @param product rate x round trip, bytes
    /// @return least size of a TCP buffer, bytes
    static uint64_t GetBuffer(uint64_t product)
    {
        constexpr uint64_t LARGEST_WINDOW = uint64_t{65'535} << 14; // RFC 7323
        return std::min(BUFFER_PRODUCTS * product, LARGEST_WINDOW);
    }

    /// Sets thresholds and limits in bytes of a queue disc that marks at a threshold. A queue disc
    /// that marks nothing stays as it is. A value that the user gives also stays, in the text or as
    /// the default of an attribute.
    /// @param queueDisc a queue disc that ParseObjectFactory() takes, such as
    /// "ns3::coflow::FifoQueueDisc[MaxSize=1MiB]"
    /// @param isChosen whether the user has given the text; false: values in the text are defaults,
    ///        too
    /// @param product rate x round trip, bytes
    /// @return the text with the sizes of the network; the same text where the class does not mark
    static std::string FollowNetwork(const std::string& queueDisc, bool isChosen, uint64_t product);

    /// @return the sizes as a JSON object, for files
    ::coflow::Json ToJson() const;

    /// @return lines with the sizes that are no defaults, and with the error of packet times; empty
    ///         where all sizes are defaults and times are exact
    std::string Describe() const;
};

} // namespace ns3::coflow

#endif // COFLOW_NETWORK_SIZES_H
