/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-clairvoyant-daemon.h"

#include "ns3/coflow-attribute-spec.h"
#include "ns3/coflow-control-parameters.h"
#include "ns3/double.h"

namespace ns3::coflow
{

NS_OBJECT_ENSURE_REGISTERED(ClairvoyantDaemon);

TypeId
ClairvoyantDaemon::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::coflow::ClairvoyantDaemon")
            .SetParent<CentralDaemon>()
            .SetGroupName("Coflow")
            .AddConstructor<ClairvoyantDaemon>()
            .AddAttribute("BypassBytes",
                          ::coflow::BypassBytesSpec().help,
                          DoubleValue(::coflow::BypassBytesSpec().defaultValue),
                          MakeDoubleAccessor(&ClairvoyantDaemon::m_bypassBytes),
                          Declared(MakeDoubleChecker<double>(0), ::coflow::BypassBytesSpec()));
    return tid;
}

void
ClairvoyantDaemon::SetSizeAccess(const SizeAccess& sizes)
{
    m_sizes = sizes;
}

bool
ClairvoyantDaemon::Bypasses(const CoflowOptions& options) const
{
    return options.bottleneckBytes &&
           static_cast<double>(m_sizes.value().Read(*options.bottleneckBytes)) < m_bypassBytes;
}

std::optional<uint64_t>
ClairvoyantDaemon::GetSizeToReport(OpaqueSize size) const
{
    return m_sizes.value().Read(size);
}

} // namespace ns3::coflow
