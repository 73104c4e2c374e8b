// SPDX-License-Identifier: Apache-2.0
// What is told to the user about wrong input: values first, thrown once at the boundary.
#include "liaison/base/diagnostic.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

namespace liaison::base {

namespace {

std::string summary(const Diagnostics& diagnostics) {
    const auto shown = diagnostics.shown();
    if (shown.empty()) return "the model has no errors";
    const Diagnostic& first = *shown.front();
    std::string text = fmt::format("{}: {}", row(first.code).text, first.message);
    if (const Span place = first.place()) {
        const Position p = place.position();
        text = fmt::format("{}:{}:{}: {}", place.file->name(), p.line, p.column, text);
    }
    const std::size_t others = diagnostics.error_count() - 1;
    if (others > 0) text += fmt::format(" (and {} more)", others);
    return text;
}

bool same(const Diagnostic& a, const Diagnostic& b) {
    return a.code == b.code && a.place() == b.place() && a.message == b.message;
}

} // namespace

Span Diagnostic::place() const {
    const auto primary = std::ranges::find_if(labels, &Label::primary);
    if (primary != labels.end()) return primary->span;
    return labels.empty() ? Span{} : labels.front().span;
}

Diagnostic& Diagnostic::at(Span span, std::string text) {
    if (span) labels.push_back({span, std::move(text), true});
    return *this;
}

Diagnostic& Diagnostic::see(Span span, std::string text) {
    if (span) labels.push_back({span, std::move(text), false});
    return *this;
}

Diagnostic& Diagnostic::note(std::string text) {
    notes.push_back(std::move(text));
    return *this;
}

Diagnostic& Diagnostic::fix(Span span, std::string replacement, std::string why) {
    fixes.push_back({span, std::move(replacement), std::move(why)});
    return *this;
}

Diagnostic& Diagnostics::report(Code code, std::string message) {
    const Severity severity = severity_of(code);
    ++(severity == Severity::error ? errors_ : warnings_);
    if (kept_.size() < k_kept) {
        return kept_.emplace_back(Diagnostic{severity, code, std::move(message), {}, {}, {}});
    }
    overflow_ = Diagnostic{severity, code, {}, {}, {}, {}};
    return overflow_;
}

void Diagnostics::append(const Diagnostics& other) {
    errors_ += other.errors_;
    warnings_ += other.warnings_;
    for (const auto& file : other.files_) keep(file);
    for (const Diagnostic& d : other.kept_) {
        if (kept_.size() < k_kept) kept_.push_back(d);
    }
}

void Diagnostics::keep(std::shared_ptr<const SourceFile> file) {
    if (file && std::ranges::find(files_, file) == files_.end()) files_.push_back(std::move(file));
}

void Diagnostics::keep_files() {
    for (const Diagnostic& d : kept_) {
        for (const Label& label : d.labels) keep(label.span.file->shared_from_this());
    }
}

std::vector<const Diagnostic*> Diagnostics::sorted() const& {
    std::vector<const Diagnostic*> order;
    for (const Diagnostic& d : kept_) order.push_back(&d);
    // Files in the order in which they were kept; what has no place comes first.
    const auto key = [&](const Diagnostic* d) {
        const Span place = d->place();
        const auto file = std::ranges::find_if(
            files_, [&](const auto& kept) { return kept.get() == place.file; });
        const auto rank = place ? 1 + (file - files_.begin()) : 0;
        return std::tuple(rank, place.begin, place.end);
    };
    std::ranges::stable_sort(order, {}, key);
    const auto repeated = std::ranges::unique(
        order, [](const Diagnostic* a, const Diagnostic* b) { return same(*a, *b); });
    order.erase(repeated.begin(), repeated.end());
    return order;
}

std::vector<const Diagnostic*> Diagnostics::shown() const& {
    auto order = sorted();
    std::size_t errors = 0;
    std::erase_if(order, [&](const Diagnostic* d) {
        return d->severity == Severity::error && ++errors > k_shown_errors;
    });
    return order;
}

ModelError::ModelError(Diagnostics diagnostics) : std::runtime_error(summary(diagnostics)) {
    diagnostics.keep_files();
    diagnostics_ = std::make_shared<const Diagnostics>(std::move(diagnostics));
}

void throw_if_errors(const Diagnostics& diagnostics) {
    if (diagnostics.has_errors()) throw ModelError(diagnostics);
}

} // namespace liaison::base
