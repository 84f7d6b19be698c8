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

/// The parts of a run before they are created, with the values of their parameters. A parameter has
/// the value that the user gave, or its default. The default of a parameter that scales is
/// multiplied by the scale.
class RunParts
{
  public:
    /// @param engine "packet" or "fluid"
    /// @param config the configuration; where it has no scale, the scale is 1
    /// @throws ::coflow::InputError as GetRunParts() and ResolveOptions() do
    RunParts(const std::string& engine, const ExperimentConfig& config);

    /// @return the factor of the defaults that scale
    double GetScale() const
    {
        return m_scale;
    }

    /// @return the engine's parameters. The defaults of parameters that scale are multiplied by the
    ///         scale
    const ::coflow::Parameters& GetEngine() const
    {
        return m_engine;
    }

    /// @return the policy's parameters. The defaults of parameters that scale are multiplied by the
    ///         scale. Empty: the scheduler has no policy
    const ::coflow::Parameters& GetPolicy() const
    {
        return m_policy;
    }

    /// @return a JSON object with the names of the policy's parameters and their values in force;
    ///         null where the scheduler has no policy
    ::coflow::Json DescribePolicy() const;

    /// @return the control periods of the policy and of ns-3 classes, with their values in force.
    ///         Periods of 0 are left out
    std::vector<::coflow::ControlPeriod> GetControlPeriods() const;

    /// @param type the class of a part
    /// @param attribute one of its attributes
    /// @return whether the user has given the attribute, as an option or as the default of its
    ///         class
    bool IsGiven(TypeId type, const std::string& attribute) const;

    /// @param type the class of a part, or a parent of that class
    /// @return the factory of the only part of that class
    const ObjectFactory& GetFactory(TypeId type) const;

    /// @param type the class of a part, or a parent of that class
    /// @return the factory of the only part of that class. The caller may set attributes that the
    ///         user does not set
    ObjectFactory& GetFactory(TypeId type);

    /// @return a new object: the only part whose class is T or derived from T
    template <typename T>
    Ptr<T> Create() const
    {
        return GetFactory(T::GetTypeId()).template Create<T>();
    }

  private:
    std::size_t Find(TypeId type) const;
    void ScaleDefaultsOf(TypeId type, ObjectFactory& factory) const;
    std::vector<ObjectFactory> MakeFactories() const;

    /// @return the parameters of the policy that the scheduler's preset gives
    std::vector<std::string> GetPreset() const;

    /// @param preset values of parameters that are not given, as NAME=VALUE
    ::coflow::Parameters MakeParameters(std::size_t part,
                                        const std::string& owner,
                                        const std::vector<std::string>& preset) const;

    double m_scale;                         ///< factor of defaults that scale
    std::vector<RunPart> m_parts;           ///< engine, policy, and classes, in this order
    std::vector<GivenOption> m_given;       ///< given values
    std::vector<ObjectFactory> m_factories; ///< by part; without a class where the part has none
    ::coflow::Parameters m_engine;          ///< parameters of part 0; made of m_parts and m_given
    ::coflow::Parameters m_policy;          ///< parameters of part 1; made of m_parts and m_given
};

/// @param parameters any
/// @return a JSON object with names and values in force. A value that the user gave has the form in
///         which the user wrote it
::coflow::Json DescribeValues(const ::coflow::Parameters& parameters);

/// @param parameters any
/// @return the parameters that are control periods, with their values in force. Periods of 0 are
///         left out
std::vector<::coflow::ControlPeriod> FindControlPeriods(const ::coflow::Parameters& parameters);

/// @param workload the workload
/// @param topology the topology
/// @throws ::coflow::InputError where the workload has more hosts than the topology
void CheckHosts(const ::coflow::Workload& workload, const Topology& topology);

} // namespace ns3::coflow

#endif // COFLOW_RUN_PARTS_H
