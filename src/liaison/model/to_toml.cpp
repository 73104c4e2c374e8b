// SPDX-License-Identifier: Apache-2.0
// Table by table, in the order in which the manual tells them; what was not said is not written.
#include "liaison/model/to_toml.hpp"

#include "liaison/expr/print.hpp"
#include "liaison/model/method.hpp"
#include "liaison/model/realisation_words.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>
#include <utility>

namespace liaison::model {
namespace {

// A basic string of TOML.
std::string quoted(std::string_view text) {
    std::string result = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\')
            result += {'\\', c};
        else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f)
            result += fmt::format("\\u{:04X}", static_cast<unsigned>(c));
        else
            result += c;
    }
    return result + '"';
}

// One part of a key: bare where TOML allows it.
std::string key_part(std::string_view name) {
    const bool bare = !name.empty() && std::ranges::all_of(name, [](unsigned char c) {
        return c < 0x80 && (std::isalnum(c) != 0 || c == '_' || c == '-');
    });
    return bare ? std::string(name) : quoted(name);
}

// Names of parts of bodies, ball.x, are nested tables to TOML.
std::string key(std::string_view name) {
    std::string result;
    for (std::size_t begin = 0; begin <= name.size();) {
        const std::size_t end = std::min(name.find('.', begin), name.size());
        if (begin > 0) result += '.';
        result += key_part(name.substr(begin, end - begin));
        begin = end + 1;
    }
    return result;
}

// The shortest text that reads back to the same number.
std::string number(double value) { return fmt::format("{}", value); }

std::string plain(const Written& w) {
    if (const auto* text = w.as_text()) return *text;
    if (const auto* value = w.as_number()) return number(*value);
    if (const auto* e = w.as_expression()) return expr::print(*e);
    if (const auto* syntax = w.as_syntax()) return std::string(syntax->text());
    return {};
}

std::string value_of(const Written& w) { return quoted(plain(w)); }

// An expression alone stands for itself = 0.
std::string equation(const Written& w) {
    return quoted(w.as_expression() != nullptr ? plain(w) + " = 0" : plain(w));
}

template <class List, class Item>
std::string list_of(const List& list, const Item& item) {
    std::string result = "[";
    for (const auto& one : list) result += (result.size() > 1 ? ", " : "") + item(one);
    return result + "]";
}

std::string list_of(const std::vector<Written>& all) { return list_of(all, value_of); }
std::string list_of(const std::vector<double>& all) { return list_of(all, number); }
std::string list_of(const std::vector<Name>& all) {
    return list_of(all, [](const Name& n) { return quoted(n.text); });
}
std::string rows_of(const std::vector<std::vector<Written>>& rows) {
    return list_of(rows, [](const std::vector<Written>& row) { return list_of(row); });
}

// Collects lines; keys without a value are left out.
class Writer {
  public:
    void header(const std::string& path) { text_ += fmt::format("\n[{}]\n", path); }
    void element(const std::string& path) { text_ += fmt::format("\n[[{}]]\n", path); }
    void line(const std::string& name, const std::string& value) {
        text_ += fmt::format("{} = {}\n", name, value);
    }
    void put(const std::string& name, const Written& value) {
        if (value) line(name, value_of(value));
    }
    void put(const std::string& name, const std::string& words) {
        if (!words.empty()) line(name, quoted(words));
    }
    void put(const std::string& name, const std::optional<double>& value) {
        if (value) line(name, number(*value));
    }
    void put(const std::string& name, bool value) {
        if (value) line(name, "true");
    }
    void put(const std::string& name, const std::vector<Name>& names) {
        if (!names.empty()) line(name, list_of(names));
    }
    // One component without brackets, several with.
    void put(const std::string& name, const std::vector<Written>& all) {
        if (!all.empty()) line(name, all.size() == 1 ? value_of(all[0]) : list_of(all));
    }
    void components(const std::vector<Component>& all, bool equations = false) {
        for (const Component& c : all)
            line(key(c.name.text), equations ? equation(c.value) : value_of(c.value));
    }
    void table(const std::string& path, const std::vector<Component>& all, bool equations = false) {
        if (all.empty()) return;
        header(path);
        components(all, equations);
    }
    [[nodiscard]] std::string take() { return std::move(text_); }
    std::string& text() { return text_; }

