/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-host-rates.h"

namespace ns3::coflow
{

::coflow::PortRates
GetHostRates(const Topology& topology)
{
    ::coflow::PortRates rates;
    for (HostId host = 0; host < topology.GetNHosts(); ++host)
    {
        const auto bytesPerSecond = [&topology](LinkPort port) {
            return static_cast<double>(topology.GetPort(port).rate.GetBitRate()) / 8;
        };
        rates.ingress.push_back(bytesPerSecond(Topology::GetUplink(host)));
        rates.egress.push_back(bytesPerSecond(Topology::GetDownlink(host)));
    }
    return rates;
}

} // namespace ns3::coflow
