// SPDX-License-Identifier: Apache-2.0
// The charts of unfolded contacts: which coordinate each gap replaces, and q and p kept on them.
#pragma once

#include "liaison/flow/probe.hpp"
#include "liaison/realise/routh.hpp"
#include "liaison/realise/routh_places.hpp"

#include <Eigen/Core>

#include <vector>

namespace liaison::realise {

class RouthCharts {
  public:
    RouthCharts(const Unfolded& unfolded, std::vector<RouthPlaces> places, const flow::Flow& flow);

    // q back on f(t, q) = s along the chart coordinates; p with its chart components zero; another chart where the
    // present one has become a bad one.
    void keep_straight(flow::Instant& now) const;

  private:
    [[nodiscard]] Eigen::MatrixXd charts(const flow::Instant& now) const;
    // A chart is kept while its slope is not below a tenth of the best one.
    void choose(flow::Instant& now, const Eigen::MatrixXd& F) const;

    std::vector<RouthPlaces> places_;
    std::size_t n_;
    flow::Probe straight_;
};

} // namespace liaison::realise
