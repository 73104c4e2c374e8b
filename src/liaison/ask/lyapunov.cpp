// SPDX-License-Identifier: Apache-2.0
// The exponents of the flow of a model.
#include "liaison/ask/lyapunov.hpp"

namespace liaison::ask {

Answer<LyapunovAnswer> lyapunov(const model::Model& model, const LyapunovQuestion& question,
                                const Control& control, base::Diagnostics diagnostics) {
    Answer<LyapunovAnswer> answer{{std::move(diagnostics), {}, {}, {}}, {}};
    const auto subject =
        subject_of(model, question.set, {}, "Lyapunov exponents are not computed", answer);
    if (!subject) return answer;
    analysis::LyapunovOptions options = question.options;
    options.interrupt = control.interrupt;
    if (control.progress)
        options.progress = [&](double time, double end) {
            control.progress({"t =", subject->flow->start_time, end, time});
        };
    control.begin(answer.diagnostics);
    answer.value = LyapunovAnswer{subject->flow, analysis::lyapunov(subject->flow, options)};
    return answer;
}

} // namespace liaison::ask
