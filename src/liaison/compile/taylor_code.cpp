// SPDX-License-Identifier: Apache-2.0
// Taylor expansions by evaluators of the unrolled plan, and the choice between them and the interpreter.
#include "liaison/base/assert.hpp"
#include "liaison/compile/taylor_batch.hpp"
#include "liaison/compile/taylor_loops.hpp"
#include "liaison/compile/taylor_unroll.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>

namespace liaison::compile {
namespace {

// Straight code runs up to a quarter faster than loops, but takes twenty times as long to make (14 000 products: 1.1 s
// against 54 ms); it grows with the square of the order, and at 60 000 products it is no faster.
constexpr double k_usually_unrolled = 2e4;
constexpr double k_largest_unrolled = 3e4;

CodeForm form_of(const TaylorPlan& plan, unsigned order, const TaylorOptions& options) {
    if (options.form != CodeForm::automatic) return options.form;
    return static_cast<double>(plan.cost(order)) > k_usually_unrolled ? CodeForm::loops
                                                                      : CodeForm::unrolled;
}

// Machine code takes at most half the time of the interpreter.
bool compiling_pays(const TaylorPlan& plan, unsigned order, CodeForm form, double expansions) {
    return 0.5 * interpreting_time(plan, order) * expansions > making_time(plan, order, form);
}

// Workspace: inputs, then outputs. Slow stages are run again only after bind().
class TaylorCode {
  public:
    TaylorCode(const TaylorPlan& plan, unsigned order, std::uint32_t lanes,
               const TaylorOptions& options)
        : evaluator_(
              make_evaluator(unroll_taylor(plan, order), {.backend = Backend::llvm,
                                                          .lanes = lanes,
                                                          .cpu = options.cpu,
                                                          .evaluations = options.expansions,
                                                          .cache = options.cache,
                                                          .only_cached = options.only_cached})),
          lanes_(evaluator_.lanes()), n_parameters_(plan.n_parameters * lanes_),
          n_modes_(plan.n_modes * lanes_), n_states_(plan.states.size() * lanes_),
          timed_(plan.time != TaylorPlan::k_none),
          outputs_(n_parameters_ + n_modes_ + n_states_ + lanes_),
          singular_(outputs_ + (evaluator_.n_outputs() - 2) * lanes_) {}

    [[nodiscard]] std::uint32_t lanes() const { return evaluator_.lanes(); }
    [[nodiscard]] TaylorWorkspace workspace() const {
        TaylorWorkspace w;
        w.data.assign(outputs_ + evaluator_.n_outputs() * lanes_, 0.0);
        w.code = evaluator_.make_workspace();
        return w;
    }
    [[nodiscard]] std::size_t outputs() const { return outputs_; }

    // A singular matrix is found out in the next expansion.
    bool bind(std::span<const double> parameters, std::span<const double> modes,
              TaylorWorkspace& w) const {
        LIAISON_ASSERT(parameters.size() == n_parameters_ && modes.size() == n_modes_,
                       "one value per parameter and mode");
        std::copy(parameters.begin(), parameters.end(), w.data.begin());
        std::copy(modes.begin(), modes.end(),
                  w.data.begin() + static_cast<std::ptrdiff_t>(n_parameters_));
        w.bound = false;
        return true;
    }

    // Always to the order it was made for.
    bool expand(std::span<const double> time, std::span<const double> state, unsigned /*order*/,
                TaylorWorkspace& w) const {
        LIAISON_ASSERT(state.size() == n_states_ && time.size() == lanes_,
                       "one value per state and lane");
        double* const data = w.data.data();
        double* const states = data + n_parameters_ + n_modes_;
        for (std::size_t i = 0; i < n_states_; ++i) states[i] = state[i];
        for (std::size_t l = 0; timed_ && l < lanes_; ++l) states[n_states_ + l] = time[l];
        evaluator_.run(data, data + outputs_, w.code, w.bound ? Stage::time : Stage::constant);
        w.bound = true;
        return std::all_of(data + singular_, data + singular_ + lanes_,
                           [](double status) { return status == 0.0; });
    }

