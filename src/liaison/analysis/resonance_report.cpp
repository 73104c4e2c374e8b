// SPDX-License-Identifier: Apache-2.0
// Reports of resonances.
#include "liaison/analysis/resonance_report.hpp"

#include "liaison/base/version.hpp"
#include "liaison/expr/print.hpp"
#include "liaison/expr/substitute.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>

namespace liaison::analysis {
namespace {

using Json = nlohmann::ordered_json;

Json exact_json(const ExactMotion& exact) {
    if (!exact.found) return {{"found", false}, {"reason", exact.reason}};
    return {{"found", true},
            {"amplitude", exact.amplitude},
            {"impact_speed", exact.speed},
            {"largest_multiplier", exact.multiplier},
            {"stable", exact.stable},
            {"admissible", exact.admissible}};
}

Json motion_json(const StationaryMotion& m) {
    Json eigenvalues = Json::array();
    for (const auto& value : m.eigenvalues)
        eigenvalues.push_back(Json::array({value.real(), value.imag()}));
    Json result = {{"parameter", m.parameter},   {"frequency", m.frequency},
                   {"amplitude", m.amplitude},   {"impact_speed", m.speed},
                   {"phase", m.phase},           {"stable", m.stable},
                   {"eigenvalues", eigenvalues}, {"strength", m.strength}};
    return result;
}

Json motions_json(const std::vector<StationaryMotion>& motions) {
    Json result = Json::array();
    for (const StationaryMotion& m : motions) {
        result.push_back(motion_json(m));
        if (m.exact) result.back()["exact"] = exact_json(*m.exact);
    }
    return result;
}

// Where stationary motions exist, as far as the range shows.
std::pair<double, double> extent(const Resonance& resonance) {
    double low = std::numeric_limits<double>::infinity();
    double high = -low;
    const auto see = [&](const StationaryMotion& m) {
        low = std::min(low, m.parameter);
        high = std::max(high, m.parameter);
    };
    for (const ResonanceCurve& curve : resonance.curves)
        std::for_each(curve.points.begin(), curve.points.end(), see);
    std::for_each(resonance.limits.begin(), resonance.limits.end(), see);
    return {low, high};
}

std::string spelled(const ImpactOscillator& oscillator, expr::Expr e) {
    expr::Pool& pool = e.pool();
    return expr::print(
        expr::substitute(std::array{e}, std::array{oscillator.y, oscillator.v, oscillator.psi},
                         std::array{pool.symbol("y"), pool.symbol("y'"), pool.symbol("psi")})[0]);
}

std::string told(const StationaryMotion& m) {
    std::string text =
        fmt::format("amplitude {:.6g}, impact speed {:.6g}, phase {:.4f}, {}", m.amplitude, m.speed,
                    m.phase, m.stable ? "stable" : "not stable");
    if (m.strength > 1.0)
        text +=
            fmt::format("\n        the small terms are not small here: they change the speed by "
                        "{:.0f} % in a period",
                        100.0 * m.strength);
    if (!m.exact) return text;
    const ExactMotion& exact = *m.exact;
    if (!exact.found) return text + "\n        no exact orbit beside it: " + exact.reason;
    if (!exact.admissible)
        return text + "\n        the exact solution beside it is not a motion: " + exact.reason;
    const auto compared = [](double averaged, double value) {
        return fmt::format("{:.6g} ({:+.2f} %)", value, 100.0 * (averaged / value - 1.0));
    };
    return text + fmt::format("\n        exact: amplitude {}, impact speed {}, {}",
                              compared(m.amplitude, exact.amplitude),
                              compared(m.speed, exact.speed),
                              exact.stable ? "stable" : "not stable");
}

record::Panel panel(const ResonanceStudy& study, const std::string& label,
                    const std::function<double(const StationaryMotion&)>& averaged,
                    const std::function<double(const StationaryMotion&)>& exact) {
    record::Panel result;
    result.x_label = study.over;
    result.y_label = label;
    result.height = 260.0;
    constexpr double k_gap = std::numeric_limits<double>::quiet_NaN();
    for (const bool stable : {true, false}) {
        record::Line line;
        line.label = stable ? "averaged, stable" : "averaged, not stable";
        line.dashed = !stable;
        bool drawn = false;
        for (const Resonance& r : study.resonances) {
            for (const ResonanceCurve& curve : r.curves) {
                double before = k_gap;
                for (std::size_t i = 0; i < curve.points.size(); ++i) {
                    const StationaryMotion& m = curve.points[i];
                    const double y = averaged(m);
                    const bool joins = i > 0 && curve.points[i - 1].stable == stable;
                    // a phase that passes ±π begins anew
                    const bool leaps = std::abs(y - before) > 3.0 && label == "phase";
                    if ((m.stable == stable || joins) && !leaps) {
                        line.x.push_back(m.parameter);
                        line.y.push_back(y);
                        drawn = drawn || m.stable == stable;
                    } else {
                        line.x.push_back(k_gap);
                        line.y.push_back(k_gap);
                    }
                    before = y;
                }
                line.x.push_back(k_gap);
                line.y.push_back(k_gap);
            }
        }
        if (drawn) result.lines.push_back(std::move(line));
    }
    if (!exact) return result;
    for (const bool stable : {true, false}) {
        record::Line dots;
        dots.label = stable ? "exact, stable" : "exact, not stable";
        dots.dots = true;
        for (const Resonance& r : study.resonances) {
            for (const ResonanceCurve& curve : r.curves) {
                for (const StationaryMotion& m : curve.points) {
                    if (!m.exact || !m.exact->found || !m.exact->admissible ||
                        m.exact->stable != stable)
                        continue;
                    dots.x.push_back(m.parameter);
                    dots.y.push_back(exact(m));
                }
            }
        }
        if (!dots.x.empty()) result.lines.push_back(std::move(dots));
    }
    return result;
}

} // namespace

Ratio ratio_of(const Resonance& resonance, const ImpactOscillator& oscillator) {
    const int m = oscillator.stops.size() == 2 ? resonance.k : 2 * resonance.k;
    const int common = std::gcd(resonance.n, m);
    return {resonance.n / common, m / common};
}

std::pair<int, int> folded(Ratio ratio, const ImpactOscillator& oscillator) {
    const int n = oscillator.stops.size() == 2 ? ratio.n : 2 * ratio.n;
    const int common = std::gcd(n, ratio.m);
    return {n / common, ratio.m / common};
}

Json to_json(const ResonanceStudy& study) {
    Json result = {
        {"liaison", base::k_version},
        {"model", study.model},
        {"over", study.over},
        {"small", study.small},
        {"system",
         {{"distance", "y, from the stop"},
          {"generating", "y'' = " + spelled(study.oscillator, study.oscillator.generating)},
          {"small_terms", spelled(study.oscillator, study.oscillator.small)},
          {"stops", study.oscillator.stops.size()}}},
        {"resonances", Json::array()},
        {"exact", Json::array()}};
    for (const Resonance& r : study.resonances) {
        const Ratio ratio = ratio_of(r, study.oscillator);
        Json resonance = {{"n", ratio.n},
                          {"m", ratio.m},
                          {"forcing_periods", r.k},
                          {"impacts", r.n},
                          {"isochronous", r.curves.empty() ? Json(nullptr) : Json(r.isochronous)},
                          {"quadrature_error", r.quadrature},
                          {"curve", Json::array()},
                          {"curves", Json::array()},
                          {"here", motions_json(r.here)}};
        if (r.curves.empty()) {
            resonance["exists"] = {{"reason", r.nothing}};
        } else {
            const auto [low, high] = extent(r);
            resonance["exists"] = {{"from", low}, {"to", high}, {"folds", motions_json(r.limits)}};
        }
        for (const ResonanceCurve& curve : r.curves) {
            const std::size_t first = resonance["curve"].size();
            for (const StationaryMotion& m : curve.points) {
                if (m.exact) {
                    Json exact = exact_json(*m.exact);
                    exact["point"] = resonance["curve"].size();
                    exact["n"] = ratio.n;
                    exact["m"] = ratio.m;
                    exact["parameter"] = m.parameter;
                    result["exact"].push_back(std::move(exact));
                }
                resonance["curve"].push_back(motion_json(m));
            }
            resonance["curves"].push_back({{"first", first},
                                           {"points", curve.points.size()},
                                           {"closed", curve.closed},
                                           {"cut", curve.cut}});
        }
        result["resonances"].push_back(std::move(resonance));
    }
    return result;
}

std::string to_text(const ResonanceStudy& study) {
    const ImpactOscillator& oscillator = study.oscillator;
    std::string text = fmt::format("{}   {}\n", study.model, study.realisation);
    text += fmt::format("small: {}\n", fmt::join(study.small, ", "));
    text += fmt::format("distance y from the stop: y'' = {}\n",
                        spelled(oscillator, oscillator.generating));
    text += fmt::format("  small terms, psi the phase of the force: {}\n",
                        spelled(oscillator, oscillator.small));
    for (const Resonance& r : study.resonances) {
        const Ratio ratio = ratio_of(r, oscillator);
        text += fmt::format("resonance {}:{}, {} impact{} {}in {} forcing period{}\n", ratio.n,
                            ratio.m, r.n, r.n == 1 ? "" : "s",
                            oscillator.stops.size() == 2 ? "at each stop " : "", r.k,
                            r.k == 1 ? "" : "s");
        if (r.curves.empty()) {
            text += fmt::format("  no curve: {}\n", r.nothing);
            continue;
        }
        const auto [low, high] = extent(r);
        text += fmt::format("  stationary motions for {} from {:.9g} to {:.9g} ({} curve{}{})\n",
                            study.over, low, high, r.curves.size(), r.curves.size() == 1 ? "" : "s",
                            r.isochronous ? ", frequency independent of the amplitude" : "");
        for (const StationaryMotion& m : r.limits)
            text += fmt::format("  fold at {} = {:.12g}: amplitude {:.6g}\n", study.over,
                                m.parameter, m.amplitude);
        for (const StationaryMotion& m : r.here)
            text += fmt::format("  at {} = {:.9g}: {}\n", study.over, m.parameter, told(m));
        if (std::ranges::any_of(r.curves, &ResonanceCurve::cut))
            text += "  a curve goes on to amplitudes that are not shown\n";
    }
    return text;
}

std::string to_csv(const ResonanceStudy& study) {
    std::string text =
        fmt::format("# liaison {}, {}\nn,m,{},frequency,amplitude,impact_speed,phase,"
                    "stable,exact_amplitude,exact_impact_speed,exact_stable\n",
                    base::k_version, study.model, study.over);
    for (const Resonance& r : study.resonances) {
        const Ratio ratio = ratio_of(r, study.oscillator);
        for (const ResonanceCurve& curve : r.curves) {
            for (const StationaryMotion& m : curve.points) {
                text += fmt::format("{},{},{:.17g},{:.17g},{:.17g},{:.17g},{:.17g},{:d}", ratio.n,
                                    ratio.m, m.parameter, m.frequency, m.amplitude, m.speed,
                                    m.phase, m.stable);
                text += m.exact && m.exact->found
                            ? fmt::format(",{:.17g},{:.17g},{:d}\n", m.exact->amplitude,
                                          m.exact->speed, m.exact->stable)
                            : std::string(",,,\n");
            }
        }
    }
    return text;
}

record::Figure figure(const ResonanceStudy& study) {
    record::Figure result;
    result.title = study.model;
    std::vector<std::string> ratios;
    for (const Resonance& r : study.resonances) {
        const Ratio ratio = ratio_of(r, study.oscillator);
        ratios.push_back(fmt::format("{}:{}", ratio.n, ratio.m));
    }
    result.caption = fmt::format("liaison {} · averaged over {} · resonance {}", base::k_version,
                                 study.over, fmt::join(ratios, ", "));
    const bool two = study.oscillator.stops.size() == 2;
    result.panels.push_back(panel(
        study, two ? "impact speed" : "amplitude",
        [two](const StationaryMotion& m) { return two ? m.speed : m.amplitude; },
        [two](const StationaryMotion& m) { return two ? m.exact->speed : m.exact->amplitude; }));
    result.panels.push_back(
        panel(study, "phase", [](const StationaryMotion& m) { return m.phase; }, {}));
    return result;
}

} // namespace liaison::analysis
