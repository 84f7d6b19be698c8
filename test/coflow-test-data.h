/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_TEST_DATA_H
#define COFLOW_TEST_DATA_H

#include "coflow-test-paths.h"

#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>

namespace coflow::test
{

/// A file that is not part of the repository: below the folder `shared` beside it.
/// Tests that need one skip, saying so, where it is absent.
inline std::optional<std::string>
SharedFile(const std::string& relative)
{
    const auto path = std::filesystem::path(COFLOW_SOURCE_DIR).parent_path() / "shared" / relative;
    return std::filesystem::exists(path) ? std::optional(path.string()) : std::nullopt;
}

/// The public Facebook trace, from $COFLOW_BENCHMARK_TRACE or the shared folder.
inline std::optional<std::string>
FacebookTrace()
{
    if (const char* path = std::getenv("COFLOW_BENCHMARK_TRACE"))
    {
        return path;
    }
    return SharedFile("data/FB2010-1Hr-150-0.txt");
}

} // namespace coflow::test

#endif // COFLOW_TEST_DATA_H
