// SPDX-License-Identifier: Apache-2.0
// Tables of what is asked: events, the inverse problem, the start, the run, periods, the picture.
#include "liaison/model/read_tables.hpp"
#include "liaison/model/realisation_words.hpp"

#include <array>

namespace liaison::model {

void Tables::events(const Value& table) {
    for (const Entry& entry : table.entries) {
        const Value& event = entry.value;
        const Value* when = event.is_table() ? event.get("when") : nullptr;
        if (when == nullptr) continue;
        EventDraft& draft =
            builder_.event({entry.key, entry.key_span}, expression(*when, text::Form::condition));
        Event::Direction direction{};
        if (word(event, "direction", direction,
                 {{"up", Event::Direction::up},
                  {"down", Event::Direction::down},
                  {"both", Event::Direction::both}})) {
            draft.direction = direction;
        }
        draft.direction_span = span_of(event.get("direction"));
        boolean(event, "stop", draft.stop);
        if (const Value* set = event.get("set"); set != nullptr && set->is_table()) {
            draft.set = components(set, {"velocity", "state"});
            draft.set_velocity = components(set->get("velocity"));
            draft.set_state = components(set->get("state"));
        }
    }
}

void Tables::invert(const Entry& entry) {
    InvertDraft& draft = draft_.invert.emplace();
    draft.span = entry.key_span;
    draft.unknown = names(entry.value.get("unknown"));
    draft.positions = names(entry.value.get("positions"));
    draft.free = expressions(entry.value.get("free"));
    boolean(entry.value, "positional", draft.positional);
    draft.stabilise = expression(entry.value, "stabilise");
    const Value* follow = entry.value.get("follow");
    if (follow == nullptr || !follow->is_table()) return;
    for (const Entry& one : follow->entries) {
        Written written = expression(one.value, text::Form::equation);
        if (written) draft.follow.push_back({Name(one.key, one.key_span), std::move(written)});
    }
}

void Tables::start(const Entry& entry) {
    const Value& table = entry.value;
    StartDraft& draft = draft_.start;
    draft.span = entry.key_span;
    draft.values = components(&table, {"velocity", "closed", "solve", "time", "inconsistent"});
    draft.velocities = components(table.get("velocity"));
    draft.closed = names(table.get("closed"));
    draft.solve = names(table.get("solve"));
    draft.closed_span = span_of(table.get("closed"));
    draft.solve_span = span_of(table.get("solve"));
    draft.time = expression(table, "time");
    word(table, "inconsistent", draft.inconsistent,
         {{"refuse", Inconsistent::refuse},
          {"project", Inconsistent::project},
          {"relax", Inconsistent::relax}});
}

void Tables::run(const Entry& entry) {
    const Value& table = entry.value;
    RunDraft& draft = draft_.run;
    RunOptions& options = draft.options;
    options.span = entry.key_span;
    draft.until = expression(table, "until");
    draft.step = expression(table, "step");
    draft.hold = names(table.get("hold"));
    draft.hold_rate = expression(table, "hold_rate");
    number(table, "tolerance", options.tolerance);
    if (options.tolerance && !(*options.tolerance > 0.0)) options.tolerance.reset();
    draft.tolerance_span = span_of(table.get("tolerance"));
    draft.method_span = span_of(table.get("method"));
    draft.contact_span = span_of(table.get("contact"));
    word(table, "method", options.method,
         {{"taylor", Method::taylor},
          {"rk", Method::rk},
          {"stiff", Method::stiff},
          {"dae", Method::dae},
          {"euler", Method::euler},
          {"heun", Method::heun},
          {"rk3", Method::rk3},
          {"rk4", Method::rk4},
          {"dopri5", Method::dopri5}});
    realisations(table);
    number(table, "gap_tolerance", options.gap_tolerance);
    number(table, "theta", options.theta);
    number(table, "residual", options.residual);
    number(table, "drift", options.drift);
    boolean(table, "enumerate", options.enumerate);
    boolean(table, "switch_events", options.switch_events);
}

void Tables::realisations(const Value& table) {
    RunOptions& options = draft_.run.options;
    for (const std::string_view family : {"contact", "location", "bilateral", "relay",
                                          "codimension", "paradox", "impacts", "order"}) {
        const Value* value = table.get(family);
        if (value == nullptr || !value->is_string()) continue;
        const bool known = choose_realisation(options, family, value->text());
        if (family == "bilateral") draft_.run.bilateral_given = known;
    }
    word(table, "energy", options.energy,
         {{"report", ImpactEnergy::report},
          {"limit", ImpactEnergy::limit},
          {"poisson", ImpactEnergy::poisson}});
    word(table, "solver", options.solver,
         {{"auto", SteppingSolver::automatic},
          {"direct", SteppingSolver::direct},
          {"lemke", SteppingSolver::lemke},
          {"nsgs", SteppingSolver::nsgs},
          {"newton", SteppingSolver::newton},
          {"admm", SteppingSolver::admm},
          {"ipm", SteppingSolver::ipm}});
}

void Tables::periodic(const Entry& entry) {
    PeriodicDraft& draft = draft_.periodic.emplace();
    draft.span = entry.key_span;
    draft.period = expression(entry.value, "period");
    draft.phase = expression(entry.value, "phase");
    draft.drift = names(entry.value.get("drift"));
    draft.symmetry = components(entry.value.get("symmetry"));
}

void Tables::draws(const Value& list) {
    for (const Value& item : list.items) {
        if (item.is_table()) draw(item);
    }
}

void Tables::draw(const Value& table) {
    struct Shape {
        std::string_view key;
        Draw::Shape shape;
    };
    constexpr std::array shapes{
        Shape{"segment", Draw::Shape::segment},   Shape{"disc", Draw::Shape::disc},
        Shape{"polyline", Draw::Shape::polyline}, Shape{"spring", Draw::Shape::spring},
        Shape{"wall", Draw::Shape::wall},         Shape{"text", Draw::Shape::text},
        Shape{"body", Draw::Shape::body}};
    for (const auto& [key, shape] : shapes) {
        const Value* value = table.get(key);
        if (value == nullptr) continue;
        DrawDraft& draft = builder_.draw(shape);
        draft.span = table.span;
        draft.radius = expression(table, "radius");
        draft.colour = text(table, "colour");
        draft.label = text(table, "label");
        if (shape == Draw::Shape::text) {
            draft.text = value->is_string() ? value->text() : std::string{};
            if (const Value* at = table.get("at")) draft.points.push_back(expressions(at));
        } else if (shape == Draw::Shape::body) {
            if (value->is_string()) draft.body = {value->text(), value->passage.span()};
        } else {
            draft.points = matrix(value);
        }
        return;
    }
}

} // namespace liaison::model
