/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_NETWORK_CONSTANTS_H
#define COFLOW_NETWORK_CONSTANTS_H

#include "ns3/coflow-json.h"

#include <string>

namespace ns3::coflow
{

/// What the ports of a network were in a run, for results.
struct NetworkConstants
{
    double packetTimeError{0}; ///< see HostNetwork::GetPacketTimeError()

    /// @return the same for files
    ::coflow::Json ToJson() const;

    /// @return what a person has to know of it, in lines; empty: nothing
    std::string Tell() const;
};

} // namespace ns3::coflow

#endif // COFLOW_NETWORK_CONSTANTS_H
