/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-host-network.h"

namespace ns3::coflow
{

NS_OBJECT_ENSURE_REGISTERED(HostNetwork);

TypeId
HostNetwork::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::coflow::HostNetwork").SetParent<Object>().SetGroupName("Coflow");
    return tid;
}

::coflow::PortRates
HostNetwork::GetRates() const
{
    ::coflow::PortRates rates;
    for (HostId host = 0; host < GetNHosts(); ++host)
    {
        rates.ingress.push_back(static_cast<double>(GetUplinkRate(host).GetBitRate()) / 8);
        rates.egress.push_back(static_cast<double>(GetDownlinkRate(host).GetBitRate()) / 8);
    }
    return rates;
}

} // namespace ns3::coflow
