/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-graviton.h"

#include "ns3/coflow-policy-registry.h"

namespace coflow
{

namespace
{

const auto REGISTRATION = RegisterPolicy<Graviton>(
    "graviton",
    "Aalo's queues; thin coflows first in high queues, wide coflows first in low queues",
    Graviton::Specs());

} // namespace

std::vector<ParameterSpec>
Graviton::Specs()
{
    std::vector<ParameterSpec> specs = DclasPolicy::Specs(7, 0.1);
    specs.push_back(
        ParameterSpec{"fifoQueues",
                      Unit::COUNT,
                      1,
                      0,
                      100,
                      "number of lowest queues, in which the coflow that came first goes first",
                      "Graviton, table 1"});
    specs.push_back(ParameterSpec{"wideQueues",
                                  Unit::COUNT,
                                  2,
                                  0,
                                  100,
                                  "number of queues above those, in which the widest coflow goes "
                                  "first; in all higher queues the thinnest does",
                                  "Graviton, table 1"});
    specs.push_back(ParameterSpec::Flag("allOrNone",
                                        true,
                                        "serve a coflow only if all its receivers have rate left",
                                        "Graviton, section 4"));
    return specs;
}

double
Graviton::KeyOf(int queue, std::uint32_t width) const
{
    const int fromBelow = Queues() - 1 - queue;
    if (fromBelow < m_fifoQueues)
    {
        return 0;
    }
    return fromBelow < m_fifoQueues + m_wideQueues ? -static_cast<double>(width) : width;
}

} // namespace coflow
