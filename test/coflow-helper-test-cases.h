/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_HELPER_TEST_CASES_H
#define COFLOW_HELPER_TEST_CASES_H

#include "ns3/test.h"

#include <vector>

/// @return test cases in which CoflowHelper puts schedulers on networks that this module knows
///         nothing of; whoever adds them to a suite owns them
std::vector<ns3::TestCase*> MakeCoflowHelperTestCases();

#endif // COFLOW_HELPER_TEST_CASES_H
