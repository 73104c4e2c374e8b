// SPDX-License-Identifier: Apache-2.0
// Order 0, the rounds, and coefficients by series.
#include "liaison/compile/taylor_loops.hpp"

#include "liaison/base/assert.hpp"
#include "liaison/base/features.hpp"
#include "liaison/compile/cache.hpp"
#include "liaison/compile/fma_dispatch.hpp"
#include "liaison/compile/taylor_rules.hpp"
#if LIAISON_WITH_LLVM
#include "liaison/compile/code_key.hpp"
#include "liaison/compile/llvm_rounds.hpp"
#endif

#include <algorithm>
#include <stdexcept>

namespace liaison::compile {
namespace {

// Coefficients of one series and lane in the rows of the workspace.
struct Column {
    double* first = nullptr;
    std::size_t apart = 1;
    double& operator[](std::int64_t k) const { return first[static_cast<std::size_t>(k) * apart]; }
};

struct LoopSums {
    static double product(Column a, Column b, std::int64_t n, std::int64_t from, std::int64_t to) {
        return convolve(a, b, n, from, to);
    }
    static double square(Column a, std::int64_t n, std::int64_t from) {
        return convolve_square(a, n, from);
    }
};

#if LIAISON_WITH_LLVM
std::shared_ptr<const MachineCode> code_of(const TaylorPlan& plan, const RoundPlan& rounds,
                                           const Target& target, const TaylorOptions& options) {
    CodeCache& cache = options.cache != nullptr ? *options.cache : CodeCache::global();
    return cache
        .get(code_key(plan, rounds, target),
             [&] {
                 if (options.only_cached) throw std::runtime_error("the code was not made before");
                 return generate_rounds(plan, rounds, target);
             })
        .code;
}
#endif

} // namespace

TaylorLoops::TaylorLoops(const TaylorPlan& plan, unsigned order, std::uint32_t lanes,
                         const TaylorOptions& options)
    : plan_(plan) {
#if LIAISON_WITH_LLVM
    const Target target = target_of(options.cpu);
    if (!target.fma) throw std::runtime_error("loops over the order need a fused multiply-add");
    rounds_ = plan_rounds(plan, order, lanes == 0 ? target.widest : lanes, target.widest);
    code_ = code_of(plan_, rounds_, target, options);
#else
    (void)order;
    (void)lanes;
    (void)options;
    throw std::runtime_error("this liaison was built without LLVM");
#endif
    const std::size_t l = rounds_.lanes;
    const auto place = [&](std::uint32_t slot) { return slot * l; };
    for (const JetRule& r : plan_.prologue) prologue_.push_back(placed(plan_, r, place));
    for (const JetRule& r : plan_.rules) {
        if (!r.late) start_.push_back(placed(plan_, r, place));
    }
    size_ = rounds_.size * l;
    kernels_ = TaylorKernels(
        plan_, {.order = rounds_.n_series * l, .neighbour = l, .constant = l, .lanes = l}, place,
        size_);
    outputs_ = size_;
    size_ +=
        ((plan_.states.size() + plan_.outputs.size()) * (rounds_.order + std::size_t{1}) + 1) * l;
    for (unsigned k = 0; k <= rounds_.order; ++k)
        numbers_.push_back(round_numbers(std::max(k, 1U), std::max(rounds_.lanes, rounds_.width)));
    by_hand_.resize(rounds_.n_by_hand);
    for (std::size_t i = 0; i < plan_.rules.size(); ++i) {
        if (rounds_.by_hand[i] != RoundPlan::k_none)
            by_hand_[rounds_.by_hand[i]] = {this, placed(plan_, plan_.rules[i], place)};
    }
    links_.push_back(reinterpret_cast<const void*>(&TaylorLoops::interpret));
    for (const Interpreted& rule : by_hand_) links_.push_back(&rule);
}

TaylorWorkspace TaylorLoops::workspace() const {
    TaylorWorkspace w;
    w.data.assign(size_, 0.0);
    w.lane.assign(plan_.n_parameters + plan_.n_modes, 0.0);
    return w;
}

void TaylorLoops::interpret(const void* rule, double* data, double*, double*,
                            std::size_t lanes) noexcept {
    const auto& [owner, s] = *static_cast<const Interpreted*>(rule);
    const auto k = static_cast<unsigned>(data[owner->rounds_.clock * lanes]);
    const Reciprocal r = reciprocal(k);
    for (std::size_t l = 0; l < lanes; ++l) {
        if (s.kind == Jet::solve) {
            if (static_cast<std::int64_t>(k) <= s.degree) owner->kernels_.run(s, k, data, l);
            continue;
        }
        const auto series = [&](std::size_t place) {
            return Column{data + place + l, owner->rounds_.n_series * lanes};
        };
        next_coefficient(s, k, r, LoopSums{}, series(s.dst), series(s.a), series(s.b), series(s.c));
    }
}

struct TaylorLoops::Bind {
    [[gnu::always_inline]] static void run(const TaylorLoops* loops, const double* parameters,
                                           const double* modes, TaylorWorkspace* w) {
        const std::size_t lanes = loops->rounds_.lanes;
        const std::size_t n_parameters = loops->plan_.n_parameters;
        double* const fixed = w->lane.data();
        for (std::size_t l = 0; l < lanes; ++l) {
            double* const data = w->data.data();
            for (std::size_t i = 0; i < n_parameters; ++i) fixed[i] = parameters[i * lanes + l];
            for (std::size_t i = 0; i < loops->plan_.n_modes; ++i)
                fixed[n_parameters + i] = modes[i * lanes + l];
            for (const JetStep& s : loops->prologue_) {
                if (s.kind == Jet::value)
                    bind_value(s, loops->plan_, fixed, fixed + n_parameters, data + l);
                else
                    loops->kernels_.run(s, 0, data, l);
            }
        }
    }
};

struct TaylorLoops::Start {
    [[gnu::always_inline]] static void run(const TaylorLoops* loops, const double* time,
                                           const double* state, double* data) {
        const TaylorPlan& plan = loops->plan_;
        const std::size_t lanes = loops->rounds_.lanes;
        for (std::size_t i = 0; i < plan.states.size(); ++i)
            std::copy_n(state + i * lanes, lanes, data + plan.states[i] * lanes);
        if (plan.time != TaylorPlan::k_none) {
            std::copy_n(time, lanes, data + plan.time * lanes);
            std::fill_n(data + loops->rounds_.place(plan.time, 1) * lanes, lanes, 1.0);
        }
        for (const JetStep& s : loops->start_) {
            const bool kernel = s.kind == Jet::factor || s.kind == Jet::solve;
            for (std::size_t l = 0; l < lanes; ++l) {
                if (kernel)
                    loops->kernels_.run(s, 0, data, l);
                else
                    start_value(s, plan, data + l);
            }
        }
    }
};

bool TaylorLoops::bind(std::span<const double> parameters, std::span<const double> modes,
                       TaylorWorkspace& w) const {
    const std::size_t lanes = rounds_.lanes;
    LIAISON_ASSERT(parameters.size() == plan_.n_parameters * lanes &&
                       modes.size() == plan_.n_modes * lanes,
                   "one value per parameter and mode");
    run_dispatched<Bind>(this, parameters.data(), modes.data(), &w);
    return std::none_of(plan_.singular.begin(), plan_.singular.end(), [&](std::uint32_t s) {
        const double* status = w.data.data() + s * lanes;
        return s < plan_.n_constants &&
               std::any_of(status, status + lanes, [](double word) { return word != 0.0; });
    });
}

bool TaylorLoops::expand(std::span<const double> time, std::span<const double> state,
                         unsigned order, TaylorWorkspace& w) const {
    LIAISON_ASSERT(state.size() == plan_.states.size() * rounds_.lanes &&
                       time.size() == rounds_.lanes && order <= rounds_.order &&
                       w.data.size() == size_,
                   "state, order and workspace belong to this expansion");
    double* const data = w.data.data();
    run_dispatched<Start>(this, time.data(), state.data(), data);
    run_rounds(order, data);
    return finish(order, data);
}

void TaylorLoops::run_rounds(unsigned order, double* data) const {
    const std::size_t lanes = rounds_.lanes;
    for (unsigned k = 1; k <= order; ++k) {
        data[rounds_.clock * lanes] = k;
        double* const before = data + rounds_.place(plan_.n_constants, k - 1) * lanes;
        const RoundPlan::Round& round = k == 1 ? rounds_.first : rounds_.later;
        const std::size_t offset = k == 1 ? 0 : rounds_.first.parts.size();
        const std::size_t n = k < order ? round.parts.size() : round.for_outputs;
        for (std::size_t i = 0; i < n; ++i)
            code_->run_function(offset + i, numbers_[k].data(), before, data, links_.data());
    }
}

// Coefficients of states and outputs side by side; false where a matrix is singular.
bool TaylorLoops::finish(unsigned order, double* data) const {
    const std::size_t lanes = rounds_.lanes;
    double* series = data + outputs_;
    for (const auto* slots : {&plan_.states, &plan_.outputs}) {
        for (const std::uint32_t slot : *slots) {
            const double* from = data + slot * lanes;
            for (unsigned k = 0; k <= order; ++k, from += rounds_.n_series * lanes)
                std::copy_n(from, lanes, series + k * lanes);
            series += (rounds_.order + std::size_t{1}) * lanes;
        }
    }
    std::fill_n(series, lanes, 0.0);
    for (const std::uint32_t s : plan_.singular) {
        for (std::size_t l = 0; l < lanes; ++l)
            if (series[l] == 0.0) series[l] = data[s * lanes + l];
    }
    return std::all_of(series, series + lanes, [](double word) { return word == 0.0; });
}

} // namespace liaison::compile
