// SPDX-License-Identifier: Apache-2.0
// What comes of a question: the answer, or what stands against one.
#pragma once

#include "liaison/base/diagnostic.hpp"

#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace liaison::ask {

// Beside an answer, warnings; without one, why. Wrong input has errors among the diagnostics. A question that is sound
// but cannot be answered (no engine, a part that this build lacks, a model too large) has a reason instead.
struct Findings {
    base::Diagnostics diagnostics;
    std::string reason;
    std::string missing; // the engine or part that is not there
    std::vector<std::string> notes; // worth knowing, and nothing wrong

    // Ended by the asker before there was anything to answer with.
    void end_early() { reason = "interrupted"; }
    [[nodiscard]] bool refused() const { return diagnostics.has_errors() || !reason.empty(); }
};

template <class T>
struct Answer : Findings {
    std::optional<T> value;

    [[nodiscard]] explicit operator bool() const { return value.has_value(); }
    [[nodiscard]] T& operator*() { return *value; }
    [[nodiscard]] const T& operator*() const { return *value; }
    [[nodiscard]] T* operator->() { return &*value; }
    [[nodiscard]] const T* operator->() const { return &*value; }

    // For programs that have nothing else to do without the answer: throws base::ModelError with all diagnostics, or
    // std::runtime_error with the reason.
    [[nodiscard]] T get() && {
        if (value) return std::move(*value);
        base::throw_if_errors(diagnostics);
        throw std::runtime_error(reason);
    }
};

} // namespace liaison::ask