  private:
    Evaluator evaluator_;
    std::size_t lanes_;
    std::size_t n_parameters_;
    std::size_t n_modes_;
    std::size_t n_states_;
    bool timed_;
    std::size_t outputs_; // places in the workspace
    std::size_t singular_;
};

// Code: TaylorCode or TaylorLoops.
template <class Code>
class ScalarCode final : public Taylor {
  public:
    ScalarCode(TaylorPlan plan, unsigned order, const TaylorOptions& options)
        : Taylor(std::move(plan), order), code_(plan_, order, 1, options) {
        const std::size_t n = plan_.states.size() + plan_.outputs.size();
        for (std::size_t i = 0; i < n; ++i) {
            auto& offsets = i < plan_.states.size() ? state_offsets_ : output_offsets_;
            offsets.push_back(code_.outputs() + i * (order + std::size_t{1}));
        }
    }
    [[nodiscard]] Backend backend() const override { return Backend::llvm; }
    [[nodiscard]] TaylorWorkspace workspace() const override { return code_.workspace(); }
    bool bind(std::span<const double> parameters, std::span<const double> modes,
              TaylorWorkspace& w) const override {
        return code_.bind(parameters, modes, w);
    }
    bool expand(double time, std::span<const double> state, unsigned order,
                TaylorWorkspace& w) const override {
        LIAISON_ASSERT(order <= max_order_, "the code was made for a lower order");
        return code_.expand({&time, 1}, state, order, w);
    }

  private:
    Code code_;
};

template <class Code>
class LaneCode final : public TaylorBatch {
  public:
    LaneCode(TaylorPlan plan, unsigned order, std::uint32_t lanes, const TaylorOptions& options)
        : TaylorBatch(std::move(plan), order), code_(plan_, order, lanes, options) {
        lanes_ = code_.lanes();
    }
    [[nodiscard]] Backend backend() const override { return Backend::llvm; }
    [[nodiscard]] TaylorWorkspace workspace() const override { return code_.workspace(); }
    void bind(std::span<const double> parameters, std::span<const double> modes,
              TaylorWorkspace& w) const override {
        code_.bind(parameters, modes, w);
    }
    bool expand(std::span<const double> time, std::span<const double> state,
                TaylorWorkspace& w) const override {
        return code_.expand(time, state, order_, w);
    }

  private:
    [[nodiscard]] const double* coefficients(const TaylorWorkspace& w) const override {
        return w.data.data() + code_.outputs();
    }
    Code code_;
};

// Lane after lane through the interpreter. Workspace: the scalar one, then the parameters and modes of the lanes,
// then the coefficients in rows.
class LaneTape final : public TaylorBatch {
  public:
    LaneTape(TaylorPlan plan, unsigned order, std::uint32_t lanes)
        : TaylorBatch(plan, order), scalar_(interpret_taylor(std::move(plan), order)),
          fixed_(scalar_->workspace().data.size()), n_fixed_(plan_.n_parameters + plan_.n_modes),
          rows_(fixed_ + n_fixed_ * lanes) {
        lanes_ = lanes;
    }
    [[nodiscard]] Backend backend() const override { return Backend::tape; }
    [[nodiscard]] TaylorWorkspace workspace() const override {
        TaylorWorkspace w = scalar_->workspace();
        w.data.resize(rows_ + (n_series() * (order_ + std::size_t{1}) + 1) * lanes_, 0.0);
        // room for the numbers of one lane
        w.lane.assign(n_fixed_ + plan_.states.size(), 0.0);
        return w;
    }
    void bind(std::span<const double> parameters, std::span<const double> modes,
              TaylorWorkspace& w) const override {
        std::copy(parameters.begin(), parameters.end(),
                  w.data.begin() + static_cast<std::ptrdiff_t>(fixed_));
        std::copy(modes.begin(), modes.end(),
                  w.data.begin() + static_cast<std::ptrdiff_t>(fixed_ + parameters.size()));
    }
    bool expand(std::span<const double> time, std::span<const double> state,
                TaylorWorkspace& w) const override {
        bool regular = true;
        const std::size_t n = plan_.states.size();
        const std::span<double> lane(w.lane);
        for (std::size_t l = 0; l < lanes_; ++l) {
            for (std::size_t i = 0; i < n_fixed_; ++i) lane[i] = w.data[fixed_ + i * lanes_ + l];
            for (std::size_t i = 0; i < n; ++i) lane[n_fixed_ + i] = state[i * lanes_ + l];
            const auto parameters = lane.first(plan_.n_parameters);
            const auto modes = lane.subspan(plan_.n_parameters, plan_.n_modes);
            const bool good = scalar_->bind(parameters, modes, w) &&
                              scalar_->expand(time[l], lane.subspan(n_fixed_), order_, w);
            for (std::size_t i = 0; i < n_series(); ++i) {
                const auto c =
                    i < n ? scalar_->state(w, i, order_) : scalar_->output(w, i - n, order_);
                for (std::size_t k = 0; k <= order_; ++k) {
                    w.data[rows_ + (i * (order_ + std::size_t{1}) + k) * lanes_ + l] = c[k];
                }
            }
            w.data[rows_ + n_series() * (order_ + std::size_t{1}) * lanes_ + l] = good ? 0.0 : 1.0;
            regular = regular && good;
        }
        return regular;
    }

