/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-network-constants.h"

#include "ns3/coflow-rounded-times.h"

namespace ns3::coflow
{

using ::coflow::Json;

Json
NetworkConstants::ToJson() const
{
    return Json::Object().Set("packet_time_error", packetTimeError);
}

std::string
NetworkConstants::Tell() const
{
    const auto rounded = RoundedTimes::Tell(packetTimeError);
    return rounded.empty() ? "" : rounded + "\n";
}

} // namespace ns3::coflow
