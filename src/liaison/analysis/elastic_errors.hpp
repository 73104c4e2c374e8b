// SPDX-License-Identifier: Apache-2.0
// What separates an elastic motion from the rigid one, or from another elastic one, quantity by quantity.
#pragma once

#include "liaison/analysis/rigid_facts.hpp"

#include <optional>
#include <utility>
#include <vector>

namespace liaison::analysis {

// Reads errors against one rigid motion. Nothing is returned where a motion has no such quantity.
class ElasticErrors {
  public:
    ElasticErrors(const model::Model& model, const std::vector<ContactMetric>& sides,
                  const std::vector<RigidFacts>& facts, const Track& limit,
                  const std::vector<double>& times);

    // The motion leans on a contact from the start; until then it does.
    [[nodiscard]] bool leans() const { return leans_; }
    [[nodiscard]] double leans_until() const { return leans_until_; }

    [[nodiscard]] static double penetration(const Track& soft);
    // Largest gap rate of the contacts that are leant on.
    [[nodiscard]] std::optional<double> speed(const Track& soft) const;
    // Along the contacts that are leant on: positions, velocities.
    [[nodiscard]] std::optional<AlongDifference> along(const Track& one, const Track& other) const;
    // Largest difference of the gap rate after the first lift-off, once both motions have left and until the next contact.
    [[nodiscard]] std::optional<double> release_speed(const Track& one, const Track& other) const;
    // Largest path v·t_c of the impacts, t_c the duration of the elastic contact.
    [[nodiscard]] std::optional<double> delay(const Track& soft) const;
    // Largest |e_N − e| over the impacts (of an accumulating contact: over the first alone).
    [[nodiscard]] std::optional<double> restitution(const Track& soft) const;

  private:
    struct Phase {
        double in = 0.0; // times
        double out = 0.0;
        double speed_in = 0.0;
        double speed_out = 0.0;
    };
    // Contact phases of a side that begin on the way, in order; one that stays on has speed_out = 0.
    [[nodiscard]] std::vector<Phase> phases(const Track& soft, const ContactMetric& side) const;
    [[nodiscard]] double last_release(const Track& track, const ContactMetric& side,
                                      double before) const;

    const model::Model& model_;
    const std::vector<ContactMetric>& sides_;
    const std::vector<RigidFacts>& facts_;
    const Track& limit_;
    const std::vector<double>& times_;
    prepare::Evaluator evaluator_;
    bool leans_ = false;
    double leans_until_ = 0.0;
};

} // namespace liaison::analysis
