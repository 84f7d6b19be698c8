/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// A flow that the network slows down, while its coordinator counts it as sent at its rate.

#include "coflow-program.h"
#include "policy-names.h"

#include <fstream>
#include <sstream>
#include <string>

using namespace coflow::test;

using OverdueFlows = ProgramTest;

// One link of 20 Mbps between two racks. While coflow 2 has the port of host 3, flow 0 of coflow 1
// is granted the whole port of host 0, and the link carries 2.5 MB/s of it. When coflow 2 ends, the
// coordinator takes flow 0 for sent, and gives flow 1 nearly the whole port of host 0. Flow 1 ends,
// and no coflow arrives or ends after that. The link needs 2 s for the 5 MB of flow 0.
TEST_F(OverdueFlows, GetANewRateWhenTheirCoflowShouldHaveEnded)
{
    const auto trace = m_folder / "lag.csv";
    std::ofstream(trace) << "# hosts=8\n"
                            "coflow_id,arrival_s,src,dst,bytes\n"
                            "1,0,0,4,5000000\n"
                            "1,0,0,3,100000000\n"
                            "2,0,1,3,12500000\n";
    for (const auto& scheduler : PolicyNamesWith("pooledLeftovers"))
    {
        const auto run = Run("coflow-replay",
                             "--trace=" + trace.string() +
                                 " --topology=leaf-spine --leaves=2 --hostsPerLeaf=4 --spines=1 "
                                 "--fabricLinkRate=20Mbps --bypassBytes=0 --scheduler=" +
                                 scheduler + " --flows --out=" + (m_folder / scheduler).string());
        ASSERT_EQ(run.status, 0) << run.err;
        std::istringstream flows(ReadFile(m_folder / scheduler / "flows.csv"));
        std::string line;
        std::getline(flows, line); // names of columns
        std::getline(flows, line);
        ASSERT_TRUE(line.starts_with("1,0,0,4,5000000,")) << line;
        const auto fct = line.substr(0, line.rfind(','));
        EXPECT_LT(std::stod(fct.substr(fct.rfind(',') + 1)), 5) << scheduler;
    }
}
