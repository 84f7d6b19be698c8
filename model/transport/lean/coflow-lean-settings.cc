/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-lean-settings.h"

#include "ns3/boolean.h"
#include "ns3/coflow-error.h"
#include "ns3/coflow-tcp-socket.h"
#include "ns3/double.h"
#include "ns3/enum.h"
#include "ns3/pointer.h"
#include "ns3/rtt-estimator.h"
#include "ns3/uinteger.h"

#include <string>

namespace ns3::coflow
{

namespace
{

uint32_t
GetCount(const ObjectBase& object, const std::string& name)
{
    UintegerValue value;
    object.GetAttribute(name, value);
    return static_cast<uint32_t>(value.Get());
}

bool
GetFlag(const ObjectBase& object, const std::string& name)
{
    BooleanValue value;
    object.GetAttribute(name, value);
    return value.Get();
}

Time
GetTime(const ObjectBase& object, const std::string& name)
{
    TimeValue value;
    object.GetAttribute(name, value);
    return value.Get();
}

double
GetNumber(const ObjectBase& object, const std::string& name)
{
    DoubleValue value;
    object.GetAttribute(name, value);
    return value.Get();
}

} // namespace

LeanSettings
LeanSettings::Of(const CoflowTcpSocket& socket, Ptr<TcpRecoveryOps> recoveryOps, Time rtt)
{
    LeanSettings settings;
    settings.segmentBytes = GetCount(socket, "SegmentSize");
    settings.sendBuffer = GetCount(socket, "SndBufSize");
    settings.receiveBuffer = GetCount(socket, "RcvBufSize");
    settings.maxWindowField = GetCount(socket, "MaxWindowSize");
    settings.initialWindow = GetCount(socket, "InitialCwnd");
    settings.slowStart = GetCount(socket, "InitialSlowStartThreshold");
    settings.duplicates = GetCount(socket, "ReTxThreshold");
    settings.synRetries = GetCount(socket, "ConnCount");
    settings.dataRetries = GetCount(socket, "DataRetries");
    settings.probeAfter = GetCount(socket, "ProbeAfter");
    settings.delayedAckCount = GetCount(socket, "DelAckCount");
    settings.delayedAckTimeout = GetTime(socket, "DelAckTimeout");
    settings.minRto = GetTime(socket, "MinRto");
    settings.maxRto = GetTime(socket, "MaxRto");
    settings.granularity = GetTime(socket, "ClockGranularity");
    settings.connectTimeout = GetTime(socket, "ConnTimeout");
    settings.persistTimeout = GetTime(socket, "PersistTimeout");
    settings.timeWait = Seconds(2 * GetNumber(socket, "MaxSegLifetime"));
    settings.sack = GetFlag(socket, "Sack");
    settings.timestamps = GetFlag(socket, "Timestamp");
    settings.windowScaling = GetFlag(socket, "WindowScaling");
    settings.noDelay = GetFlag(socket, "TcpNoDelay");
    settings.limitedTransmit = GetFlag(socket, "LimitedTransmit");
    settings.undoTimeouts = GetFlag(socket, "UndoTimeouts");
    settings.ecn = socket.GetUseEcn();
    const auto estimator = CreateObject<RttMeanDeviation>();
    settings.initialRtt = rtt;
    settings.rttGain = GetNumber(*estimator, "Alpha");
    settings.variationGain = GetNumber(*estimator, "Beta");

    PointerValue control;
    socket.GetAttribute("CongestionOps", control);
    const Ptr<TcpCongestionOps> model = control.Get<TcpCongestionOps>();
    if (model->HasCongControl())
    {
        throw ::coflow::InputError(
            "the congestion control " + model->GetInstanceTypeId().GetName() +
            " wants samples of the delivery rate, which lean connections do "
            "not take; allowed: --hostStack=ns3, or another --congestionOps");
    }
    settings.congestionControls.emplace(model);
    settings.recovery = recoveryOps;
    settings.state = CreateObject<TcpSocketState>();
    settings.state->m_segmentSize = settings.segmentBytes;
    settings.state->m_initialCWnd = settings.initialWindow;
    settings.state->m_initialSsThresh = settings.slowStart;
    settings.state->m_pacingRate = settings.state->m_maxPacingRate;
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
