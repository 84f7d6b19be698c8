/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-main.h"

#include "ns3/coflow-error.h"
#include "ns3/coflow-output-file.h"

#include <exception>
#include <filesystem>
#include <iostream>

namespace ns3::coflow
{

namespace
{

constexpr int BAD_USAGE = 2;
constexpr int FAILURE = 1;

void
PrintError(const char* program, const std::exception& error)
{
    std::cerr << std::filesystem::path(program ? program : "").filename().string() << ": "
              << error.what() << "\n";
}

} // namespace

int
RunMain(int argc, char* argv[], int (*script)(int argc, char* argv[]))
{
    try
    {
        const int status = script(argc, argv);
        ::coflow::FinishStandardOutput();
        return status;
    }
    catch (const ::coflow::InputError& error)
    {
        PrintError(argv[0], error);
        return BAD_USAGE;
    }
    catch (const std::exception& error)
    {
        PrintError(argv[0], error);
        return FAILURE;
    }
}

} // namespace ns3::coflow