  private:
    std::string text_;
};

std::string path(const char* table, const Name& name) {
    return fmt::format("{}.{}", table, key_part(name.text));
}

void write(Writer& out, const ParameterDraft& p) {
    const std::string value = p.list ? list_of(p.values) : number(p.values.at(0));
    if (p.unit.empty() && !p.range && p.about.empty()) {
        out.line(key_part(p.name.text), value);
        return;
    }
    std::string rest;
    if (!p.unit.empty()) rest += ", unit = " + quoted(p.unit);
    if (p.range)
        rest += fmt::format(", range = [{}, {}]", number(p.range->first), number(p.range->second));
    if (!p.about.empty()) rest += ", about = " + quoted(p.about);
    out.line(key_part(p.name.text), fmt::format("{{ value = {}{} }}", value, rest));
}

void write(Writer& out, const FrictionDraft& f) {
    out.put("friction", f.coefficient);
    if (!f.sticking && !f.sliding) return;
    std::string inside;
    if (f.sticking) inside += "static = " + value_of(f.sticking);
    if (f.sliding) inside += (inside.empty() ? "dynamic = " : ", dynamic = ") + value_of(f.sliding);
    out.line("friction", "{ " + inside + " }");
}

void write(Writer& out, const StabiliseDraft& s) {
    switch (s.kind) {
    case Stabilise::Kind::automatic:
        if (s.span) out.line("stabilise", quoted("auto"));
        break;
    case Stabilise::Kind::none: out.line("stabilise", quoted("none")); break;
    case Stabilise::Kind::rate: out.line("stabilise", "{ p = " + value_of(s.p) + " }"); break;
    case Stabilise::Kind::oscillator: {
        std::string inside = "frequency = " + value_of(s.frequency);
        if (s.damping) inside += ", damping = " + value_of(s.damping);
        out.line("stabilise", "{ " + inside + " }");
        break;
    }
    case Stabilise::Kind::matrix: out.line("stabilise", rows_of(s.rows)); break;
    }
}

void write(Writer& out, const ConstraintDraft& c) {
    out.header(path("constraint", c.name));
    out.line("equation", equation(c.equation));
    out.put("tolerance", c.tolerance);
    write(out, c.stabilise);
    out.put("slip", c.slip);
    write(out, c.friction);
    out.table(path("constraint", c.name) + ".actuator", c.actuator);
}

void write(Writer& out, const ContactDraft& c) {
    out.header(path("contact", c.name));
    out.put("gap", c.gap);
    if (!c.between.empty()) out.line("between", list_of(c.between));
    if (c.law) {
        constexpr std::array k_laws{"energetic", "poisson", "newton", "moreau"};
        std::string inside;
        if (c.restitution) inside = "value = " + value_of(c.restitution) + ", ";
        out.line("restitution", fmt::format("{{ {}law = \"{}\" }}", inside,
                                            k_laws[static_cast<std::size_t>(*c.law)]));
    } else {
        out.put("restitution", c.restitution);
    }
    out.put("slip", c.slip);
    write(out, c.friction);
    out.put("stiffness", c.stiffness);
    out.put("damping", c.damping);
    out.put("damping_ratio", c.damping_ratio);
    switch (c.spring) {
    case ContactDraft::Spring::quadratic: out.put("profile", c.profile); break;
    case ContactDraft::Spring::hertz: out.put("profile", std::string("hertz")); break;
    case ContactDraft::Spring::hunt_crossley:
        out.put("profile", std::string("hunt-crossley"));
        break;
    case ContactDraft::Spring::pieces: out.line("profile", rows_of(c.pieces)); break;
    }
    out.put("potential", c.potential);
    out.put("preload", c.preload);
    if (c.exit == Elasticity::Exit::force) out.line("exit", quoted("force"));
}

