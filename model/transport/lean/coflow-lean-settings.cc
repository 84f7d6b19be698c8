/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-lean-settings.h"

#include "ns3/boolean.h"
#include "ns3/coflow-error.h"
#include "ns3/coflow-tcp-socket.h"
#include "ns3/double.h"
#include "ns3/pointer.h"
#include "ns3/rtt-estimator.h"
#include "ns3/uinteger.h"

#include <string>

namespace ns3::coflow
{

namespace
{

/// @return the value of an attribute
template <typename Value>
auto
Get(const ObjectBase& object, const std::string& name)
{
    Value value;
    object.GetAttribute(name, value);
    return value.Get();
}

} // namespace

std::string
LeanSettings::GetMissing(Ptr<const TcpCongestionOps> control)
{
    if (control->HasCongControl())
    {
        return "the congestion control " + control->GetInstanceTypeId().GetName() +
               " wants samples of the delivery rate, which lean connections do not take; allowed: "
               "--hostStack=ns3, or another --congestionOps";
    }
    if (CreateObject<TcpSocketState>()->m_pacing)
    {
        return "ns3::TcpSocketState::EnablePacing is true, and lean connections do not pace; "
               "allowed: --hostStack=ns3, or false";
    }
    return "";
}

LeanSettings
LeanSettings::Of(const CoflowTcpSocket& socket, Ptr<TcpRecoveryOps> recoveryOps, Time rtt)
{
    LeanSettings settings;
    settings.segmentBytes = Get<UintegerValue>(socket, "SegmentSize");
    settings.sendBuffer = Get<UintegerValue>(socket, "SndBufSize");
    settings.receiveBuffer = Get<UintegerValue>(socket, "RcvBufSize");
    settings.maxWindowField = Get<UintegerValue>(socket, "MaxWindowSize");
    settings.initialWindow = Get<UintegerValue>(socket, "InitialCwnd");
    settings.slowStart = Get<UintegerValue>(socket, "InitialSlowStartThreshold");
    settings.duplicates = Get<UintegerValue>(socket, "ReTxThreshold");
    settings.synRetries = Get<UintegerValue>(socket, "ConnCount");
    settings.dataRetries = Get<UintegerValue>(socket, "DataRetries");
    settings.probeAfter = Get<UintegerValue>(socket, "ProbeAfter");
    settings.delayedAckCount = Get<UintegerValue>(socket, "DelAckCount");
    settings.delayedAckTimeout = Get<TimeValue>(socket, "DelAckTimeout");
    settings.minRto = Get<TimeValue>(socket, "MinRto");
    settings.maxRto = Get<TimeValue>(socket, "MaxRto");
    settings.granularity = Get<TimeValue>(socket, "ClockGranularity");
    settings.connectTimeout = Get<TimeValue>(socket, "ConnTimeout");
    settings.persistTimeout = Get<TimeValue>(socket, "PersistTimeout");
    settings.timeWait = Seconds(2 * Get<DoubleValue>(socket, "MaxSegLifetime"));
    settings.sack = Get<BooleanValue>(socket, "Sack");
    settings.timestamps = Get<BooleanValue>(socket, "Timestamp");
    settings.windowScaling = Get<BooleanValue>(socket, "WindowScaling");
    settings.noDelay = Get<BooleanValue>(socket, "TcpNoDelay");
    settings.limitedTransmit = Get<BooleanValue>(socket, "LimitedTransmit");
    settings.undoTimeouts = Get<BooleanValue>(socket, "UndoTimeouts");
    settings.ecn = socket.GetUseEcn();
    const auto estimator = CreateObject<RttMeanDeviation>();
    settings.initialRtt = rtt;
    settings.rttGain = Get<DoubleValue>(*estimator, "Alpha");
    settings.variationGain = Get<DoubleValue>(*estimator, "Beta");

    PointerValue control;
    socket.GetAttribute("CongestionOps", control);
    const Ptr<TcpCongestionOps> model = control.Get<TcpCongestionOps>();
    if (const std::string missing = GetMissing(model); !missing.empty())
    {
        throw ::coflow::InputError(missing);
    }
    settings.congestionControls.emplace(model);
    settings.recovery = recoveryOps;
    settings.state = CreateObject<TcpSocketState>();
    settings.state->m_segmentSize = settings.segmentBytes;
    settings.state->m_initialCWnd = settings.initialWindow;
    settings.state->m_initialSsThresh = settings.slowStart;
    settings.state->m_useEcn = settings.ecn;
    const auto inUse = settings.congestionControls->Create();
    settings.needs = CongestionControlNeeds::Of(inUse->GetInstanceTypeId());
    const auto state = CopyObject(settings.state);
    inUse->Init(state);
    settings.marksAll = state->m_ecnMode == TcpSocketState::DctcpEcn;
    settings.ectCodePoint = state->m_ectCodePoint;
    return settings;
}

} // namespace ns3::coflow
