/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "bindings.h"

#include "ns3/coflow-description.h"
#include "ns3/coflow-error.h"
#include "ns3/coflow-version.h"

#include <boost/math/distributions/students_t.hpp>
#include <nanobind/stl/string.h>

namespace
{

/// The quantile of Student's t distribution.
/// @param probability from 0 to 1, both excluded
/// @param degrees of freedom, above 0
double
StudentTQuantile(double probability, double degrees)
{
    return boost::math::quantile(boost::math::students_t(degrees), probability);
}

} // namespace

NB_MODULE(_core, module)
{
    using namespace ns3coflow;
    module.doc() = "The C++ side of ns3coflow.";
    nb::exception<::coflow::InputError>(module, "InputError", PyExc_ValueError);
    module.attr("VERSION") = ns3::coflow::GetModuleVersion();
    module.attr("NS3_VERSION") = ns3::coflow::GetNs3Version();
    module.def(
        "describe",
        [] { return ns3::coflow::DescribeModule().ToString(); },
        "Everything that can be chosen or set, as JSON.");
    module.def("student_t_quantile",
               &StudentTQuantile,
               nb::arg("probability"),
               nb::arg("degrees"),
               "The quantile of Student's t distribution with so many degrees of freedom.");
    BindWorkload(module);
    BindRun(module);
    BindFiles(module);
    BindViews(module);
    BindPolicies(module);
    BindEpisode(module);
}
