// SPDX-License-Identifier: Apache-2.0
// Columns of the map: roots along the second variable cut them into boxes of one case.
#include "liaison/ask/painleve_map.hpp"

#include "liaison/solve/scalar_root.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numbers>
#include <optional>
#include <utility>
#include <vector>

namespace liaison::ask {
namespace {

using analysis::SlipCase;
using analysis::SlipNumbers;
using Json = nlohmann::ordered_json;

// A place of a variable on its grid.
double place(const analysis::Variable& v, std::size_t i, std::size_t count) {
    return v.from + (v.to - v.from) * static_cast<double>(i) / static_cast<double>(count - 1);
}
double unit(const Scanned& range) { return range.degrees ? 180.0 / std::numbers::pi : 1.0; }
std::string label(const Scanned& range) {
    return range.variable.name + (range.degrees ? " (degrees)" : "");
}

class Regions {
  public:
    Regions(const analysis::SlipScan& scan, const Scanned& x, const Scanned& y, double sign,
            base::Interrupt interrupt)
        : scan_(scan), x_(x), y_(y), sign_(sign),
          columns_(x.variable.points > 1 ? x.variable.points : 121),
          rows_(y.variable.points > 1 ? y.variable.points : 41) {
        for (const SlipCase c : {SlipCase::regular, SlipCase::separation, SlipCase::inconsistent,
                                 SlipCase::indeterminate})
            areas_.push_back({std::string(analysis::name(c)), {}});
        for (std::size_t i = 0; i < columns_ && !base::raised(interrupt); ++i) column(i);
        for (std::size_t j = 0; j < rows_ && !base::raised(interrupt); ++j) row(j);
    }

    [[nodiscard]] record::Panel panel() const {
        record::Panel panel;
        panel.x_label = label(x_);
        panel.y_label = label(y_);
        panel.height = 420.0;
        panel.areas = areas_;
        std::erase_if(panel.areas, [](const record::Area& a) { return a.boxes.empty(); });
        for (const Boundary* b : {&response_, &free_}) {
            if (!b->curve.x.empty()) panel.lines.push_back(b->curve);
        }
        return panel;
    }
    [[nodiscard]] const Json& response() const { return response_.places; }
    [[nodiscard]] const Json& free() const { return free_.places; }

  private:
    struct Boundary {
        record::Line curve;
        Json places = Json::array();
    };

    [[nodiscard]] std::optional<SlipNumbers> at(double a, double b) const {
        return scan_.at({x_.variable, y_.variable}, {a, b}, sign_);
    }
    void column(std::size_t i) {
        const auto& v = x_.variable;
        const double a = place(v, i, columns_);
        const double half = 0.5 * (v.to - v.from) / static_cast<double>(columns_ - 1);
        std::vector<double> cuts{y_.variable.from, y_.variable.to};
        for (std::size_t j = 0; j + 1 < rows_; ++j) {
            const double low = place(y_.variable, j, rows_);
            const double high = place(y_.variable, j + 1, rows_);
            const auto along = [&](double b) { return std::pair(a, b); };
            find(along, low, high, &SlipNumbers::response, response_, &cuts);
            find(along, low, high, &SlipNumbers::free, free_, &cuts);
        }
        std::ranges::sort(cuts);
        for (std::size_t k = 0; k + 1 < cuts.size(); ++k) {
            const auto s = at(a, 0.5 * (cuts[k] + cuts[k + 1]));
            if (!s || !(cuts[k] < cuts[k + 1])) continue;
            areas_[static_cast<std::size_t>(s->slip_case())].boxes.push_back(
                {std::max(a - half, v.from) * unit(x_), std::min(a + half, v.to) * unit(x_),
                 cuts[k] * unit(y_), cuts[k + 1] * unit(y_)});
        }
    }
    // Boundaries that run along the second variable are crossed by the first only.
    void row(std::size_t j) {
        const double b = place(y_.variable, j, rows_);
        const auto along = [&](double a) { return std::pair(a, b); };
        for (std::size_t i = 0; i + 1 < columns_; ++i) {
            const double low = place(x_.variable, i, columns_);
            const double high = place(x_.variable, i + 1, columns_);
            find(along, low, high, &SlipNumbers::response, response_, nullptr);
            find(along, low, high, &SlipNumbers::free, free_, nullptr);
        }
    }
    // Where the number vanishes between two places of the variable that `along` moves.
    template <class Along>
    void find(const Along& along, double low, double high, double SlipNumbers::* what,
              Boundary& boundary, std::vector<double>* cuts) const {
        const auto found = solve::find_scalar_root(
            [&](double value) {
                const auto [a, b] = along(value);
                const auto s = at(a, b);
                return s ? (*s).*what : std::numeric_limits<double>::quiet_NaN();
            },
            low, high);
        if (found.status != solve::ScalarRootStatus::found) return;
        const auto [a, b] = along(found.root);
        boundary.curve.x.push_back(a * unit(x_));
        boundary.curve.y.push_back(b * unit(y_));
        boundary.places.push_back({{x_.variable.name, a}, {y_.variable.name, b}});
        if (cuts != nullptr) cuts->push_back(found.root);
    }

    const analysis::SlipScan& scan_;
    const Scanned& x_;
    const Scanned& y_;
    double sign_;
    std::size_t columns_;
    std::size_t rows_;
    std::vector<record::Area> areas_;
    Boundary response_{{"B1' = 0", {}, {}, false, true}};
    Boundary free_{{"A1 = 0", {}, {}, false, true}};
};

} // namespace

SlipMap slip_map(const analysis::SlipScan& scan, const Scanned& x, const Scanned& y,
                 const Slip& slip, const std::string& contact, base::Interrupt interrupt) {
    const Regions regions(scan, x, y, slip.sign, interrupt);
    SlipMap map;
    map.figure.title = fmt::format("contact {}, slip {}", contact, slip.word);
    map.figure.caption = "inconsistent: no motion of the rigid model; indeterminate: several";
    map.figure.panels.push_back(regions.panel());
    map.boundaries = {
        {"slip", slip.word}, {"boundary", regions.response()}, {"free_boundary", regions.free()}};
    return map;
}

} // namespace liaison::ask
