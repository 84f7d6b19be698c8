/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// What NS_LOG tells of flows.

#include "transport-fixture.h"

#include "ns3/log.h"

#include <iostream>
#include <sstream>
#include <string>

using namespace ns3;
using namespace ns3::coflow;
using ns3::coflow::test::Star;

namespace
{

/// What a component logs at level info in its lifetime.
class Log
{
  public:
    explicit Log(const std::string& component)
        : m_component(component),
          m_before(std::clog.rdbuf(m_text.rdbuf()))
    {
        LogComponentEnable(m_component, LOG_LEVEL_INFO);
    }

    ~Log()
    {
        LogComponentDisable(m_component, LOG_LEVEL_INFO);
        std::clog.rdbuf(m_before);
    }

    /// @return whether it has a line that contains a text
    bool Has(const std::string& text) const
    {
        return m_text.str().find(text) != std::string::npos;
    }

  private:
    std::string m_component;
    std::ostringstream m_text;
    std::streambuf* m_before;
};

} // namespace

TEST(TransportLog, TellsOfAFlow)
{
#ifndef NS3_LOG_ENABLE
    GTEST_SKIP() << "this ns-3 was built without logs";
#endif
    Log source("CoflowSource");
    Star star({});
    star.Start(0, 1, 7, 100'000, RateLimit::Rate(DataRate("100Mbps")));
    star.Run(MilliSeconds(1));
    star.sources[0]->SetRateLimit({1, 7}, RateLimit::Paused());
    star.Run(MilliSeconds(2));
    star.sources[0]->SetRateLimit({1, 7}, RateLimit::Unlimited());
    star.Run(MilliSeconds(50));
    EXPECT_TRUE(source.Has("flow 1/7 started: 100000 bytes to 10.0.1.1, 100000000bps"));
    EXPECT_TRUE(source.Has("flow 1/7 may send: paused, before: 100000000bps"));
    EXPECT_TRUE(source.Has("flow 1/7 may send: unlimited, before: paused"));
    EXPECT_TRUE(source.Has("flow 1/7 sent: last of 100000 bytes acknowledged"));
}

TEST(TransportLog, TellsOfTheOtherEnd)
{
#ifndef NS3_LOG_ENABLE
    GTEST_SKIP() << "this ns-3 was built without logs";
#endif
    Log sink("CoflowSink");
    Star star({});
    star.Start(0, 1, 7, 100'000);
    star.Run(MilliSeconds(50));
    EXPECT_TRUE(sink.Has("flow 1/7 finished: 100000 bytes"));
}
