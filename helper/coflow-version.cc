/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-version.h"

namespace ns3::coflow
{

// The build passes both as compile definitions of this file alone.

std::string
GetModuleVersion()
{
    return COFLOW_VERSION;
}

std::string
GetNs3Version()
{
    return COFLOW_NS3_VERSION;
}

std::string
GetBuildProfile()
{
#ifdef __OPTIMIZE__
    return "release";
#else
    return "debug";
#endif
}

} // namespace ns3::coflow
