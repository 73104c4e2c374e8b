// SPDX-License-Identifier: Apache-2.0
// Taylor expansions by evaluators of the unrolled plan, and the choice between them and the interpreter.
#include "liaison/base/assert.hpp"
#include "liaison/compile/taylor_batch.hpp"
#include "liaison/compile/taylor_unroll.hpp"

#include <algorithm>
#include <stdexcept>

namespace liaison::compile {
namespace {

// Interpreting costs about 2 ns per product and expansion, machine code a quarter of that; making it takes
// 20 ms and 40 µs per product. Beyond the limit it outgrows the instruction caches as well.
bool compiling_pays(const TaylorPlan& plan, unsigned order, double expansions) {
    constexpr double largest = 2e4;
    const auto products = static_cast<double>(plan.cost(order));
    return products < largest && 1.5e-9 * products * expansions > 20e-3 + 40e-6 * products;
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

    void bind(std::span<const double> parameters, std::span<const double> modes,
              TaylorWorkspace& w) const {
        LIAISON_ASSERT(parameters.size() == n_parameters_ && modes.size() == n_modes_,
                       "one value per parameter and mode");
        std::copy(parameters.begin(), parameters.end(), w.data.begin());
        std::copy(modes.begin(), modes.end(),
                  w.data.begin() + static_cast<std::ptrdiff_t>(n_parameters_));
        w.bound = false;
    }

    bool expand(std::span<const double> time, std::span<const double> state,
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
        code_.bind(parameters, modes, w);
        return true;
    }
    bool expand(double time, std::span<const double> state, unsigned order,
                TaylorWorkspace& w) const override {
        LIAISON_ASSERT(order <= max_order_, "the code was made for a lower order");
        return code_.expand({&time, 1}, state, w);
    }

  private:
    TaylorCode code_;
};

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
        return code_.expand(time, state, w);
    }

  private:
    [[nodiscard]] const double* coefficients(const TaylorWorkspace& w) const override {
        return w.data.data() + code_.outputs();
    }
    TaylorCode code_;
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
        !compiling_pays(plan, order, options.expansions * lanes))
        return tape();
    try {
        return code();
    } catch (const std::runtime_error&) {
        return tape(); // no LLVM here: the same numbers, slower
    }
}

} // namespace

std::unique_ptr<Taylor> make_taylor(const TaylorPlan& plan, unsigned order,
                                    const TaylorOptions& options) {
    return choose(
        plan, order, options, 1.0,
        [&]() -> std::unique_ptr<Taylor> {
            return std::make_unique<ScalarCode>(plan, order, options);
        },
        [&]() -> std::unique_ptr<Taylor> { return interpret_taylor(plan, order); });
}

std::unique_ptr<TaylorBatch> make_taylor_batch(const TaylorPlan& plan, unsigned order,
                                               std::uint32_t lanes, const TaylorOptions& options) {
    constexpr std::uint32_t k_usual = 4;
    return choose(
        plan, order, options, std::max(lanes, 1U),
        [&]() -> std::unique_ptr<TaylorBatch> {
            return std::make_unique<LaneCode>(plan, order, lanes, options);
        },
        [&]() -> std::unique_ptr<TaylorBatch> {
            return std::make_unique<LaneTape>(plan, order, lanes == 0 ? k_usual : lanes);
        });
}

} // namespace liaison::compile
