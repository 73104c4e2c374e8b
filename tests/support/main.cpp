// SPDX-License-Identifier: Apache-2.0
// The entry point shared by the test programs of all rooms.
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>
