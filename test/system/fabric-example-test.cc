/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// The nodes fabric is made of ordinary ns-3 nodes and devices: pcap and NetAnim work.

#include "coflow-program.h"

#include <cstdint>
#include <cstring>

using namespace coflow::test;

namespace
{

class FabricExample : public ProgramTest
{
};

/// The number of packets in a pcap file, by its records' own lengths; fails if it is malformed.
int
CountPcapPackets(const std::string& file)
{
    constexpr std::size_t FILE_HEADER = 24;
    constexpr std::size_t RECORD_HEADER = 16;
    EXPECT_GE(file.size(), FILE_HEADER);
    std::uint32_t magic = 0;
    std::memcpy(&magic, file.data(), sizeof(magic));
    EXPECT_TRUE(magic == 0xa1b2c3d4 || magic == 0xa1b23c4d) << std::hex << magic;
    int packets = 0;
    std::size_t at = FILE_HEADER;
    while (at + RECORD_HEADER <= file.size())
    {
        std::uint32_t length = 0;
        std::memcpy(&length, file.data() + at + 8, sizeof(length));
        at += RECORD_HEADER + length;
        ++packets;
    }
    EXPECT_EQ(at, file.size());
    return packets;
}

} // namespace

TEST_F(FabricExample, WritesPcapAndAnimation)
{
    const auto prefix = (m_folder / "trace").string();
    const auto animation = (m_folder / "fabric.xml").string();
    const auto run =
        Run("coflow-fabric", "--megabytes=1 --pcap=" + prefix + " --netanim=" + animation);
    ASSERT_EQ(run.status, 0) << run.err;
    EXPECT_NE(run.out.find("1000000 bytes in"), std::string::npos) << run.out;
    // The first host sends all segments, and sees their acknowledgements.
    EXPECT_GT(CountPcapPackets(ReadFile(prefix + "-0-1.pcap")), 1'000'000 / 1448);
    EXPECT_NE(ReadFile(animation).find("</anim>"), std::string::npos);
}