  private:
    [[nodiscard]] const double* coefficients(const TaylorWorkspace& w) const override {
        return w.data.data() + rows_;
    }
    std::unique_ptr<Taylor> scalar_;
    std::size_t fixed_; // places in the workspace
    std::size_t n_fixed_;
    std::size_t rows_;
};

// Machine code if it is wanted, or pays and can be made.
template <class Code, class Tape>
auto choose(const TaylorPlan& plan, unsigned order, const TaylorOptions& options, double lanes,
            Code code, Tape tape) {
    if (options.backend == Backend::llvm) return code();
    if (options.backend == Backend::tape ||
        !compiling_pays(plan, order, form_of(plan, order, options), options.expansions * lanes))
        return tape();
    try {
        return code();
    } catch (const std::runtime_error&) {
        return tape(); // no LLVM here: the same numbers, slower
    }
}

} // namespace

double making_time(const TaylorPlan& plan, unsigned order, CodeForm form) {
    constexpr double k_opening = 20e-3;
    constexpr double k_rule = 0.3e-3; // of loops
    constexpr double k_product = 40e-6; // of straight code, and more where there are many
    constexpr double k_many = 1e4;
    if (form == CodeForm::loops) return k_opening + k_rule * static_cast<double>(plan.rules.size());
    const auto products = static_cast<double>(plan.cost(order));
    if (products > k_largest_unrolled) return std::numeric_limits<double>::infinity();
    return k_opening + k_product * products * (1.0 + products / k_many);
}

double interpreting_time(const TaylorPlan& plan, unsigned order) {
    constexpr double k_step = 200e-9;
    constexpr double k_product = 2e-9;
    constexpr double k_of_many = 0.8e-9; // packed into registers
    const auto products = static_cast<double>(plan.cost(order));
    return k_step + (products > k_largest_unrolled ? k_of_many : k_product) * products;
}

std::unique_ptr<Taylor> make_taylor(const TaylorPlan& plan, unsigned order,
                                    const TaylorOptions& options) {
    return choose(
        plan, order, options, 1.0,
        [&]() -> std::unique_ptr<Taylor> {
            if (form_of(plan, order, options) == CodeForm::loops)
                return std::make_unique<ScalarCode<TaylorLoops>>(plan, order, options);
            return std::make_unique<ScalarCode<TaylorCode>>(plan, order, options);
        },
        [&]() -> std::unique_ptr<Taylor> { return interpret_taylor(plan, order); });
}

std::unique_ptr<TaylorBatch> make_taylor_batch(const TaylorPlan& plan, unsigned order,
                                               std::uint32_t lanes, const TaylorOptions& options) {
    constexpr std::uint32_t k_usual = 4;
    return choose(
        plan, order, options, std::max(lanes, 1U),
        [&]() -> std::unique_ptr<TaylorBatch> {
            if (form_of(plan, order, options) == CodeForm::loops)
                return std::make_unique<LaneCode<TaylorLoops>>(plan, order, lanes, options);
            return std::make_unique<LaneCode<TaylorCode>>(plan, order, lanes, options);
        },
        [&]() -> std::unique_ptr<TaylorBatch> {
            return std::make_unique<LaneTape>(plan, order, lanes == 0 ? k_usual : lanes);
        });
}

} // namespace liaison::compile
