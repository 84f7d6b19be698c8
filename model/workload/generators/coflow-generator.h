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
/// To add a generator, write a file pair with an object of the type GeneratorEntry, and add a line
/// for it in CMake.
struct Generator
{
    static constexpr const char* KIND = "generator"; ///< name of the kind in messages

    std::string name;                      ///< name in options
    std::string help;                      ///< one line
    std::vector<ParameterSpec> parameters; ///< the generator's parameters

    /// Makes hosts and coflows. Generate() does the steps that all generators share.
    std::function<Workload(const Parameters&)> make;
};

/// Registers a generator under its name.
using GeneratorEntry = Registry<Generator>::Entry;

/// All generators, by name.
using Generators = Registry<Generator>;

/// Makes a workload. The coflows are sorted, the workload is checked, and its history names the
/// generator and every parameter.
/// @param name name of a generator
/// @param assignments texts NAME=VALUE; parameters that are not named have their defaults
/// @return the workload
/// @throws InputError for an unknown generator, and for parameters that are unknown or not allowed
Workload Generate(const std::string& name, const std::vector<std::string>& assignments = {});

} // namespace coflow

#endif // COFLOW_GENERATOR_H
