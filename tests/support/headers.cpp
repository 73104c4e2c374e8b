// SPDX-License-Identifier: Apache-2.0
// The file with which the common headers of all test programs are precompiled; see cmake/Precompiled.cmake.
