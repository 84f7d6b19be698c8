/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-error.h"

#include <gtest/gtest.h>

using coflow::InputError;

TEST(InputError, TellsPlaceFieldValueAndWhatIsAllowed)
{
    const InputError error("trace.txt", 7, "size", "-3", "a number of MB >= 0");
    EXPECT_STREQ(error.what(), "trace.txt:7: size is '-3'; allowed: a number of MB >= 0");
}

TEST(InputError, ShowsAnyTextAsOneReadableLine)
{
    std::string text(100, 'x');
    text.append("\n\t\x01");
    const InputError error("t", 1, "id", text, "a number");
    EXPECT_EQ(std::string(error.what()),
              "t:1: id is '" + std::string(40, 'x') + "...'; allowed: a number");
    const InputError control("t", 1, "id", "a\nb", "a number");
    EXPECT_STREQ(control.what(), "t:1: id is 'a?b'; allowed: a number");
}
