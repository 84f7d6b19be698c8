/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-topology.h"

#include "ns3/boolean.h"
#include "ns3/coflow-attribute-spec.h"
#include "ns3/coflow-error.h"
#include "ns3/coflow-quantity.h"
#include "ns3/coflow-text.h"
#include "ns3/log.h"
#include "ns3/string.h"
#include "ns3/trace-source-accessor.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

namespace ns3::coflow
{

NS_LOG_COMPONENT_DEFINE("CoflowTopology");
NS_OBJECT_ENSURE_REGISTERED(Topology);

namespace
{

constexpr double FASTEST_LINK = 1e15; // bit/s

} // namespace

TypeId
Topology::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::coflow::Topology")
            .SetParent<Object>()
            .SetGroupName("Coflow")
            .AddAttribute(
                "LinkRate",
                "Rate of the links between hosts and switches",
                DataRateValue(DataRate("1Gbps")),
                MakeDataRateAccessor(&Topology::m_linkRate),
                Declared(MakeDataRateChecker(),
                         {"linkRate", ::coflow::Unit::BITS_PER_SECOND, 1e9, 1, FASTEST_LINK, ""}))
            .AddAttribute("FabricLinkRate",
                          "Rate of the links between switches; 0bps: the same as LinkRate",
                          DataRateValue(DataRate(0)),
                          MakeDataRateAccessor(&Topology::m_fabricLinkRate),
                          MakeDataRateChecker())
            .AddAttribute("LinkDelay",
                          "Propagation delay of every link",
                          TimeValue(MicroSeconds(1)),
                          MakeTimeAccessor(&Topology::m_linkDelay),
                          MakeTimeChecker(Time(0)))
            .AddAttribute(
                "HostRates",
                "Hosts with another link rate than LinkRate, such as '0=10Gbps,5=400Mbps'",
                StringValue(""),
                MakeStringAccessor(&Topology::m_hostRates),
                MakeStringChecker())
            .AddAttribute("FailedLinks",
                          "Links that are down from the start, each named by its two ends, such "
                          "as 'edge0-agg1,agg3-core2'",
                          StringValue(""),
                          MakeStringAccessor(&Topology::m_failedLinks),
                          MakeStringChecker())
            .AddAttribute("PacketSpraying",
                          "Whether switches choose among equal paths for each packet instead of "
                          "each flow; this reorders packets",
                          BooleanValue(false),
                          MakeBooleanAccessor(&Topology::m_spraying),
                          MakeBooleanChecker())
            .AddAttribute("FlowletTimeout",
                          "A switch chooses again among equal paths after a gap of this length in "
                          "the packets of a flow (flowlets); 0: never. LetFlow has 500 us",
                          TimeValue(Time()),
                          MakeTimeAccessor(&Topology::m_flowletTimeout),
                          MakeTimeChecker(Time()))
            .AddAttribute(
                "EcmpSalt",
                "Whether each switch mixes another random number into the hash of a flow. Without "
                "these numbers, all switches choose alike and most paths stay empty",
                BooleanValue(true),
                MakeBooleanAccessor(&Topology::m_salted),
                MakeBooleanChecker())
            .AddTraceSource("PortChange",
                            "A port failed, recovered or changed its rate",
                            MakeTraceSourceAccessor(&Topology::m_portChangeTrace),
                            "ns3::coflow::Topology::PortTracedCallback");
    return tid;
}

Topology::Topology()
    : m_random(CreateObject<UniformRandomVariable>())
{
    NS_LOG_FUNCTION(this);
}

void
Topology::DoDispose()
{
    NS_LOG_FUNCTION(this);
    m_random = nullptr;
    Object::DoDispose();
}

void
Topology::Build()
{
    NS_LOG_FUNCTION(this);
    if (m_built)
    {
        return;
    }
    if (m_linkRate.GetBitRate() == 0)
    {
        Reject("LinkRate", "0bps", "a rate above 0");
    }
    if (m_spraying && m_flowletTimeout.IsStrictlyPositive())
    {
        Reject("FlowletTimeout",
               std::to_string(m_flowletTimeout.GetNanoSeconds()) + "ns",
               "0 with PacketSpraying, which leaves no flowlets");
    }
    DoBuild();
    DrawSalts();
    ApplyHostRates();
    ApplyOversubscription();
    ApplyFailedLinks();
    m_built = true;
}

