/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Random runs for as long as one likes. See --help, and stress-case.h.

#include "stress-case.h"

#include <cstdlib>
#include <fstream>
#include <iostream>
#include <map>
#include <string>
#include <sys/resource.h>

using namespace ns3::coflow::test;

namespace
{

constexpr const char* HELP =
    "coflow-stress: random coflow runs in which processes die and return, and messages are lost;\n"
    "every coflow has to finish.\n\n"
    "  --seed=N          the first seed; default 1. Without --seeds and --cpu, this one alone\n"
    "  --seeds=N         number of seeds\n"
    "  --cpu=SECONDS     go on until so much CPU time is used\n"
    "  --scheduler=NAME  under this scheduler; default: any\n"
    "  --case=FILE       run the case of a file, as --describe prints it\n"
    "  --limit=SECONDS   a run that takes more CPU time has no end; default 60\n"
    "  --here            run in this process, for a debugger\n"
    "  --describe        tell what would be run, and do not run it\n\n"
    "Status: 0 all is well, 1 something is wrong, 2 bad usage.\n";

double
UsedCpuSeconds()
{
    double seconds = 0;
    for (const int who : {RUSAGE_SELF, RUSAGE_CHILDREN})
    {
        rusage usage{};
        ::getrusage(who, &usage);
        for (const auto& time : {usage.ru_utime, usage.ru_stime})
        {
            seconds += static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
        }
    }
    return seconds;
}

} // namespace

int
main(int argc, char* argv[])
{
    std::map<std::string, std::string> options;
    for (int i = 1; i < argc; ++i)
    {
        const std::string argument = argv[i];
        const auto equals = argument.find('=');
        const auto name = argument.substr(0, equals);
        const bool flag = name == "--describe" || name == "--help" || name == "--here";
        const bool known = flag || name == "--seed" || name == "--seeds" || name == "--cpu" ||
                           name == "--scheduler" || name == "--limit" || name == "--case";
        if (!known || flag != (equals == std::string::npos))
        {
            std::cerr << "coflow-stress: option " << argument << " is not known; see --help\n";
            return 2;
        }
        options[name] = flag ? "" : argument.substr(equals + 1);
    }
    if (options.count("--help") > 0)
    {
        std::cout << HELP;
        return 0;
    }
    const auto number = [&options](const std::string& name, unsigned long long otherwise) {
        return options.count(name) > 0 ? std::strtoull(options.at(name).c_str(), nullptr, 10)
                                       : otherwise;
    };
    const uint64_t first = number("--seed", 1);
    const double cpu = static_cast<double>(number("--cpu", 0));
    const uint64_t count = number("--seeds", cpu > 0 ? UINT64_MAX - first : 1);
    const auto limit = static_cast<unsigned>(number("--limit", 60));
    if (options.count("--case") > 0)
    {
        std::ifstream file(options["--case"]);
        const auto stress = ReadStressCase(file, options["--case"]);
        const auto wrong =
            options.count("--here") > 0 ? RunStressCase(stress) : RunStressCaseApart(stress, limit);
        std::cout << wrong;
        return wrong.empty() ? 0 : 1;
    }
    uint64_t run = 0;
    uint64_t failed = 0;
    for (uint64_t seed = first; seed < first + count; ++seed)
    {
        const auto stress = MakeStressCase(seed, options["--scheduler"]);
        if (options.count("--describe") > 0)
        {
            std::cout << stress.Describe();
            continue;
        }
        const auto wrong =
            options.count("--here") > 0 ? RunStressCase(stress) : RunStressCaseApart(stress, limit);
        ++run;
        if (!wrong.empty())
        {
            ++failed;
            std::cout << GetStressCommand(seed, options["--scheduler"]) << "  # "
                      << stress.config.scheduler << "\n"
                      << wrong << std::flush;
        }
        if (cpu > 0 && UsedCpuSeconds() >= cpu)
        {
            break;
        }
    }
    if (options.count("--describe") == 0)
    {
        std::cout << run << " runs from seed " << first << " on, " << failed << " with errors, "
                  << UsedCpuSeconds() << " s CPU\n";
    }
    return failed > 0 ? 1 : 0;
}
