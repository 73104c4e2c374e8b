// SPDX-License-Identifier: Apache-2.0
// Candidates of guides at rest, and their acceptance by leading Taylor coefficients.
#include "liaison/realise/guide_decision.hpp"

#include <algorithm>
#include <cmath>

namespace liaison::realise {
namespace {

using expr::Interval;
using expr::IntervalSeries;
using flow::Instant;
using flow::leading_term;
using flow::LeadingTerm;

// ṡ and λ up to t²: a slip that begins with t³ (released in a dead centre) is decided.
constexpr std::size_t k_degree = 2;
// Candidates that are looked at, at most: seven guides at rest.
constexpr std::size_t k_most = 100000;
// What numbers alone decide: violations by more than this share of the largest value among the candidates.
constexpr double k_clear = 1e-6;
// Response of a slip to its own friction, as a share of that of the bodies without constraints, at which others determine it.
constexpr double k_determined = 1e-9;

struct Option {
    double sign = 0.0; // 0: sticks
    double sense = 1.0;
};

// The constraints and those that stick leave the slip no freedom: D_tt with the guide's own constraint kept vanishes.
bool is_determined(const GuideItem& g, const Instant& now) {
    const auto c = g.changes(now);
    const double response = c[3] - (c[0] != 0.0 ? c[1] * c[2] / c[0] : 0.0);
    return !(std::abs(response) > k_determined * facts(g, now).slip_alone);
}

// The largest numbers among all candidates, by guide.
struct Sizes {
    double slip_rate = 0.0;
    double force = 0.0;
};

struct Accepted {
    GuideDecision::Decided decided;
    std::size_t moving = 0;
    double margin = 1.0; // least share of a bound that a sticking guide has left
    bool present = false; // stick and signs as they were
};

class Trial {
  public:
    Trial(std::span<const GuideItem> guides, std::span<const char> resting, const Instant& now,
          flow::InstantSeries series)
        : guides_(guides), resting_(resting), before_(now.mode), now_(now),
          series_(std::move(series)), sizes_(guides.size()) {
        for (std::size_t i = 0; i < guides.size(); ++i) {
            const GuideItem& g = guides[i];
            // The present sense first: where a reaction is zero for good both are the same.
            const double sense = before_[g.sense] < 0.0 ? -1.0 : 1.0;
            std::vector<Option> own;
            if (resting[i] == 0) {
                const double sign = facts(g, now).slip > 0.0 ? 1.0 : -1.0;
                own = {{sign, sense}, {sign, -sense}};
            } else {
                own = {{0.0, sense}, {1.0, sense}, {1.0, -sense}, {-1.0, sense}, {-1.0, -sense}};
            }
            options_.push_back(std::move(own));
        }
    }

    std::size_t count() const {
        std::size_t all = 1;
        for (const auto& own : options_) all = std::min(all * own.size(), 2 * k_most);
        return all;
    }
    void measure() {
        for (std::size_t code = 0; code < count(); ++code) {
            set(code);
            for (std::size_t i = 0; i < guides_.size(); ++i) {
                if (now_.mode[guides_[i].stick] != 0.0) continue;
                const GuideFacts f = facts(guides_[i], now_);
                if (!(f.share > k_locked_guide)) continue;
                if (std::isfinite(f.slip_rate))
                    sizes_[i].slip_rate = std::max(sizes_[i].slip_rate, std::abs(f.slip_rate));
                if (std::isfinite(f.reaction))
                    sizes_[i].force = std::max(sizes_[i].force, std::abs(f.reaction));
            }
        }
    }
    // `sift`: what numbers show to be wrong is left out, which saves the series. Where all forces vanish together they are rounding
    // and show nothing.
    std::optional<Accepted> judge(std::size_t code, bool sift) {
        set(code);
        // Friction at rest may be more than in slip.
        for (std::size_t i = 0; i < guides_.size(); ++i) {
            const GuideItem& g = guides_[i];
            if (resting_[i] != 0 && now_.mode[g.sign] != 0.0 && is_determined(g, now_))
                now_.mode[g.slips] = 0.0;
        }
        if (!possible(sift)) return std::nullopt;
        return accepted();
    }

