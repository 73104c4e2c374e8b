// SPDX-License-Identifier: Apache-2.0
// Reports of sweeps.
#include "liaison/analysis/sweep_report.hpp"

#include "liaison/base/version.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>
#include <map>
#include <string_view>

namespace liaison::analysis {
namespace {

using Json = nlohmann::ordered_json;

Json number(double x) { return std::isfinite(x) ? Json(x) : Json(nullptr); }

// What tables and HDF5 files call their own columns.
constexpr std::array<std::string_view, 10> k_columns{"label",    "period",    "attractor", "reason",
                                                     "impacts",  "motion",    "section",   "values",
                                                     "observed", "label_word"};

constexpr std::size_t k_labels = static_cast<std::size_t>(MotionLabel::failed) + 1;

std::vector<std::size_t> label_counts(const SweepTable& table) {
    std::vector<std::size_t> counts(k_labels, 0);
    for (const SectionResult& r : *table.results) ++counts[static_cast<std::size_t>(r.label)];
    return counts;
}

// An attractor as the sweep knows it: how many motions end there, and the first of them.
struct AttractorShare {
    std::size_t count = 0;
    std::size_t first = 0;
};

std::vector<AttractorShare> shares(const SweepTable& table) {
    std::vector<AttractorShare> result;
    for (std::size_t i = 0; i < table.attractor.size(); ++i) {
        const std::size_t k = table.attractor[i];
        if (k == 0) continue;
        if (k > result.size()) result.push_back({0, i});
        ++result[k - 1].count;
    }
    return result;
}

// Standard error of a share of n motions.
double binomial_error(double share, std::size_t n) {
    return n > 0 ? std::sqrt(share * (1.0 - share) / static_cast<double>(n)) : 0.0;
}

// Reasons of failures without their numbers, with how often they occur.
std::map<std::string, std::size_t> reasons(const SweepTable& table) {
    std::map<std::string, std::size_t> counts;
    for (const SectionResult& r : *table.results)
        if (r.label == MotionLabel::failed || r.label == MotionLabel::unmet) ++counts[r.reason];
    return counts;
}

std::string attractor_words(const SweepTable& table, const AttractorShare& a) {
    const SectionResult& r = (*table.results)[a.first];
    const auto& observed = table.plan->section.observed;
    std::string words(name(r.label));
    if (r.period > 1) words = fmt::format("{} {}", words, r.period);
    const std::size_t width = observed.size();
    if (width == 0 || r.values.size() < width) return words;
    for (std::size_t j = 0; j < std::min<std::size_t>(width, 3); ++j) {
        const double x = r.values[r.values.size() - width + j];
        words += fmt::format(", {} = {:.4g}", observed[j].label, std::abs(x) < 1e-9 ? 0.0 : x);
    }
    return words;
}

std::string quoted(const std::string& name) {
    if (name.find_first_of(",\"\n") == std::string::npos) return name;
    std::string text = "\"";
    for (const char c : name) text += c == '"' ? std::string("\"\"") : std::string(1, c);
    return text + "\"";
}

struct Extent {
    double low = std::numeric_limits<double>::infinity();
    double high = -std::numeric_limits<double>::infinity();
    void take(double x) {
        if (!std::isfinite(x)) return;
        low = std::min(low, x);
        high = std::max(high, x);
    }
    void widen(double share) {
        if (!(low <= high)) low = 0.0, high = 1.0;
        const double span =
            std::max(high - low, 1e-9 * std::max({1.0, std::abs(low), std::abs(high)}));
        low -= share * span;
        high += share * span;
    }
};

constexpr std::size_t k_wide = 1300; // pixels of a picture
constexpr std::size_t k_high = 440;

record::Panel diagram(const SweepTable& table, std::size_t column) {
    const SweepPlan& plan = *table.plan;
    const SweepAxis& axis = plan.axes.front();
    const std::size_t width = plan.section.observed.size();
    const double half = plan.random > 0 || axis.points < 2
                            ? 0.0
                            : 0.5 * (axis.to - axis.from) / static_cast<double>(axis.points - 1);
    Extent y;
    for (const SectionResult& r : *table.results) {
        if (r.label == MotionLabel::divergence || r.label == MotionLabel::failed) continue;
        for (std::size_t k = column; k < r.values.size(); k += width) y.take(r.values[k]);
    }
    y.widen(0.04);
    const std::size_t columns = plan.random > 0 ? k_wide : std::min(k_wide, axis.points);
    record::Density density(axis.from - half, axis.to + half, y.low, y.high, columns, k_high);
    for (std::size_t i = 0; i < table.results->size(); ++i) {
        const SectionResult& r = (*table.results)[i];
        const double x = plan.values(i).front();
        for (std::size_t k = column; k < r.values.size(); k += width)
            if (std::isfinite(r.values[k])) density.add(x, r.values[k]);
    }
    record::Panel panel;
    panel.x_label = axis.name;
    panel.y_label = plan.section.observed[column].label;
    panel.raster = record::enlarged(density.picture(), k_wide / 2, k_high);
    panel.height = 300.0;
    return panel;
}

// What a point of a map shows: its attractor where those are known, else its label and period.
std::string kind_of(const SweepTable& table, std::size_t point) {
    if (!table.attractor.empty() && table.attractor[point] > 0)
        return fmt::format("attractor {}", table.attractor[point]);
    const SectionResult& r = (*table.results)[point];
    if (r.label == MotionLabel::periodic) return fmt::format("period {}", r.period);
    return std::string(name(r.label));
}

record::Panel map_of(const SweepTable& table) {
    const SweepPlan& plan = *table.plan;
    const SweepAxis& x = plan.axes[0];
    const SweepAxis& y = plan.axes[1];
    record::Raster raster;
    const bool random = plan.random > 0;
    raster.width = random ? k_wide / 2 : x.points;
    raster.height = random ? k_high : y.points;
    const auto half = [&](const SweepAxis& a) {
        return random || a.points < 2 ? 0.0
                                      : 0.5 * (a.to - a.from) / static_cast<double>(a.points - 1);
    };
    raster.x_low = x.from - half(x);
    raster.x_high = x.to + half(x);
    raster.y_low = y.from - half(y);
    raster.y_high = y.to + half(y);
    raster.pixels.assign(raster.width * raster.height, 0);
    raster.palette = {{0xff, 0xff, 0xff}};
    record::Panel panel;
    panel.x_label = x.name;
    panel.y_label = y.name;
    panel.height = 420.0;
    // Kinds by frequency: the common ones get the clear colours; beyond the palette they share one.
    std::map<std::string, std::size_t> counts;
    for (std::size_t i = 0; i < table.results->size(); ++i) ++counts[kind_of(table, i)];
    std::vector<std::pair<std::size_t, std::string>> order;
    for (const auto& [kind, n] : counts) order.emplace_back(n, kind);
    std::stable_sort(order.begin(), order.end(),
                     [](const auto& a, const auto& b) { return a.first > b.first; });
    constexpr std::size_t k_kinds = 11;
    std::map<std::string, std::uint8_t> place;
    for (std::size_t k = 0; k < order.size(); ++k) {
        const std::size_t at = std::min(k, k_kinds);
        if (raster.palette.size() == at + 1) {
            raster.palette.push_back(record::kind_colour(at));
            panel.kinds.emplace_back(at < k_kinds ? order[k].second : "others",
                                     record::text_of(raster.palette.back()));
        }
        place[order[k].second] = static_cast<std::uint8_t>(at + 1);
    }
    for (std::size_t i = 0; i < table.results->size(); ++i) {
        std::size_t column = i % raster.width;
        std::size_t row = i / raster.width;
        if (random) {
            const auto values = plan.values(i);
            column = std::min(raster.width - 1,
                              static_cast<std::size_t>((values[0] - x.from) / (x.to - x.from) *
                                                       static_cast<double>(raster.width)));
            row = std::min(raster.height - 1,
                           static_cast<std::size_t>((values[1] - y.from) / (y.to - y.from) *
                                                    static_cast<double>(raster.height)));
        }
        if (row >= raster.height) break; // further axes: the first plane
        raster.pixels[(raster.height - 1 - row) * raster.width + column] = place[kind_of(table, i)];
    }
    panel.raster = record::enlarged(raster, k_wide / 2, k_high);
    return panel;
}

std::string caption_of(const SweepTable& table) {
    return fmt::format("liaison {} · {} · {} motions · tolerance {:g} · model {}", base::k_version,
                       table.realisation, table.results->size(), table.plan->section.tolerance,
                       table.model_hash.substr(0, 12));
}

} // namespace

nlohmann::ordered_json to_json(const SweepTable& table) {
    const SweepPlan& plan = *table.plan;
    Json over = Json::object();
    for (const SweepAxis& axis : plan.axes) {
        over[axis.name] = {
            {"from", number(axis.from)},
            {"to", number(axis.to)},
            {"what", axis.kind == SweepAxis::Kind::parameter ? "parameter" : "start"}};
        if (plan.random == 0) over[axis.name]["points"] = axis.points;
    }
    const auto counts = label_counts(table);
    Json labels = Json::object();
    for (std::size_t k = 0; k < k_labels; ++k)
        if (counts[k] > 0) labels[std::string(name(static_cast<MotionLabel>(k)))] = counts[k];
    Json result = {{"liaison", base::k_version},
                   {"model", table.model},
                   {"over", over},
                   {"points", table.results->size()},
                   {"random", plan.random > 0 ? Json(plan.random) : Json(nullptr)},
                   {"seed", plan.random > 0 ? Json(plan.seed) : Json(nullptr)},
                   {"failed", counts[static_cast<std::size_t>(MotionLabel::failed)]},
                   {"labels", labels}};
    if (!table.attractor.empty()) {
        result["attractors"] = Json::array();
        const std::size_t n = table.results->size();
        for (const AttractorShare& a : shares(table)) {
            const SectionResult& r = (*table.results)[a.first];
            const double share = static_cast<double>(a.count) / static_cast<double>(n);
            Json entry = {{"label", name(r.label)},
                          {"period", r.period},
                          {"share", number(share)},
                          {"error", number(binomial_error(share, n))},
                          {"sections", Json::array()}};
            const std::size_t width = plan.section.observed.size();
            const std::size_t rows = r.values.size() / width;
            const std::size_t kept = std::min<std::size_t>(
                rows, r.label == MotionLabel::rest ? 1 : std::max<std::uint32_t>(r.period, 1));
            for (std::size_t k = rows - kept; k < rows; ++k) {
                Json section = Json::object();
                for (std::size_t j = 0; j < width; ++j)
                    section[plan.section.observed[j].label] = number(r.values[k * width + j]);
                entry["sections"].push_back(std::move(section));
            }
            result["attractors"].push_back(std::move(entry));
        }
    }
    result["reasons"] = Json::array();
    constexpr std::size_t k_most = 10;
    for (const auto& [reason, n] : reasons(table)) {
        if (result["reasons"].size() == k_most) break;
        result["reasons"].push_back({{"reason", reason}, {"points", n}});
    }
    return result;
}

std::string to_text(const SweepTable& table) {
    const SweepPlan& plan = *table.plan;
    std::string text =
        fmt::format("{}   {} · {} motions", table.model, table.realisation, table.results->size());
    for (const SweepAxis& axis : plan.axes)
        text += fmt::format(" · {} {:g} … {:g}", axis.name, axis.from, axis.to);
    text += "\n";
    const auto counts = label_counts(table);
    const auto n = static_cast<double>(table.results->size());
    for (std::size_t k = 0; k < k_labels; ++k) {
        if (counts[k] == 0) continue;
        text += fmt::format("  {:<14} {:>9}   {:>6.2f} %\n", name(static_cast<MotionLabel>(k)),
                            counts[k], 100.0 * static_cast<double>(counts[k]) / n);
    }
    const auto known = shares(table);
    constexpr std::size_t k_most = 20;
    for (std::size_t k = 0; k < std::min(k_most, known.size()); ++k) {
        const double share = static_cast<double>(known[k].count) / n;
        text += fmt::format("  attractor {:<4} {:>8.3f} ± {:.3f} %   {}\n", k + 1, 100.0 * share,
                            100.0 * binomial_error(share, table.results->size()),
                            attractor_words(table, known[k]));
    }
    if (known.size() > k_most)
        text += fmt::format("  … {} more attractors (--json)\n", known.size() - k_most);
    std::size_t told = 0;
    for (const auto& [reason, count] : reasons(table)) {
        if (told++ == 3) {
            text += "  … more reasons (--json)\n";
            break;
        }
        text += fmt::format("  {} failed: {}\n", count, reason);
    }
    return text;
}

std::vector<std::string> axis_columns(const SweepPlan& plan) {
    std::vector<std::string> names;
    for (const SweepAxis& axis : plan.axes) {
        const bool parameter = axis.kind == SweepAxis::Kind::parameter;
        const bool taken = std::ranges::find(k_columns, axis.name) != k_columns.end() ||
                           std::ranges::find(plan.section.observed, axis.name, &Observed::label) !=
                               plan.section.observed.end();
        names.push_back(!parameter ? "start " + axis.name
                        : taken    ? "parameter " + axis.name
                                   : axis.name);
    }
    return names;
}

std::string to_csv(const SweepTable& table) {
    const SweepPlan& plan = *table.plan;
    std::string text;
    auto out = std::back_inserter(text);
    fmt::format_to(out, "# liaison {} · {} · {}\n# model {} · tolerance {:g}\n# {}\n",
                   base::k_version, table.model, table.realisation, table.model_hash,
                   plan.section.tolerance, table.options);
    for (const std::string& s : table.settings) fmt::format_to(out, "# {}\n", s);
    for (const std::string& name : axis_columns(plan)) text += quoted(name) + ",";
    for (const Observed& o : plan.section.observed) text += quoted(o.label) + ",";
    text += table.attractor.empty() ? "label,period,reason\n" : "label,period,attractor,reason\n";
    const std::size_t width = plan.section.observed.size();
    for (std::size_t i = 0; i < table.results->size(); ++i) {
        const SectionResult& r = (*table.results)[i];
        std::string axes;
        for (const double x : plan.values(i)) axes += fmt::format("{:.17g},", x);
        std::string tail = fmt::format("{},{},", name(r.label), r.period);
        if (!table.attractor.empty()) tail += fmt::format("{},", table.attractor[i]);
        tail += quoted(r.reason) + "\n";
        const std::size_t rows = width == 0 ? 0 : r.values.size() / width;
        for (std::size_t k = 0; k < std::max<std::size_t>(rows, 1); ++k) {
            text += axes;
            for (std::size_t j = 0; j < width; ++j) {
                if (k < rows && std::isfinite(r.values[k * width + j]))
                    fmt::format_to(out, "{:.17g}", r.values[k * width + j]);
                text += ",";
            }
            text += tail;
        }
    }
    return text;
}

record::Figure figure(const SweepTable& table) {
    record::Figure result;
    result.title = table.model;
    result.caption = caption_of(table);
    const auto& observed = table.plan->section.observed;
    if (table.plan->axes.size() >= 2) {
        result.panels.push_back(map_of(table));
        return result;
    }
    constexpr std::size_t k_panels = 2;
    for (std::size_t j = 0; j < observed.size() && result.panels.size() < k_panels; ++j)
        if (observed[j].what != Observed::What::time) result.panels.push_back(diagram(table, j));
    return result;
}

nlohmann::ordered_json section_json(const SweepTable& table) {
    const SectionResult& r = table.results->front();
    const auto& observed = table.plan->section.observed;
    Json result = {{"liaison", base::k_version},
                   {"model", table.model},
                   {"label", name(r.label)},
                   {"reason", r.reason.empty() ? Json(nullptr) : Json(r.reason)},
                   {"period", r.period > 0 ? Json(r.period) : Json(nullptr)},
                   {"impacts", r.impacts},
                   {"columns", Json::array()},
                   {"points", Json::array()}};
    for (const Observed& o : observed) result["columns"].push_back(o.label);
    for (std::size_t k = 0; k + observed.size() <= r.values.size(); k += observed.size()) {
        Json row = Json::array();
        for (std::size_t j = 0; j < observed.size(); ++j) row.push_back(number(r.values[k + j]));
        result["points"].push_back(std::move(row));
    }
    return result;
}

std::string section_text(const SweepTable& table) {
    const SectionResult& r = table.results->front();
    const auto& observed = table.plan->section.observed;
    const std::size_t width = std::max<std::size_t>(observed.size(), 1);
    std::string text = fmt::format("{}   {} · {} sections, {} impacts between them\n", table.model,
                                   table.realisation, r.values.size() / width, r.impacts);
    text += fmt::format("  {}", name(r.label));
    if (r.period > 0) text += fmt::format(", repeats after {}", r.period);
    if (!r.reason.empty()) text += fmt::format(": {}", r.reason);
    text += "\n  ";
    for (const Observed& o : observed) text += fmt::format("{:>20}", o.label);
    text += "\n";
    constexpr std::size_t k_most = 12;
    const std::size_t rows = r.values.size() / width;
    const std::size_t told = r.period > 0 ? std::min<std::size_t>(r.period, rows) : rows;
    for (std::size_t k = 0; k < std::min(told, k_most); ++k) {
        text += "  ";
        for (std::size_t j = 0; j < observed.size(); ++j)
            text += fmt::format("{:>20.12g}", r.values[k * width + j]);
        text += "\n";
    }
    if (told > k_most) text += fmt::format("  … {} more (--json, -o)\n", told - k_most);
    return text;
}

record::Figure section_figure(const SweepTable& table) {
    const SectionResult& r = table.results->front();
    const auto& observed = table.plan->section.observed;
    record::Figure result;
    result.title = fmt::format("{}: section", table.model);
    result.caption = caption_of(table);
    record::Panel panel;
    panel.height = 420.0;
    panel.margin = 0.04;
    const std::size_t width = observed.size();
    const std::size_t rows = width == 0 ? 0 : r.values.size() / width;
    std::vector<double> xs, ys;
    for (std::size_t k = 0; k < rows; ++k) {
        xs.push_back(width > 1 ? r.values[k * width] : static_cast<double>(k));
        ys.push_back(r.values[k * width + (width > 1 ? 1 : 0)]);
    }
    panel.x_label = width > 1 ? observed[0].label : "section";
    panel.y_label = width > 1 ? observed[1].label : width > 0 ? observed[0].label : "";
    constexpr std::size_t k_dots = 3000;
    if (rows <= k_dots) {
        record::Line dots;
        dots.dots = true;
        dots.x = std::move(xs);
        dots.y = std::move(ys);
        panel.lines.push_back(std::move(dots));
    } else {
        Extent x, y;
        for (const double v : xs) x.take(v);
        for (const double v : ys) y.take(v);
        x.widen(0.04);
        y.widen(0.04);
        record::Density density(x.low, x.high, y.low, y.high, k_wide, 2 * k_high);
        for (std::size_t k = 0; k < rows; ++k)
            if (std::isfinite(xs[k]) && std::isfinite(ys[k])) density.add(xs[k], ys[k]);
        panel.raster = density.picture();
    }
    result.panels.push_back(std::move(panel));
    return result;
}

} // namespace liaison::analysis