void write(Writer& out, const RelayDraft& r) {
    out.header(path("relay", r.name));
    out.put("surface", r.surface);
    if (r.branch != RelayBranch::none) {
        constexpr std::array k_branches{"", "stay", "above", "below", "cross"};
        out.line("branch", quoted(k_branches[static_cast<std::size_t>(r.branch)]));
    }
    if (r.above || r.below || r.holding) {
        out.header(path("relay", r.name) + ".values");
        out.put("above", r.above);
        out.put("below", r.below);
        out.put("static", r.holding);
    }
    out.table(path("relay", r.name) + ".force", r.force);
}

void write(Writer& out, const BodyDraft& b) {
    out.header(path("body", b.name));
    out.line("kind", quoted(b.kind == Body::Kind::free ? "free" : "fixed-point"));
    out.put("mass", b.mass);
    out.put("weight", b.weight);
    if (b.inertia.size() == 1) out.line("inertia", list_of(b.inertia[0]));
    if (b.inertia.size() > 1) out.line("inertia", rows_of(b.inertia));
    if (!b.center.empty()) out.line("center", list_of(b.center));
    if (!b.gyrostat.empty()) out.line("gyrostat", list_of(b.gyrostat));
}

void write(Writer& out, const EventDraft& e) {
    const std::string here = path("event", e.name);
    out.header(here);
    out.put("when", e.when);
    if (e.direction) {
        const auto word = *e.direction == Event::Direction::up     ? "up"
                          : *e.direction == Event::Direction::down ? "down"
                                                                   : "both";
        out.line("direction", quoted(word));
    }
    out.put("stop", e.stop);
    out.table(here + ".set", e.set);
    out.table(here + ".set.velocity", e.set_velocity);
    out.table(here + ".set.state", e.set_state);
}

void write(Writer& out, const KinematicsDraft& k) {
    out.header("kinematics");
    out.put("speed", k.speed);
    if (!k.directions.empty()) out.line("directions", rows_of(k.directions));
    out.put("partition", k.partition);
    out.table("kinematics.velocity", k.velocity);
}

void write(Writer& out, const InvertDraft& i) {
    out.header("invert");
    out.put("unknown", i.unknown);
    out.put("positions", i.positions);
    if (!i.free.empty()) out.line("free", list_of(i.free));
    out.put("positional", i.positional);
    out.put("stabilise", i.stabilise);
    out.table("invert.follow", i.follow, true);
}

void write(Writer& out, const StartDraft& s) {
    constexpr std::array k_words{"refuse", "project", "relax"};
    const bool said = !s.values.empty() || !s.closed.empty() || !s.solve.empty() || s.time ||
                      s.inconsistent != Inconsistent::refuse;
    if (said) out.header("start");
    out.components(s.values);
    out.put("closed", s.closed);
    out.put("solve", s.solve);
    out.put("time", s.time);
    if (s.inconsistent != Inconsistent::refuse)
        out.line("inconsistent", quoted(k_words[static_cast<std::size_t>(s.inconsistent)]));
    out.table("start.velocity", s.velocities);
}

void write(Writer& out, const RunDraft& run) {
    Writer inside;
    const RunOptions& o = run.options;
    const RunOptions usual;
    inside.put("until", run.until);
    inside.put("tolerance", o.tolerance);
    if (o.method != usual.method) inside.line("method", quoted(name(o.method)));
    inside.put("step", run.step);
    inside.put("hold", run.hold);
    inside.put("hold_rate", run.hold_rate);
    for (const char* family : {"contact", "location", "bilateral", "relay", "codimension",
                               "paradox", "impacts", "order"}) {
        const std::string_view word = realisation_word(o, family);
        const bool given = family == std::string_view("bilateral") && run.bilateral_given;
        if (given || word != realisation_word(usual, family)) inside.line(family, quoted(word));
    }
    constexpr std::array k_energies{"report", "limit", "poisson"};
    constexpr std::array k_solvers{"auto", "direct", "lemke", "nsgs", "newton", "admm", "ipm"};
    if (o.energy != usual.energy)
        inside.line("energy", quoted(k_energies[static_cast<std::size_t>(o.energy)]));
    if (o.solver != usual.solver)
        inside.line("solver", quoted(k_solvers[static_cast<std::size_t>(o.solver)]));
    inside.put("gap_tolerance", o.gap_tolerance);
    inside.put("theta", o.theta);
    inside.put("residual", o.residual);
    inside.put("drift", o.drift);
    inside.put("enumerate", o.enumerate);
    inside.put("switch_events", o.switch_events);
    if (inside.text().empty()) return;
    out.header("run");
    out.text() += inside.take();
}

