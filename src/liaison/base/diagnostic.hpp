// SPDX-License-Identifier: Apache-2.0
// What is told to the user about wrong input: values first, thrown once at the boundary.
#pragma once

#include "liaison/base/codes.hpp"
#include "liaison/base/source.hpp"

#include <cstddef>
#include <deque>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace liaison::base {

// Underlined text with a remark; the primary label is where the mistake is.
struct Label {
    Span span;
    std::string text;
    bool primary = true;
};

// A replacement that would repair the text.
struct Fix {
    Span span;
    std::string replacement;
    std::string why;
};

struct Diagnostic {
    Severity severity = Severity::error;
    Code code{};
    std::string message;
    std::vector<Label> labels;
    std::vector<std::string> notes;
    std::vector<Fix> fixes;

    // Where the mistake is: first primary label, else first label, else nowhere.
    [[nodiscard]] Span place() const;

    // Additions that chain: report(…).at(span, "…").note("…").
    Diagnostic& at(Span span, std::string text = {});
    Diagnostic& see(Span span, std::string text);  // secondary label
    Diagnostic& note(std::string text);
    Diagnostic& fix(Span span, std::string replacement, std::string why);
};

// Collects diagnostics; counts all of them, keeps the first k_kept, shows k_shown_errors errors.
class Diagnostics {
  public:
    static constexpr std::size_t k_shown_errors = 20;
    static constexpr std::size_t k_kept = 1000;

    // Severity follows from the code. The reference stays valid while this collector lives.
    Diagnostic& report(Code code, std::string message);
    void append(const Diagnostics& other);

    [[nodiscard]] bool empty() const { return errors_ + warnings_ == 0; }
    [[nodiscard]] bool has_errors() const { return errors_ > 0; }
    [[nodiscard]] std::size_t error_count() const { return errors_; }
    [[nodiscard]] std::size_t warning_count() const { return warnings_; }
    // True once more is known to be wrong than will be shown; costly remedies need not be sought.
    [[nodiscard]] bool saturated() const { return errors_ > 10 * k_shown_errors; }

    // Ordered by file and position, then by time of report; repetitions are left out.
    [[nodiscard]] std::vector<const Diagnostic*> sorted() const&;
    std::vector<const Diagnostic*> sorted() && = delete;
    // The same, cut after k_shown_errors errors.
    [[nodiscard]] std::vector<const Diagnostic*> shown() const&;
    std::vector<const Diagnostic*> shown() && = delete;
    [[nodiscard]] const std::deque<Diagnostic>& all() const& { return kept_; }
    const std::deque<Diagnostic>& all() && = delete;

    // Keeps the file alive as long as this collector; spans of diagnostics refer to it.
    void keep(std::shared_ptr<const SourceFile> file);
    // The same for every file that a label refers to.
    void keep_files();

  private:
    std::deque<Diagnostic> kept_;
    std::vector<std::shared_ptr<const SourceFile>> files_;
    Diagnostic overflow_; // takes what comes after k_kept
    std::size_t errors_ = 0;
    std::size_t warnings_ = 0;
};

// The user's input is wrong: everything known about it, thrown once.
class ModelError : public std::runtime_error {
  public:
    explicit ModelError(Diagnostics diagnostics);
    [[nodiscard]] const Diagnostics& diagnostics() const { return *diagnostics_; }

  private:
    std::shared_ptr<const Diagnostics> diagnostics_;
};

// Throws ModelError if there is an error.
void throw_if_errors(const Diagnostics& diagnostics);

} // namespace liaison::base
