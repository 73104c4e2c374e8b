// SPDX-License-Identifier: Apache-2.0
// The report of a run on the terminal: what happened, what it cost, what is guaranteed.
#include "liaison/record/run.hpp"
#include "liaison/record/sensitivity.hpp"
#include "liaison/record/values_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace liaison::record {
namespace {

constexpr std::size_t k_shown_events = 12;

std::string signed_number(double x) {
    return x < 0 ? fmt::format("−{:.6g}", -x) : fmt::format("{:.6g}", x);
}

std::string event_line(const flow::Event& e, std::size_t width) {
    std::string kind(flow::name(e.kind));
    std::replace(kind.begin(), kind.end(), '_', ' ');
    std::string where = e.side.empty() ? e.where : e.where + " " + e.side;
    std::string line =
        fmt::format("{:>11.6f}  {:<12} {:<{}}", e.time.rounded(), kind, where, width);
    if (e.impulse) line += fmt::format("   impulse {}", signed_number(*e.impulse));
    // Contacts that were struck together with this one.
    for (const flow::ContactShare& c : e.contacts) {
        if (c.where != e.where || c.side != e.side)
            line += fmt::format(", {}{}{} {}", c.where, c.side.empty() ? "" : " ", c.side,
                                signed_number(c.impulse));
    }
    if (e.energy) line += fmt::format("   energy {}", signed_number(*e.energy));
    if (e.closes) line += "   → closed";
    if (e.kind == flow::EventKind::accumulation)
        line += fmt::format("   last estimates within {:.0e}", e.accuracy);
    if (!e.case_name.empty()) line += fmt::format("   {} ({})", e.case_name, e.rule);
    while (!line.empty() && line.back() == ' ') line.pop_back();
    return line + "\n";
}

std::string counts(const std::vector<flow::Event>& events) {
    std::map<std::string, std::size_t> by_kind;
    for (const flow::Event& e : events) {
        std::string kind(flow::name(e.kind));
        std::replace(kind.begin(), kind.end(), '_', ' ');
        ++by_kind[kind];
    }
    std::string text;
    for (const auto& [kind, n] : by_kind)
        text += fmt::format("{}{} × {}", text.empty() ? "" : ", ", n, kind);
    return text.empty() ? "no events" : text;
}

// Of the instants of all events but accumulations, which tell their own, and contacts that close without an impact, which
// gaps of the size of rounding determine hardly.
double location_accuracy(const std::vector<flow::Event>& events) {
    double worst = 0.0;
    for (const flow::Event& e : events) {
        if (e.kind != flow::EventKind::accumulation && e.kind != flow::EventKind::attach)
            worst = std::max(worst, e.accuracy);
    }
    return worst;
}

// What steers the accuracy: the tolerance, or the fixed step. The default method goes without saying.
std::string accuracy(const Provenance& p) {
    if (p.step > 0.0) return fmt::format("{} step {:.6g}", p.method, p.step);
    const std::string tolerance = fmt::format("tol {:.0e}", p.tolerance);
    return p.method == "taylor" ? tolerance : p.method + " " + tolerance;
}

// The kind of a certificate, and what is known about the rates that keep the bound.
std::string certificate(const ConstraintReport& c) {
    std::string text = c.certificate;
    if (c.tube && c.tube->certified) text += " for all motions near it";
    if (c.p && c.p_range)
        text += fmt::format(", p = {:.6g} of {:.5g} … {:.5g}", *c.p, c.p_range->first,
                            c.p_range->second);
    return text;
}

// How well contacts meet their conditions, and how often their problem was decided, by certificate.
std::string contact_line(const ContactReport& c) {
    if (c.decisions + c.impacts == 0) return {};
    std::string text = fmt::format("      contacts: complementarity {:.0e}",
                                   std::max(c.complementarity, c.impact_complementarity));
    if (c.friction) text += fmt::format(", friction {:.0e}", std::max(c.cone, c.direction));
    for (std::size_t i = 0; i < flow::k_certificates; ++i) {
        const auto kind = static_cast<flow::Certificate>(i);
        if (c.resolved.of(kind) > 0)
            text += fmt::format(" · {} × {}", c.resolved.of(kind), flow::name(kind));
    }
    return text + "\n";
}

} // namespace

std::string to_text(const Run& run, const flow::Flow& flow, bool all_events) {
    const motion::Trajectory& t = run.trajectory;
    std::string text = fmt::format("{}   {} · {} · t {:.6g} → {:.6g}\n", run.model, run.realisation,
                                   accuracy(run.provenance), flow.start_time, t.time.rounded());
    std::size_t width = 4;
    for (const flow::Event& e : t.events)
        width = std::max(width, e.where.size() + (e.side.empty() ? 0 : 6));
    width = std::min<std::size_t>(width, 24);
    const std::size_t shown =
        all_events ? t.events.size() : std::min(t.events.size(), k_shown_events);
    for (std::size_t i = 0; i < shown; ++i) text += event_line(t.events[i], width);
    if (t.statistics.events > shown) {
        text += fmt::format("   …  {} more events (--events all)\n", t.statistics.events - shown);
    }
    for (const std::string& w : run.warnings) text += "warning: " + w + "\n";

    text += fmt::format("{}  {}", status_word(t.status), counts(t.events));
    if (run.energy) {
        const EnergyBalance& e = *run.energy;
        text += fmt::format(" · energy {} → {}", signed_number(e.start), signed_number(e.end));
        if (e.impacts != 0.0) text += fmt::format(", impacts took {}", signed_number(-e.impacts));
        if (std::abs(e.work) > 1e-12 * std::max(std::abs(e.start), std::abs(e.end)))
            text += fmt::format(", work {}", signed_number(e.work));
        if (e.friction != 0.0)
            text += fmt::format(", friction took {}", signed_number(-e.friction));
        if (e.relays != 0.0) text += fmt::format(", relays took {}", signed_number(-e.relays));
        text += fmt::format(", unexplained {:.0e}", std::abs(e.unexplained));
    }
    text += "\n" + end_to_text(run, flow);
    if (run.contacts) text += contact_line(*run.contacts);
    if (!t.reason.empty()) text += fmt::format("      {}\n", t.reason);
    std::string facts;
    const auto add = [&](const std::string& fact) {
        facts += (facts.empty() ? "      " : " · ") + fact;
    };
    if (const double worst = location_accuracy(t.events); worst > 0.0)
        add(fmt::format("events located to {:.0e}", worst));
    if (run.has_gaps)
        add(fmt::format("gap ≥ {} {}", signed_number(run.smallest_gap),
                        run.provenance.method == "taylor" ? "everywhere"
                                                          : "where it was looked at"));
    for (const auto& [name, c] : run.constraints) {
        // What was only looked at is no bound.
        if (!c.bound)
            add(fmt::format("|{}| reached {:.1e}", name, c.max_violation_between));
        else if (c.certificate == "none")
            add(fmt::format("|{}| ≤ {:.1e} not kept", name, *c.bound));
        else
            add(fmt::format("|{}| ≤ {:.1e} ({})", name, *c.bound, certificate(c)));
    }
    for (const auto& [name, i] : run.integrals)
        add(fmt::format("{} drifts {:.1e}", name, i.max_drift));
    add(fmt::format("{} steps of order {}", t.statistics.steps, t.statistics.order));
    add(fmt::format("compiled {:.0f} ms", run.compile_ms));
    add(fmt::format("simulated {:.0f} ms", run.simulate_ms));
    return text + facts + "\n" + sensitivities_to_text(run.sensitivity);
}

} // namespace liaison::record