  private:
    void set(std::size_t code) {
        now_.mode = before_;
        for (std::size_t i = 0; i < guides_.size(); ++i) {
            const Option& o = options_[i][code % options_[i].size()];
            set_mode(guides_[i], now_, o.sign, o.sense);
            code /= options_[i].size();
        }
    }
    // By the numbers of the instant.
    bool possible(bool sift) const {
        for (std::size_t i = 0; i < guides_.size(); ++i) {
            const GuideItem& g = guides_[i];
            const GuideFacts f = facts(g, now_);
            if (!std::isfinite(f.slip_rate) || !std::isfinite(f.reaction)) return false;
            const double sign = now_.mode[g.sign];
            if (sign == 0.0) {
                if (is_determined(g, now_)) return false;
                if (!sift) continue;
                const double bound = f.sticking * std::abs(f.reaction);
                if (std::abs(f.holding) > (1.0 + k_clear) * bound + k_clear * sizes_[i].force)
                    return false;
                continue;
            }
            if (!(f.share > k_locked_guide)) return false;
            if (!sift) continue;
            if (f.reaction * now_.mode[g.sense] < -k_clear * sizes_[i].force) return false;
            if (resting_[i] != 0 && f.slip_rate * sign < -k_clear * sizes_[i].slip_rate)
                return false;
        }
        return true;
    }
    // By the leading terms.
    std::optional<Accepted> accepted() {
        const auto terms = coefficients();
        Accepted result;
        for (std::size_t i = 0; i < guides_.size(); ++i) {
            const GuideItem& g = guides_[i];
            const IntervalSeries& reaction = terms[4 * i + 1];
            const LeadingTerm presses = leading_term(reaction);
            if (now_.mode[g.sign] == 0.0) {
                if (!sticks(i, terms, presses, result)) return std::nullopt;
                continue;
            }
            if (presses.sign * now_.mode[g.sense] < 0.0) return std::nullopt;
            if (presses.order > 0 && presses.sign != 0)
                arm(g.first_guard + 1, presses.order, true, result);
            if (resting_[i] == 0) continue;
            const LeadingTerm starts = leading_term(terms[4 * i]);
            if (starts.sign != 0) {
                if (starts.sign * now_.mode[g.sign] < 0.0) return std::nullopt;
                // What constraints alone move had the friction of rest until here.
                const bool moved = now_.mode[g.slips] == 0.0;
                now_.mode[g.slips] = 1.0;
                if (moved) return accepted();
                arm(g.first_guard, starts.order + 1, true, result);
                ++result.moving;
            } else {
                // Nothing moves it, and nothing but others can be the reason.
                if (now_.mode[g.slips] != 0.0) return std::nullopt;
                result.decided.forces_chosen = true;
            }
        }
        result.decided.mode = now_.mode;
        result.present = std::ranges::all_of(guides_, [&](const GuideItem& g) {
            return now_.mode[g.stick] == before_[g.stick] && now_.mode[g.sign] == before_[g.sign];
        });
        return result;
    }
    bool sticks(std::size_t i, const std::vector<IntervalSeries>& terms, const LeadingTerm& presses,
                Accepted& result) {
        const GuideItem& g = guides_[i];
        const IntervalSeries& holding = terms[4 * i + 2];
        const IntervalSeries limit = terms[4 * i + 3] * terms[4 * i + 1];
        const int sense = presses.sign < 0 ? -1 : 1;
        const int pulls = leading_term(holding).sign < 0 ? -1 : 1;
        const Interval p(static_cast<double>(sense)), q(static_cast<double>(pulls));
        const LeadingTerm left = leading_term(p * limit - q * holding);
        if (left.sign < 0) return false;
        now_.mode[g.sense] = sense;
        // The guard is (μ|λ| − |T|)(μ|λ| + |T|).
        const LeadingTerm other = leading_term(p * limit + q * holding);
        if (left.sign > 0 && other.sign > 0 && left.order + other.order > 0)
            arm(g.first_guard + 2, left.order + other.order, false, result);
        const GuideFacts f = facts(g, now_);
        const double bound = f.sticking * std::abs(f.reaction);
        result.margin =
            std::min(result.margin, bound > 0.0 ? 1.0 - std::abs(f.holding) / bound : 0.0);
        return true;
    }
    static void arm(std::size_t guard, std::size_t multiplicity, bool crossed, Accepted& result) {
        result.decided.armed.push_back({guard, static_cast<int>(multiplicity), crossed});
    }
    // Where series do not exist (a force with a kink just here) the numbers alone decide.
    std::vector<IntervalSeries> coefficients() {
        if (auto found = series_(now_, k_degree)) return std::move(*found);
        std::vector<IntervalSeries> values;
        const auto within = [&](double value, double size) {
            constexpr double k_zero = 1e-9;
            values.emplace_back(0, Interval(value - k_zero * size, value + k_zero * size));
        };
        for (std::size_t i = 0; i < guides_.size(); ++i) {
            const GuideFacts f = facts(guides_[i], now_);
            within(f.slip_rate, sizes_[i].slip_rate);
            within(f.reaction, sizes_[i].force);
            within(f.holding, sizes_[i].force);
            within(f.sticking, 0.0);
        }
        return values;
    }