void
Topology::AddHosts(uint32_t count)
{
    NS_ASSERT_MSG(m_salts.empty(), "hosts come first");
    m_nHosts = count;
    AddSwitches("host", count);
}

VertexId
Topology::AddSwitches(const std::string& tier, uint32_t count)
{
    const VertexId first = GetNVertices();
    m_tiers.push_back({tier, first, count});
    m_salts.resize(first + count);
    return first;
}

void
Topology::AddLink(VertexId a, VertexId b)
{
    NS_ASSERT_MSG(m_ports.size() >= 2 * std::size_t{m_nHosts} || a == m_ports.size() / 2,
                  "links of hosts come first, in order of the hosts");
    const bool ofHost = IsHost(a);
    const DataRate rate =
        ofHost || m_fabricLinkRate.GetBitRate() == 0 ? m_linkRate : m_fabricLinkRate;
    m_ports.push_back({a, b, rate, m_linkDelay, true});
    m_ports.push_back({b, a, rate, m_linkDelay, true});
}

void
Topology::AddHostLinks(VertexId first, uint32_t switches)
{
    for (HostId host = 0; host < m_nHosts; ++host)
    {
        AddLink(host, first + static_cast<uint32_t>(uint64_t{host} * switches / m_nHosts));
    }
}

void
Topology::DrawSalts()
{
    for (VertexId vertex = m_nHosts; vertex < GetNVertices(); ++vertex)
    {
        const uint64_t high = m_random->GetInteger(0, UINT32_MAX);
        const uint64_t low = m_random->GetInteger(0, UINT32_MAX);
        m_salts[vertex] = m_salted ? (high << 32) | low : 0;
    }
}

int64_t
Topology::AssignStreams(int64_t stream)
{
    NS_LOG_FUNCTION(this << stream);
    m_random->SetStream(stream);
    if (m_built)
    {
        DrawSalts();
    }
    return 1;
}

void
Topology::Reject(const std::string& attribute,
                 const std::string& value,
                 const std::string& allowed) const
{
    throw ::coflow::InputError(GetInstanceTypeId().GetName() + "::" + attribute + " is '" + value +
                               "'; allowed: " + allowed);
}

void
Topology::CheckRange(const std::string& attribute,
                     uint64_t value,
                     uint64_t lowest,
                     uint64_t highest) const
{
    if (value < lowest || value > highest)
    {
        Reject(attribute,
               std::to_string(value),
               std::to_string(lowest) + " to " + std::to_string(highest));
    }
}

void
Topology::ApplyHostRates()
{
    if (m_hostRates.empty())
    {
        return;
    }
    std::set<HostId> hosts;
    for (const std::string& part : ::coflow::SplitText(m_hostRates, ','))
    {
        const auto equals = part.find('=');
        const auto number = ::coflow::ParseUnsigned(std::string_view(part).substr(0, equals));
        std::optional<double> rate;
        if (equals != std::string::npos)
        {
            rate =
                ::coflow::ParseQuantity(part.substr(equals + 1), ::coflow::Unit::BITS_PER_SECOND);
        }
        if (!rate || !(*rate >= 1 && *rate <= FASTEST_LINK) || *rate != std::trunc(*rate) ||
            !number || *number >= m_nHosts)
        {
            Reject("HostRates",
                   part,
                   "HOST=RATE with a host from 0 to " + std::to_string(m_nHosts - 1) +
                       " and a rate above 0 with its unit, such as 0=10Gbps");
        }
        const auto host = static_cast<HostId>(*number);
        if (!hosts.insert(host).second)
        {
            Reject("HostRates", part, "each host once");
        }
        const DataRate whole(static_cast<uint64_t>(*rate));
        m_ports[GetUplink(host)].rate = whole;
        m_ports[GetDownlink(host)].rate = whole;
    }
}

