// SPDX-License-Identifier: Apache-2.0
// Sweeps as HDF5 files: one dimension of motions, one of sections, one of what is observed.
#include "liaison/analysis/sweep_report.hpp"
#include "liaison/base/version.hpp"
#include "liaison/record/hdf5_writer.hpp"

#include <algorithm>
#include <limits>

namespace liaison::analysis {

std::string to_hdf5(const SweepTable& table) {
    const SweepPlan& plan = *table.plan;
    const auto& results = *table.results;
    const std::size_t n = results.size();
    const std::size_t width = plan.section.observed.size();
    std::size_t rows = 0;
    for (const SectionResult& r : results)
        rows = std::max(rows, width == 0 ? 0 : r.values.size() / width);
    std::vector<double> place(n), sections(rows);
    for (std::size_t i = 0; i < n; ++i) place[i] = static_cast<double>(i);
    for (std::size_t i = 0; i < rows; ++i) sections[i] = static_cast<double>(i);
    std::vector<std::vector<double>> axes(plan.axes.size());
    std::vector<double> label, period, impacts, attractor, values;
    values.reserve(n * rows * width);
    for (std::size_t i = 0; i < n; ++i) {
        const auto at = plan.values(i);
        for (std::size_t k = 0; k < axes.size(); ++k) axes[k].push_back(at[k]);
        label.push_back(static_cast<double>(results[i].label));
        period.push_back(results[i].period);
        impacts.push_back(results[i].impacts);
        if (!table.attractor.empty()) attractor.push_back(static_cast<double>(table.attractor[i]));
        values.insert(values.end(), results[i].values.begin(), results[i].values.end());
        values.resize((i + 1) * rows * width, std::numeric_limits<double>::quiet_NaN());
    }
    std::vector<std::string> words, observed;
    for (std::uint8_t k = 0; k <= static_cast<std::uint8_t>(MotionLabel::failed); ++k)
        words.emplace_back(name(static_cast<MotionLabel>(k)));
    for (const Observed& o : plan.section.observed) observed.push_back(o.label);
    return record::hdf5_image([&](const record::Hdf5Writer& file) {
        file.attribute("liaison", std::string(base::k_version));
        file.attribute("model", table.model);
        file.attribute("model_hash", table.model_hash);
        file.attribute("options", table.options);
        file.attribute("tolerance", plan.section.tolerance);
        file.numbers("motion", {n}, place);
        file.dimension("motion");
        const auto columns = axis_columns(plan);
        for (std::size_t k = 0; k < axes.size(); ++k) {
            file.numbers(columns[k], {n}, axes[k]);
            file.axis(columns[k], 0, "motion");
        }
        const auto by_motion = [&](const std::string& what, const std::vector<double>& numbers) {
            file.numbers(what, {n}, numbers);
            file.axis(what, 0, "motion");
        };
        file.words("label_word", words);
        by_motion("label", label);
        by_motion("period", period);
        by_motion("impacts", impacts);
        if (!attractor.empty()) by_motion("attractor", attractor);
        if (rows == 0 || width == 0) return;
        file.words("observed", observed);
        file.dimension("observed");
        file.numbers("section", {rows}, sections);
        file.dimension("section");
        file.numbers("values", {n, rows, width}, values);
        file.axis("values", 0, "motion");
        file.axis("values", 1, "section");
        file.axis("values", 2, "observed");
    });
}

} // namespace liaison::analysis
