// SPDX-License-Identifier: Apache-2.0
// How the problems that decide a motion at events were answered, counted for whoever listens.
//
// A transition may serve many motions on many threads at once, so it keeps no count of its own; it tells how a problem was
// decided, and the count of the motion that is being made on this thread hears it. Where nobody listens nothing is done.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace liaison::flow {

// What is known about the number of solutions of one problem.
enum class Certificate {
    unique_enumerated, // all assignments of modes were looked at, one is a solution
    unique_p_matrix, // one solution whatever the right-hand side
    unique_accelerations, // Gauss: the motion is unique, the forces are not
    several_enumerated, // all are known, and a rule chose
    found, // one, and whether there are others is not known
    none_enumerated,
    none_certificate, // a vector proves that there is none
};
inline constexpr std::size_t k_certificates = 7;

[[nodiscard]] std::string_view name(Certificate certificate);

// Number of problems by certificate.
struct Decisions {
    std::array<std::uint64_t, k_certificates> count{};
    double first_found = 0.0; // time of the first that is not certified

    [[nodiscard]] std::uint64_t of(Certificate c) const {
        return count[static_cast<std::size_t>(c)];
    }
};

// While it lives, what is decided on this thread is counted there; null: nowhere, for trials that are no motion.
class Listening {
  public:
    explicit Listening(Decisions* decisions);
    ~Listening();
    Listening(const Listening&) = delete;
    Listening& operator=(const Listening&) = delete;

  private:
    Decisions* before_;
};

// Somebody listens: a certificate that costs something is worth finding.
[[nodiscard]] bool heard();
void tell(Certificate certificate, double time);

} // namespace liaison::flow
