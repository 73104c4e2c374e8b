// SPDX-License-Identifier: Apache-2.0
// Pictures of branches: solid where stable, dashed where unstable, dots where no motion, a sign per special point.
#include "liaison/analysis/branch_report.hpp"
#include "liaison/analysis/branch_words.hpp"
#include "liaison/base/version.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <string_view>

namespace liaison::analysis {
namespace {

constexpr double k_gap = std::numeric_limits<double>::quiet_NaN();

// What is drawn of an orbit: the copy-th of its values, not a number where it has no more.
using Value = std::function<double(const BranchPoint&, std::size_t copy)>;

// At the section, at its first return, …
Value section_state(std::size_t i) {
    return [i](const BranchPoint& p, std::size_t copy) {
        if (copy > p.returns.size()) return k_gap;
        const std::vector<double>& x = copy == 0 ? p.section : p.returns[copy - 1];
        return i < x.size() ? x[i] : k_gap;
    };
}

Value only(const std::function<double(const BranchPoint&)>& value) {
    return [value](const BranchPoint& p, std::size_t copy) { return copy == 0 ? value(p) : k_gap; };
}

// Orbits that begin on a surface x = 0, or are held where they drift, have nothing to show there but rounding.
bool varies(const Branch& root, std::size_t i) {
    double low = std::numeric_limits<double>::infinity();
    double high = -low;
    for (const Branch* branch : with_switched(root)) {
        for (const BranchPoint& p : branch->points) {
            if (i >= p.section.size()) continue;
            low = std::min(low, p.section[i]);
            high = std::max(high, p.section[i]);
        }
    }
    constexpr double k_rounding = 1e-9;
    return high - low > k_rounding * std::max({1.0, std::abs(low), std::abs(high)});
}

// The orbits of a branch with its special points between them, where a stretch of one kind ends and another begins.
struct Station {
    const BranchPoint* point = nullptr;
    bool special = false;
};

std::vector<Station> stations(const Branch& branch, const SpecialPoint* begins) {
    std::vector<Station> result;
    if (begins != nullptr) result.push_back({&begins->point, true});
    auto next = branch.special.begin();
    for (std::size_t i = 0; i <= branch.points.size(); ++i) {
        for (; next != branch.special.end() && next->after == i; ++next) {
            if (next->kind != "end") result.push_back({&next->point, true});
        }
        if (i < branch.points.size()) result.push_back({&branch.points[i], false});
    }
    return result;
}

// Between neighbours: as the first of them that is no special point says.
std::vector<std::string_view> stretches(const std::vector<Station>& all) {
    std::vector<std::string_view> result;
    for (std::size_t i = 0; i + 1 < all.size(); ++i) {
        if (!all[i].special)
            result.emplace_back(word(all[i].point->orbit));
        else if (!all[i + 1].special)
            result.emplace_back(word(all[i + 1].point->orbit));
        else
            result.emplace_back(result.empty() ? "no motion" : result.back());
    }
    return result;
}

class PanelOf {
  public:
    PanelOf(record::Panel& panel, const Value& value) : panel_(panel), value_(value) {
        for (const auto& [label, colour] :
             {std::pair{"stable", "#1f5fa8"}, {"unstable", "#c8501e"}, {"no motion", "#777777"}}) {
            record::Line line;
            line.label = label;
            line.colour = colour;
            line.dashed = line.label == "unstable";
            line.dots = line.label == "no motion";
            line.marker.radius = 1.4;
            panel_.lines.push_back(std::move(line));
        }
    }

    void put(const Branch& branch, const SpecialPoint* begins) {
        const auto all = stations(branch, begins);
        const auto kinds = stretches(all);
        const std::size_t copies =
            branch.points.empty() ? 0 : branch.points.front().returns.size() + 1;
        for (record::Line& line : panel_.lines) {
            for (std::size_t copy = 0; copy < copies; ++copy) {
                for (std::size_t i = 0; i < all.size(); ++i) {
                    if (line.dots) {
                        if (!all[i].special && word(all[i].point->orbit) == line.label)
                            put(line, all[i], copy);
                        continue;
                    }
                    const bool from = i > 0 && kinds[i - 1] == line.label;
                    const bool on = i < kinds.size() && kinds[i] == line.label;
                    if (on && !from) interrupt(line);
                    if (on || from) put(line, all[i], copy);
                }
            }
        }
        for (const Branch& other : branch.switched) {
            const SpecialPoint& at = branch.special[other.from];
            const bool leaves = at.kind == "period_doubling" || at.kind == "symmetry_breaking";
            put(other, leaves ? &at : nullptr);
        }
    }

