/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-version.h"

#if __has_include("coflow-commit.h")
#include "coflow-commit.h"
#else
#define COFLOW_COMMIT ""
#endif

namespace ns3::coflow
{

// The build passes the versions as compile definitions of this file only.

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
GetModuleCommit()
{
    return COFLOW_COMMIT;
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
