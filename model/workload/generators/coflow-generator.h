/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_GENERATOR_H
#define COFLOW_GENERATOR_H

#include "ns3/coflow-parameter.h"
#include "ns3/coflow-registry.h"
#include "ns3/coflow-types.h"

#include <functional>
#include <string>
#include <vector>

namespace coflow
{

/// A source of synthetic workloads. The same parameters give the same workload everywhere.
///
/// A new one is a file pair with an object of the type GeneratorEntry, and its line in CMake.
struct Generator
{
    static constexpr const char* KIND = "generator"; ///< its kind in messages

    std::string name;                      ///< by which it is found
    std::string help;                      ///< one line
    std::vector<ParameterSpec> parameters; ///< what can be set

    /// Makes hosts and coflows; Generate does what all generators have in common.
    std::function<Workload(const Parameters&)> make;
};

/// Enters a generator under its name.
using GeneratorEntry = Registry<Generator>::Entry;

/// All generators, by name.
using Generators = Registry<Generator>;

/// Makes a workload: coflows are sorted, the result is checked, and its history tells the
/// generator and every parameter.
/// @param name name of a generator
/// @param assignments texts NAME=VALUE; what is not named has its default
/// @return the workload
/// @throws InputError for an unknown generator and for unsuitable parameters
Workload Generate(const std::string& name, const std::vector<std::string>& assignments = {});

} // namespace coflow

#endif // COFLOW_GENERATOR_H
