/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_NS3_DEFECT_H
#define COFLOW_NS3_DEFECT_H

#include "ns3/coflow-version.h"

#include <gtest/gtest.h>

/// Expects a defect of ns-3 3.44, once in a test and at its end. Where a newer version has mended
/// it, the test is skipped and says what can be deleted.
/// @param isThere whether ns-3 does it wrong
/// @param repair what mends it here
#define EXPECT_NS3_DEFECT(isThere, repair)                                                         \
    const bool ns3IsWrong = (isThere);                                                             \
    if (!ns3IsWrong && !ns3::coflow::GetNs3Version().starts_with("3.44"))                          \
    {                                                                                              \
        GTEST_SKIP() << "ns-3 " << ns3::coflow::GetNs3Version()                                    \
                     << " has mended this: " << (repair) << " can be deleted";                     \
    }                                                                                              \
    EXPECT_TRUE(ns3IsWrong) << "then what does " << (repair) << " mend?"

#endif // COFLOW_NS3_DEFECT_H
