/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-process-cost.h"

#include <chrono>
#include <sys/resource.h>

namespace ns3::coflow
{

ProcessCost
ProcessCost::Now()
{
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    const auto seconds = [](const timeval& time) {
        return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
    };
#ifdef __APPLE__
    constexpr uint64_t UNIT = 1;
#else
    constexpr uint64_t UNIT = 1024;
#endif
    using namespace std::chrono;
    return {.cpuSeconds = seconds(usage.ru_utime) + seconds(usage.ru_stime),
            .wallSeconds = duration<double>(steady_clock::now().time_since_epoch()).count(),
            .peakMemoryBytes = static_cast<uint64_t>(usage.ru_maxrss) * UNIT};
}

} // namespace ns3::coflow
