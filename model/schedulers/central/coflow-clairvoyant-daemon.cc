/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-clairvoyant-daemon.h"

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
                          "Coflows that put fewer bytes than this on every port bypass the "
                          "scheduler: they are plain TCP from the start, where their driver knows "
                          "that (Varys, section 5.3); 0: none does. Schedulers that must not know "
                          "sizes have no bypass",
                          DoubleValue(25e6),
                          MakeDoubleAccessor(&ClairvoyantDaemon::m_bypassBytes),
                          MakeDoubleChecker<double>(0));
    return tid;
}

ClairvoyantDaemon::ClairvoyantDaemon()
{
}

ClairvoyantDaemon::~ClairvoyantDaemon()
{
}

void
ClairvoyantDaemon::SetSizeKnowledge(const SizeKnowledge& sizes)
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
ClairvoyantDaemon::TellSize(SealedBytes size) const
{
    return m_sizes.value().Read(size);
}

} // namespace ns3::coflow