void write(Writer& out, const PeriodicDraft& p) {
    out.header("periodic");
    out.put("period", p.period);
    out.put("phase", p.phase);
    out.put("drift", p.drift);
    out.table("periodic.symmetry", p.symmetry);
}

void write(Writer& out, const DrawDraft& d) {
    constexpr std::array k_shapes{"segment", "disc", "polyline", "spring", "wall", "text", "body"};
    const char* shape = k_shapes[static_cast<std::size_t>(d.shape)];
    out.element("draw");
    if (d.shape == Draw::Shape::text) {
        out.line(shape, quoted(d.text));
        if (!d.points.empty()) out.line("at", list_of(d.points[0]));
    } else if (d.shape == Draw::Shape::body) {
        out.line(shape, quoted(d.body.text));
    } else {
        out.line(shape, d.points.size() == 1 ? list_of(d.points[0]) : rows_of(d.points));
    }
    out.put("radius", d.radius);
    out.put("colour", d.colour);
    out.put("label", d.label);
}

// Names, parameters and definitions: what the rest is written in.
void write_quantities(Writer& out, const Draft& draft) {
    out.line("format", "1");
    out.put("name", draft.name);
    out.put("about", draft.about);
    if (!draft.coordinates.empty()) out.line("coordinates", list_of(draft.coordinates));
    out.put("velocities", draft.velocities);
    for (const FamilyDraft& f : draft.families) {
        out.header(path("family", f.index));
        out.line("range", fmt::format("[{}, {}]", f.first, f.last));
    }
    if (!draft.parameters.empty()) out.header("parameters");
    for (const ParameterDraft& p : draft.parameters) write(out, p);
    if (!draft.states.empty()) out.header("state");
    for (const StateDraft& s : draft.states) out.line(key_part(s.name.text), number(s.value));
    for (const TableDraft& t : draft.tables) {
        out.header(path("table", t.name));
        out.line("x", list_of(t.x));
        out.line("y", list_of(t.y));
        out.line("order", std::to_string(t.order));
    }
    for (const BodyDraft& b : draft.bodies) write(out, b);
    out.table("let", draft.lets);
    out.table("rates", draft.rates);
}

} // namespace

std::string to_toml(const Draft& draft) {
    Writer out;
    write_quantities(out, draft);
    if (draft.T || draft.V || draft.L) out.header("energy");
    out.put("T", draft.T);
    out.put("V", draft.V);
    out.put("L", draft.L);
    out.table("system", draft.system);
    if (draft.kinematics) write(out, *draft.kinematics);
    for (const ForceDraft& f : draft.forces) {
        out.header(path("force", f.name));
        if (!f.at.empty()) out.line("at", list_of(f.at));
        if (!f.vector.empty()) out.line("vector", list_of(f.vector));
        out.components(f.components);
    }
    for (const ConstraintDraft& c : draft.constraints) write(out, c);
    for (const ContactDraft& c : draft.contacts) write(out, c);
    for (const RelayDraft& r : draft.relays) write(out, r);
    out.table("observe", draft.observes);
    out.table("integral", draft.integrals);
    for (const EventDraft& e : draft.events) write(out, e);
    if (draft.invert) write(out, *draft.invert);
    write(out, draft.start);
    if (draft.periodic) write(out, *draft.periodic);
    write(out, draft.run);
    for (const DrawDraft& d : draft.draws) write(out, d);
    return out.take();
}

} // namespace liaison::model