void
Topology::Oversubscribe(double ratio)
{
    constexpr double LEAST = 1e-3;
    constexpr double MOST = 1e6;
    if (ratio != 0 && !(ratio >= LEAST && ratio <= MOST))
    {
        Reject("Oversubscription",
               ::coflow::FormatNumber(ratio),
               "0 for what the rates give, or a ratio from 0.001 to 1e+06");
    }
    if (ratio != 0 && m_fabricLinkRate.GetBitRate() != 0)
    {
        Reject("Oversubscription",
               ::coflow::FormatNumber(ratio),
               "one of Oversubscription and FabricLinkRate, which says the same");
    }
    m_oversubscription = ratio;
}

double
Topology::GetOversubscription() const
{
    std::vector<double> in(GetNVertices() - m_nHosts);
    std::vector<double> out(in.size());
    for (const TopologyPort& port : m_ports)
    {
        if (!IsHost(port.to))
        {
            auto& sum = IsHost(port.from) ? in[port.to - m_nHosts] : out[port.to - m_nHosts];
            sum += static_cast<double>(port.rate.GetBitRate());
        }
    }
    double most = 0;
    for (std::size_t i = 0; i < in.size(); ++i)
    {
        most = out[i] > 0 ? std::max(most, in[i] / out[i]) : most;
    }
    return most;
}

void
Topology::ApplyOversubscription()
{
    if (m_oversubscription == 0)
    {
        return;
    }
    // The ratio where all links between switches have the rate of the links of hosts. The ratio is
    // inversely proportional to the rate of the links between switches.
    const double ratio = GetOversubscription();
    const double rate = static_cast<double>(m_linkRate.GetBitRate()) * ratio / m_oversubscription;
    const DataRate rounded(static_cast<uint64_t>(std::max(1.0, std::round(rate))));
    for (std::size_t port = 2 * std::size_t{m_nHosts}; port < m_ports.size(); ++port)
    {
        m_ports[port].rate = rounded;
    }
}

void
Topology::ApplyFailedLinks()
{
    if (m_failedLinks.empty())
    {
        return;
    }
    std::set<std::string> failed;
    for (const std::string& part : ::coflow::SplitText(m_failedLinks, ','))
    {
        if (!failed.insert(part).second)
        {
            Reject("FailedLinks", part, "each link once");
        }
        const auto dash = part.find('-');
        if (dash == std::string::npos)
        {
            Reject("FailedLinks",
                   part,
                   "two neighbours, such as " + GetVertexName(0) + "-" +
                       GetVertexName(GetHostSwitch(0)));
        }
        FailLink(FindVertex(part.substr(0, dash)), FindVertex(part.substr(dash + 1)));
    }
}

std::string
Topology::GetVertexName(VertexId vertex) const
{
    NS_ASSERT(vertex < GetNVertices());
    const auto tier =
        std::prev(std::ranges::upper_bound(m_tiers, vertex, {}, &TopologyTier::first));
    return tier->name + std::to_string(vertex - tier->first);
}

std::string
Topology::GetPortName(LinkPort port) const
{
    return GetVertexName(m_ports[port].from) + "->" + GetVertexName(m_ports[port].to);
}

VertexId
Topology::FindVertex(const std::string& name) const
{
    std::string allowed;
    for (const TopologyTier& tier : m_tiers)
    {
        const auto number =
            name.starts_with(tier.name)
                ? ::coflow::ParseUnsigned(name.substr(tier.name.size())).value_or(tier.count)
                : tier.count;
        if (number < tier.count)
        {
            return tier.first + static_cast<uint32_t>(number);
        }
        allowed += (allowed.empty() ? "" : ", ") + tier.name + "0 to " + tier.name +
                   std::to_string(tier.count - 1);
    }
    throw ::coflow::InputError(GetInstanceTypeId().GetName() + " has no '" + name +
                               "'; allowed: " + allowed);
}

