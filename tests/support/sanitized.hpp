// SPDX-License-Identifier: Apache-2.0
// Whether this is a build with sanitizers: they check every access, slow a program down about tenfold and look for other
// things than numbers.
#pragma once

namespace liaison::test {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool k_sanitized = true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
inline constexpr bool k_sanitized = true;
#else
inline constexpr bool k_sanitized = false;
#endif
#else
inline constexpr bool k_sanitized = false;
#endif

} // namespace liaison::test
