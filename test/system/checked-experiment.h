/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CHECKED_EXPERIMENT_H
#define CHECKED_EXPERIMENT_H

#include "fabric-invariants.h"

#include "ns3/coflow-experiment.h"
#include "ns3/coflow-packet-cluster.h"

#include <memory>
#include <utility>

namespace ns3::coflow::test
{

/// The same experiment, in which every packet is looked at: see FabricInvariants.
inline ExperimentConfig
Checked(ExperimentConfig config)
{
    config.instrument = [](const PacketCluster& cluster) {
        return std::make_shared<FabricInvariants>(cluster.GetFabric());
    };
    return config;
}

} // namespace ns3::coflow::test

#endif // CHECKED_EXPERIMENT_H