    std::span<const GuideItem> guides_;
    std::span<const char> resting_;
    std::vector<double> before_; // mode
    Instant now_;
    flow::InstantSeries series_;
    std::vector<Sizes> sizes_;
    std::vector<std::vector<Option>> options_;
};

// Whether the same guides move, the same way.
bool alike(std::span<const GuideItem> guides, const std::vector<double>& a,
           const std::vector<double>& b) {
    return std::ranges::all_of(guides, [&](const GuideItem& g) {
        return a[g.slips] == b[g.slips] && (a[g.slips] == 0.0 || a[g.sign] == b[g.sign]);
    });
}

} // namespace

GuideFacts facts(const GuideItem& g, const Instant& now) {
    const auto v = g.facts(now);
    return {v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7]};
}

void set_mode(const GuideItem& g, Instant& now, double sign, double sense) {
    now.mode[g.stick] = sign == 0.0 ? 1.0 : 0.0;
    now.mode[g.sign] = sign;
    now.mode[g.sense] = sense;
    now.mode[g.slips] = sign == 0.0 ? 0.0 : 1.0;
}

std::optional<GuideDecision::Decided> GuideDecision::decide(std::span<const GuideItem> guides,
                                                            std::span<const char> resting,
                                                            const Instant& now) const {
    Trial trial(guides, resting, now, series_);
    if (trial.count() > k_most) return std::nullopt;
    trial.measure();
    std::vector<Accepted> all;
    for (const bool sift : {true, false}) {
        for (std::size_t code = 0; code < trial.count(); ++code) {
            if (auto one = trial.judge(code, sift)) all.push_back(std::move(*one));
        }
        if (!all.empty()) break;
    }
    if (all.empty()) return std::nullopt;
    // Rest before motion; then what acts already, then the sharing with most left.
    const auto better = [](const Accepted& a, const Accepted& b) {
        if (a.moving != b.moving) return a.moving < b.moving;
        if (a.present != b.present) return a.present;
        return a.margin > b.margin;
    };
    const auto best = std::ranges::min_element(all, better);
    Decided result = best->decided;
    result.several_motions = std::ranges::any_of(all, [&](const Accepted& other) {
        return !alike(guides, other.decided.mode, result.mode);
    });
    return result;
}

} // namespace liaison::realise
