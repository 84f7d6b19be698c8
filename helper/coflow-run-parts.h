/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_RUN_PARTS_H
#define COFLOW_RUN_PARTS_H

#include "ns3/coflow-diagnosis.h"
#include "ns3/coflow-experiment.h"
#include "ns3/coflow-json.h"
#include "ns3/coflow-parameter.h"
#include "ns3/coflow-run-options.h"
#include "ns3/coflow-topology.h"
#include "ns3/object-factory.h"

#include <string>
#include <vector>

namespace ns3::coflow
{

/// The parts of a run before they are made, with the values of their parameters: what the user gave
/// for the part that has it, and else the default, which for a parameter that scales is multiplied
/// by the scale.
class RunParts
{
  public:
    /// @param engine "packet" or "fluid"
    /// @param config what to run; its scale counts as 1 where there is none
    /// @throws ::coflow::InputError as GetRunParts() and ResolveOptions() do
    RunParts(const std::string& engine, const ExperimentConfig& config);

    /// @return what defaults that scale were multiplied by
    double GetScale() const
    {
        return m_scale;
    }

    /// @return the engine's parameters, with defaults that are scaled
    const ::coflow::Parameters& GetEngine() const
    {
        return m_engine;
    }

    /// @return the policy's parameters, with defaults that are scaled; none where the scheduler
    ///         has no policy
    const ::coflow::Parameters& GetPolicy() const
    {
        return m_policy;
    }

    /// @return an object: name and value in force of the policy's parameters; null where the
    ///         scheduler has no policy
    ::coflow::Json DescribePolicy() const;

    /// @return the control periods of policy and ns-3 classes, with their values in force; those
    ///         that are 0 are left out
    std::vector<::coflow::ControlPeriod> GetControlPeriods() const;

    /// @param type class of a part
    /// @param attribute one of its attributes
    /// @return whether the user has given the attribute, as an option or as the default of its
    /// class
    bool IsGiven(TypeId type, const std::string& attribute) const;

    /// @param type the class, or one that it is derived from
    /// @return makes the one part of the class
    const ObjectFactory& GetFactory(TypeId type) const;

    /// @param type the same
    /// @return the same, to set what the user does not give
    ObjectFactory& GetFactory(TypeId type);

    /// @return a new object, of the one part that is a T
    template <typename T>
    Ptr<T> Create() const
    {
        return GetFactory(T::GetTypeId()).template Create<T>();
    }

  private:
    std::size_t Find(TypeId type) const;
    void ScaleDefaultsOf(std::size_t part);
    ::coflow::Parameters MakeParameters(std::size_t part, const std::string& owner) const;

    double m_scale;
    std::vector<RunPart> m_parts;
    std::vector<GivenOption> m_given;
    std::vector<ObjectFactory> m_factories; ///< by part; one of no class where it is none
    ::coflow::Parameters m_engine;
    ::coflow::Parameters m_policy;
};

/// @param parameters any
/// @return an object: name and value in force, as it was given
::coflow::Json DescribeValues(const ::coflow::Parameters& parameters);

/// @param parameters any
/// @return those that are control periods, with their values in force; those that are 0 are left
///         out
std::vector<::coflow::ControlPeriod> FindControlPeriods(const ::coflow::Parameters& parameters);

/// @param workload what is run
/// @param topology on which
/// @throws ::coflow::InputError where the workload has more hosts than the topology
void CheckHosts(const ::coflow::Workload& workload, const Topology& topology);

} // namespace ns3::coflow

#endif // COFLOW_RUN_PARTS_H
