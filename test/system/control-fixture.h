/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_CONTROL_FIXTURE_H
#define COFLOW_CONTROL_FIXTURE_H

#include "transport-fixture.h"

#include "ns3/coflow-central-messages.h"
#include "ns3/coflow-control-endpoint.h"
#include "ns3/coflow-coordinated-messages.h"
#include "ns3/enum.h"

#include <string>
#include <utility>
#include <vector>

namespace ns3::coflow::test
{

using PeerId = ControlEndpoint::PeerId;
using Transport = ControlEndpoint::Transport;

inline std::string
GetTransportName(Transport transport)
{
    return transport == Transport::TCP ? "Tcp" : "Ideal";
}

inline void
PrintTo(Transport transport, std::ostream* os)
{
    *os << GetTransportName(transport);
}

/// A control endpoint that keeps what happens to it. It takes heartbeats and updated rates.
class Process
{
  public:
    struct Beat
    {
        PeerId peer;
        uint64_t number; ///< what Process::Beat() gave it
        Time at;
    };

    Process(Ptr<Node> node, Transport transport, Ptr<TransportProfile> profile)
        : endpoint(CreateObject<ControlEndpoint>())
    {
        endpoint->SetAttribute("Transport", EnumValue(transport));
        endpoint->SetAttribute("Profile", PointerValue(profile));
        endpoint->SetNode(node);
        endpoint->SetPeerUpCallback([this](PeerId peer) {
            ups.emplace_back(peer, Simulator::Now());
            if (onUp)
            {
                onUp(peer);
            }
        });
        endpoint->SetPeerDownCallback(
            [this](PeerId peer) { downs.emplace_back(peer, Simulator::Now()); });
        endpoint->On<HeartbeatMessage>([this](PeerId peer, const HeartbeatMessage& message) {
            EXPECT_EQ(message.txBitsPerSecond, message.rxBitsPerSecond + 1);
            beats.push_back({peer, message.rxBitsPerSecond, Simulator::Now()});
        });
        endpoint->On<UpdatedRatesMessage>([this](PeerId, const UpdatedRatesMessage& message) {
            rates.emplace_back(message.schedule, message.records);
        });
    }

    ~Process()
    {
        endpoint->Dispose();
    }

    Process(const Process&) = delete;
    Process& operator=(const Process&) = delete;

    /// Sends a heartbeat with a number.
    /// @param renews whether it may take the place of an earlier one that has not left the host
    bool Beat(PeerId peer, uint64_t number, bool renews = false)
    {
        HeartbeatMessage message;
        if (!renews)
        {
            message.over = {number};
        }
        message.rxBitsPerSecond = number;
        message.txBitsPerSecond = number + 1;
        return endpoint->Send(peer, message);
    }

    /// Numbers of the heartbeats, in the order of their arrival.
    std::vector<uint64_t> GetNumbers() const
    {
        std::vector<uint64_t> numbers;
        for (const auto& beat : beats)
        {
            numbers.push_back(beat.number);
        }
        return numbers;
    }

    Ptr<ControlEndpoint> endpoint;
    std::function<void(PeerId)> onUp;
    std::vector<std::pair<PeerId, Time>> ups;
    std::vector<std::pair<PeerId, Time>> downs;
    std::vector<struct Beat> beats;
    std::vector<std::pair<uint64_t, std::vector<RateRecord>>> rates;
};

/// 0, 1, ... as GetNumbers() gives them.
inline std::vector<uint64_t>
Count(uint64_t numbers)
{
    std::vector<uint64_t> result(numbers);
    for (uint64_t i = 0; i < numbers; ++i)
    {
        result[i] = i;
    }
    return result;
}

/// A schedule as a coordinator tells it.
inline UpdatedRatesMessage
MakeSchedule(uint64_t number, const std::vector<RateRecord>& rates)
{
    UpdatedRatesMessage message(rates);
    message.schedule = number;
    return message;
}

inline std::vector<RateRecord>
MakeRates(uint32_t flows)
{
    std::vector<RateRecord> records;
    for (uint32_t i = 0; i < flows; ++i)
    {
        records.push_back({{i / 100, i % 100}, 1000ULL * i});
    }
    return records;
}

} // namespace ns3::coflow::test

#endif // COFLOW_CONTROL_FIXTURE_H
