/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_PYTHON_BINDINGS_H
#define COFLOW_PYTHON_BINDINGS_H

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <utility>
#include <vector>

/// The extension module ns3coflow._core.
namespace [[gnu::visibility("hidden")]] ns3coflow
{

namespace nb = nanobind;

/// What Python hands over as numbers of one kind.
template <typename T>
using Array = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

/// Hands a vector over to numpy without a copy.
template <typename T>
nb::object
ToNumpy(std::vector<T> values)
{
    auto* owned = new std::vector<T>(std::move(values));
    nb::capsule owner(owned,
                      [](void* vector) noexcept { delete static_cast<std::vector<T>*>(vector); });
    return nb::cast(nb::ndarray<nb::numpy, T, nb::ndim<1>>(owned->data(), {owned->size()}, owner));
}

/// A column: one value per element of a range.
template <typename T, typename Range, typename Function>
nb::object
Column(const Range& range, Function function)
{
    std::vector<T> values;
    values.reserve(range.size());
    for (const auto& element : range)
    {
        values.push_back(static_cast<T>(function(element)));
    }
    return ToNumpy(std::move(values));
}

/// The class Workload.
void BindWorkload(nb::module_& module);

/// Functions that run an experiment.
void BindRun(nb::module_& module);

/// Functions that write files.
void BindFiles(nb::module_& module);

/// Episodes, of which an agent makes the decisions.
void BindEpisode(nb::module_& module);

/// @throws ::coflow::InputError where an episode at packet level has ns-3's simulator, which is one
///         per process
void RequireSimulator();

/// Views, as policies written in Python see them.
void BindViews(nb::module_& module);

/// Entering policies that are written in Python.
void BindPolicies(nb::module_& module);

} // namespace ns3coflow

#endif // COFLOW_PYTHON_BINDINGS_H