LinkPort
Topology::FindPort(VertexId from, VertexId to) const
{
    const auto port = std::ranges::find_if(m_ports, [from, to](const TopologyPort& p) {
        return p.from == from && p.to == to;
    });
    if (port == m_ports.end())
    {
        const auto name = [this](VertexId v) {
            return v < GetNVertices() ? GetVertexName(v) : std::to_string(v);
        };
        throw ::coflow::InputError(GetInstanceTypeId().GetName() + " has no link '" + name(from) +
                                   "-" + name(to) + "'; allowed: two neighbours, such as " +
                                   GetVertexName(0) + "-" + GetVertexName(GetHostSwitch(0)));
    }
    return static_cast<LinkPort>(port - m_ports.begin());
}

uint32_t
Topology::Path(HostId src,
               HostId dst,
               uint64_t hash,
               std::span<LinkPort, MAX_PATH_PORTS> path) const
{
    uint32_t hops = 0;
    for (VertexId vertex = src; vertex != dst; vertex = m_ports[path[hops++]].to)
    {
        NS_ASSERT(hops < MAX_PATH_PORTS);
        const LinkPort port = NextPort(vertex, dst, hash);
        if (port == NO_PORT)
        {
            return 0;
        }
        path[hops] = port;
    }
    return hops;
}

LinkPort
Topology::ChooseUsablePort(PortRange ports, VertexId vertex, HostId dst, uint64_t hash) const
{
    uint32_t usable = 0;
    for (uint32_t i = 0; i < ports.count; ++i)
    {
        usable += IsUsable(ports[i], dst);
    }
    if (usable == 0)
    {
        return NO_PORT;
    }
    uint32_t skip = ChooseIndex(usable, vertex, hash);
    for (uint32_t i = 0;; ++i)
    {
        if (IsUsable(ports[i], dst) && skip-- == 0)
        {
            return ports[i];
        }
    }
}

bool
Topology::IsUsable(LinkPort port, HostId dst) const
{
    const TopologyPort& p = m_ports[port];
    return p.up && (p.to == dst || IsReachable(p.to, dst));
}

bool
Topology::IsReachable(VertexId vertex, HostId dst) const
{
    Reachability& known = m_reachability[std::size_t{vertex - m_nHosts} * m_nHosts + dst];
    if (known == Reachability::UNKNOWN)
    {
        // The distance to the host decreases with every call, so the recursion ends at the host.
        const PortRange ports = GetEqualCostPorts(vertex, dst);
        bool reachable = false;
        for (uint32_t i = 0; i < ports.count && !reachable; ++i)
        {
            reachable = IsUsable(ports[i], dst);
        }
        known = reachable ? Reachability::YES : Reachability::NO;
    }
    return known == Reachability::YES;
}

void
Topology::FailLink(VertexId a, VertexId b)
{
    NS_LOG_FUNCTION(this << a << b);
    SetLinkState(a, b, false);
}

void
Topology::RestoreLink(VertexId a, VertexId b)
{
    NS_LOG_FUNCTION(this << a << b);
    SetLinkState(a, b, true);
}

void
Topology::SetLinkState(VertexId a, VertexId b, bool up)
{
    const LinkPort port = FindPort(a, b);
    if (m_ports[port].up == up)
    {
        return;
    }
    m_ports[port].up = up;
    m_ports[GetReverse(port)].up = up;
    m_nFailedLinks += up ? -1 : 1;
    m_reachability.assign(m_nFailedLinks == 0 ? 0
                                              : std::size_t{GetNVertices() - m_nHosts} * m_nHosts,
                          Reachability::UNKNOWN);
    m_portChangeTrace(port);
    m_portChangeTrace(GetReverse(port));
}

void
Topology::SetLinkRate(VertexId a, VertexId b, DataRate rate)
{
    NS_LOG_FUNCTION(this << a << b << rate);
    const LinkPort port = FindPort(a, b);
    if (rate.GetBitRate() == 0)
    {
        throw ::coflow::InputError("the rate of link '" + GetVertexName(a) + "-" +
                                   GetVertexName(b) + "' is 0; allowed: a rate above 0");
    }
    for (LinkPort p : {port, GetReverse(port)})
    {
        m_ports[p].rate = rate;
        m_portChangeTrace(p);
    }
}

} // namespace ns3::coflow
