/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_VERSION_H
#define COFLOW_VERSION_H

#include <string>

namespace ns3::coflow
{

/// @return version of this module
std::string GetModuleVersion();

/// @return version of ns-3 with which this module was built
std::string GetNs3Version();

/// @return commit of the sources of this module, with + where the sources have uncommitted changes;
///         empty for a build outside of git
std::string GetModuleCommit();

/// @return "release" or "debug": how this module was compiled
std::string GetBuildProfile();

} // namespace ns3::coflow

#endif // COFLOW_VERSION_H
