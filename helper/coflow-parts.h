/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_PARTS_H
#define COFLOW_PARTS_H

#include "ns3/coflow-experiment.h"
#include "ns3/coflow-host-rates.h"
#include "ns3/coflow-topology.h"
#include "ns3/object-factory.h"

#include <string>
#include <vector>

namespace ns3::coflow
{

/// The ns-3 objects of an experiment before they are made: classes, and the attributes that the
/// user gave for whichever of them has them.
class Parts
{
  public:
    /// Chooses topology, fabric, transport profile, source and workload driver.
    /// @throws ::coflow::InputError where a name is unknown
    explicit Parts(const ExperimentConfig& config);

    /// Adds a class; no effect if it is there.
    void Add(TypeId type);

    /// Sets an attribute on the one class that has it.
    /// @param name as FindAttribute() takes it
    /// @param value as text
    /// @return false where no class has it
    /// @throws ::coflow::InputError where several classes have it, which are named, or where it
    /// does
    ///         not take the value
    bool Set(const std::string& name, const std::string& value);

    /// @throws ::coflow::InputError that tells which attributes there are instead of this one
    [[noreturn]] void RefuseUnknown(const std::string& name) const;

    /// @return makes the one part of a class
    const ObjectFactory& GetFactory(TypeId type) const;

    /// Makes the one part that is a T.
    template <typename T>
    Ptr<T> Create() const
    {
        return GetFactory(T::GetTypeId()).template Create<T>();
    }

  private:
    std::vector<ObjectFactory> m_factories;
};

/// @throws ::coflow::InputError where the workload has more hosts than the topology
void CheckHosts(const ::coflow::Workload& workload, const Topology& topology);

} // namespace ns3::coflow

#endif // COFLOW_PARTS_H
