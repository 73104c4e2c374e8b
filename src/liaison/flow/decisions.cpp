// SPDX-License-Identifier: Apache-2.0
// The listener of a thread, and the words for certificates.
#include "liaison/flow/decisions.hpp"

#include <utility>

namespace liaison::flow {
namespace {

Decisions*& listener() {
    thread_local Decisions* here = nullptr;
    return here;
}

} // namespace

std::string_view name(Certificate certificate) {
    switch (certificate) {
    case Certificate::unique_enumerated: return "unique (enumerated)";
    case Certificate::unique_p_matrix: return "unique (P-matrix)";
    case Certificate::unique_accelerations: return "unique accelerations (Gauss)";
    case Certificate::several_enumerated: return "several (enumerated)";
    case Certificate::found: return "found (not certified)";
    case Certificate::none_enumerated: return "none (enumerated)";
    case Certificate::none_certificate: return "none (certificate)";
    }
    return "";
}

Listening::Listening(Decisions* decisions) : before_(std::exchange(listener(), decisions)) {}
Listening::~Listening() { listener() = before_; }

bool heard() { return listener() != nullptr; }

void tell(Certificate certificate, double time) {
    Decisions* here = listener();
    if (here == nullptr) return;
    if (certificate == Certificate::found && here->of(Certificate::found) == 0)
        here->first_found = time;
    ++here->count[static_cast<std::size_t>(certificate)];
}

} // namespace liaison::flow