    // After the lines, so that they lie on top.
    void put_signs(const Branch& root) {
        for (const Branch* branch : with_switched(root)) {
            for (const SpecialPoint& s : branch->special) {
                if (s.kind == "end") continue;
                record::Line& line = sign(s.kind);
                for (std::size_t copy = 0; copy <= s.point.returns.size(); ++copy) {
                    line.x.push_back(s.point.parameter);
                    line.y.push_back(value_(s.point, copy));
                }
            }
        }
        std::erase_if(panel_.lines, [](const record::Line& line) { return line.x.empty(); });
    }

  private:
    static void interrupt(record::Line& line) {
        line.x.push_back(k_gap);
        line.y.push_back(k_gap);
    }

    // A branch that leaves at a doubling begins at the values of the shorter orbit, each of them several times.
    void put(record::Line& line, const Station& at, std::size_t copy) const {
        line.x.push_back(at.point->parameter);
        line.y.push_back(value_(*at.point, copy % (at.point->returns.size() + 1)));
    }

    record::Line& sign(const std::string& kind) {
        const std::string label = spoken(kind);
        const auto at = std::find_if(panel_.lines.begin(), panel_.lines.end(),
                                     [&](const record::Line& line) { return line.label == label; });
        if (at != panel_.lines.end()) return *at;
        record::Line line;
        line.label = label;
        line.dots = true;
        const SpecialSign s = sign_of(kind);
        line.marker = s.marker;
        line.colour = s.colour;
        return *panel_.lines.insert(panel_.lines.end(), std::move(line));
    }

    record::Panel& panel_;
    const Value& value_;
};

record::Panel panel(const Branch& root, const std::string& x_label, const std::string& y_label,
                    const Value& value) {
    record::Panel result;
    result.x_label = x_label;
    result.y_label = y_label;
    result.height = 260.0;
    PanelOf drawing(result, value);
    drawing.put(root, nullptr);
    drawing.put_signs(root);
    return result;
}

} // namespace

SpecialSign sign_of(std::string_view kind) {
    constexpr double k_radius = 4.2;
    struct Known {
        std::string_view kind;
        int corners;
        double turn;
        bool hollow;
        const char* colour;
    };
    static constexpr Known known[] = {
        {"fold", 4, 0.125, false, "#2e8b57"},
        {"period_doubling", 0, 0.0, false, "#8a4fa8"},
        {"neimark_sacker", 0, 0.0, true, "#8a4fa8"},
        {"symmetry_breaking", 4, 0.0, false, "#b8860b"},
        {"branch_point", 4, 0.0, true, "#b8860b"},
        {"grazing", 3, 0.0, false, "#a83253"},
        {"corner", 3, 0.0, true, "#a83253"},
        {"impact_branch", 3, 0.5, false, "#a83253"},
        {"lift_off", 3, 0.5, true, "#a83253"},
        {"crossing_sliding", 5, 0.0, false, "#0f8b8d"},
        {"grazing_sliding", 5, 0.0, true, "#0f8b8d"},
        {"switching_sliding", 6, 0.0, false, "#0f8b8d"},
        {"adding_sliding", 6, 0.0, true, "#0f8b8d"},
    };
    for (const Known& k : known) {
        if (k.kind == kind) return {{k.corners, k.turn, k.hollow, k_radius}, k.colour};
    }
    return {{4, 0.125, true, k_radius}, "#555555"};
}

record::Figure figure(const Branch& branch, const flow::Flow& flow, std::size_t parameter) {
    record::Figure result;
    const std::string& name = flow.parameter_names[parameter];
    result.title = flow.model;
    result.caption =
        fmt::format("liaison {} · {} · orbits over {}", base::k_version, flow.realisation, name);
    constexpr std::size_t k_panels = 2;
    const bool forced = !branch.points.empty() && branch.points.front().orbit.forced;
    for (std::size_t i = 0; i < flow.n_positions && result.panels.size() < k_panels; ++i) {
        if (!varies(branch, i)) continue;
        const std::string where = forced
                                      ? fmt::format(" at phase {:.3g} of the force", branch.phase)
                                      : std::string(" after the first event");
        result.panels.push_back(panel(branch, name, flow.state_names[i] + where, section_state(i)));
    }
    if (!branch.points.empty() && !forced)
        result.panels.push_back(panel(branch, name, "period",
                                      only([](const BranchPoint& p) { return p.orbit.period; })));
    // Without bound near a grazing: larger ones would hide all others.
    constexpr double k_largest = 10.0;
    result.panels.push_back(
        panel(branch, name, "largest |µ|, up to 10", only([](const BranchPoint& p) {
                  const double largest = largest_multiplier(p.orbit);
                  return largest > k_largest ? k_gap : largest;
              })));
    return result;
}

} // namespace liaison::analysis
