// SPDX-License-Identifier: Apache-2.0
// liaison compare: do the realisations of a model agree, at what cost, and if not, why?
#include "liaison/analysis/comparison.hpp"
#include "liaison/analysis/constraint_panels.hpp"
#include "liaison/analysis/contact_disagreement.hpp"
#include "liaison/app/command.hpp"
#include "liaison/app/flow_question.hpp"
#include "liaison/app/load.hpp"
#include "liaison/app/output_guard.hpp"
#include "liaison/app/run_job.hpp"
#include "liaison/app/sliding_report.hpp"
#include "liaison/base/render.hpp"
#include "liaison/model/read.hpp"
#include "liaison/record/execute.hpp"
#include "liaison/record/write_file.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace liaison::app {
namespace {

struct Arguments {
    RunArguments run;
    std::string with;
    std::string output;
    bool force = false;
};

// The largest violation of any constraint, between steps too.
double violation(const record::Run& run) {
    double worst = 0.0;
    for (const auto& [name, c] : run.constraints) worst = std::max(worst, c.max_violation_between);
    return worst;
}

std::vector<std::string> split(const std::string& text) {
    std::vector<std::string> words;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find(',', begin), text.size());
        if (end > begin) words.push_back(text.substr(begin, end - begin));
        begin = end + 1;
    }
    return words;
}

// Accelerations and relay values where a relay first slides (or at the start): the same state under every definition.
struct FirstSliding {
    double time = 0.0;
    std::vector<analysis::Variant> there; // runs of no length from that state
};

std::optional<std::pair<double, std::vector<double>>> first_sliding(const analysis::Variant& v) {
    const auto& trajectory = v.run.trajectory;
    for (std::size_t i = 0; i < v.flow.modes.size(); ++i) {
        const bool relay = std::ranges::any_of(v.flow.modes[i].words,
                                               [](const auto& w) { return w.word == "sliding"; });
        if (relay && i < trajectory.start_mode.size() && trajectory.start_mode[i] == 0.0)
            return std::pair{v.flow.start_time, v.flow.start_state};
    }
    for (const flow::Event& e : trajectory.events) {
        if (e.kind == flow::EventKind::enter_sliding)
            return std::pair{e.time.rounded(), e.state_plus};
    }
    return std::nullopt;
}

nlohmann::json accelerations(const analysis::Variant& v) {
    nlohmann::json a = nlohmann::json::object();
    nlohmann::json u = nlohmann::json::object();
    nlohmann::json rates = nlohmann::json::object();
    if (v.run.samples.empty()) return {{"a", a}, {"rates", rates}, {"relays", u}};
    for (std::size_t i = 0; i < v.flow.outputs.size(); ++i) {
        const auto& output = v.flow.outputs[i];
        if (output.group == flow::OutputGroup::a) a[output.name] = v.run.samples[0].values[i];
        if (output.group == flow::OutputGroup::relay) u[output.name] = v.run.samples[0].values[i];
        if (output.group == flow::OutputGroup::v) rates[output.name] = v.run.samples[0].values[i];
    }
    return {{"a", a}, {"rates", rates}, {"relays", u}};
}

// Where there is an energy to be wrong about.
std::string energy_error(const analysis::Variant& v) {
    if (!v.run.energy) return {};
    const double error = analysis::largest_energy_error(v);
    return std::isfinite(error) ? fmt::format(" · energy error {:.1e}", error) : "";
}

// Of positions and velocities; accelerations jump where the motion does not.
double largest_of_state(const analysis::Difference& d) {
    double worst = 0.0;
    for (const auto& [name, value] : d.largest) {
        if (!name.ends_with("''")) worst = std::max(worst, value);
    }
    return worst;
}

class Comparison {
  public:
    Comparison(const Arguments& arguments, const Terminal& terminal)
        : arguments_(arguments), terminal_(terminal), words_(split(arguments.with)) {}

    int run() {
        if (words_.size() < 2) {
            terminal_.complain("--with needs two realisations or more: --with filippov,utkin");
            return exit_usage;
        }
        if (const std::string wrong = wrong_output(); !wrong.empty()) {
            terminal_.complain(wrong);
            return exit_usage;
        }
        base::Diagnostics diagnostics;
        const auto source = load_source(arguments_.run.model, diagnostics);
        if (!source) return terminal_.refuse(diagnostics);
        const auto model = load_model(source, diagnostics, arguments_.run.settings);
        if (!model) return terminal_.refuse(diagnostics);
        sliding_ = analysis::sliding_agreement(*model);

        Terminal quiet = terminal_;
        quiet.quiet = true;
        double tolerance = 0.0;
        for (const std::string& word : words_) {
            RunArguments one = arguments_.run;
            one.realise.push_back(word);
            auto result = simulate(source, one, {.samples = true}, quiet);
            if (const int* code = std::get_if<int>(&result)) return *code;
            Job& job = std::get<Job>(result);
            tolerance = job.run.provenance.tolerance;
            variants_.push_back({word, std::move(job.flow), std::move(job.run)});
        }
        differences_ = analysis::compare(variants_, tolerance);
        agree_ = std::ranges::none_of(differences_, [](const auto& d) { return d.apart; });
        explanations_ = analysis::explain_contacts(*model, variants_, differences_);
        look_at_first_sliding();
        if (!arguments_.output.empty()) {
            record::Figure figure = analysis::difference_figure(variants_);
            for (auto& panel : analysis::constraint_panels(variants_))
                figure.panels.push_back(std::move(panel));
            const std::string problem =
                record::write_file(arguments_.output, record::to_svg(figure));
            if (!problem.empty()) {
                terminal_.complain(problem);
                return exit_stopped;
            }
        }
        if (terminal_.json)
            terminal_.print_json(json());
        else
            terminal_.print(text());
        return agree_ ? exit_ok : exit_no;
    }

  private:
    [[nodiscard]] std::string wrong_output() const {
        const std::string& path = arguments_.output;
        if (path.empty()) return {};
        if (!path.ends_with(".svg"))
            return fmt::format("{}: the picture of a comparison is a .svg", path);
        return in_the_way(path, {arguments_.run.model}, arguments_.force);
    }

    void look_at_first_sliding() {
        const auto where = first_sliding(variants_[0]);
        if (!where) return;
        first_ = FirstSliding{where->first, {}};
        for (const analysis::Variant& v : variants_) {
            flow::Flow flow = v.flow;
            flow.start_time = where->first;
            // Names lead: variants may carry further states of their own.
            for (std::size_t i = 0; i < std::min(flow.n_controlled, where->second.size()); ++i)
                flow.start_state[i] = where->second[i];
            record::ExecuteOptions options;
            options.until = where->first;
            options.at = {where->first};
            auto run = record::execute(flow, options);
            first_->there.push_back({v.word, std::move(flow), std::move(run)});
        }
    }

    [[nodiscard]] nlohmann::json json() const {
        nlohmann::json variants = nlohmann::json::array();
        for (const analysis::Variant& v : variants_) {
            variants.push_back(
                {{"realisation", v.word},
                 {"status", record::status_word(v.run.trajectory.status)},
                 {"reason", v.run.trajectory.reason},
                 {"time", v.run.trajectory.time.rounded()},
                 {"events", v.run.trajectory.statistics.events},
                 {"steps", v.run.trajectory.statistics.steps},
                 {"evaluations", v.run.trajectory.statistics.evaluations},
                 {"method", v.run.provenance.method},
                 {"energy_error", analysis::largest_energy_error(v)},
                 {"compile_ms", v.run.compile_ms},
                 {"simulate_ms", v.run.simulate_ms},
                 {"energy", v.run.energy
                                ? nlohmann::json{{"start", v.run.energy->start},
                                                 {"end", v.run.energy->end},
                                                 {"unexplained", v.run.energy->unexplained}}
                                : nlohmann::json()},
                 {"constraints", record::to_json(v.run, v.flow).at("constraints")}});
        }
        nlohmann::json pairs = nlohmann::json::array();
        for (const analysis::Difference& d : differences_) {
            pairs.push_back(
                {{"a", variants_[d.first].word},
                 {"b", variants_[d.second].word},
                 {"difference", largest_of_state(d)},
                 {"at", d.time},
                 {"largest", d.largest},
                 {"agree", !d.apart},
                 {"ends_early", d.ends_early},
                 {"first_apart", d.apart ? nlohmann::json(d.first_apart) : nlohmann::json()}});
        }
        nlohmann::json classes = nlohmann::json::object();
        if (sliding_) {
            for (const auto& one : sliding_->relays)
                classes[one.relay] = one.agreement.class_name();
        }
        nlohmann::json result = {{"agree", agree_},         {"pairs", pairs},
                                 {"class", classes},        {"explanation", explanations_},
                                 {"variants", variants},    {"sliding", nullptr},
                                 {"first_sliding", nullptr}};
        if (sliding_) result["sliding"] = to_json(*sliding_);
        if (first_) {
            nlohmann::json points = nlohmann::json::object();
            for (const auto& v : first_->there) points[v.word] = accelerations(v);
            result["first_sliding"] = {{"time", first_->time}, {"definitions", points}};
        }
        return result;
    }

    [[nodiscard]] std::string text() const {
        std::string text =
            fmt::format("{}   t {:g} → {:g}\n", variants_[0].run.model,
                        variants_[0].flow.start_time, variants_[0].run.trajectory.time.rounded());
        for (const analysis::Variant& v : variants_) {
            text += fmt::format(
                "  {:<12} {} events · {} steps · {:.1f} ms{}{}{}\n", v.word,
                v.run.trajectory.statistics.events, v.run.trajectory.statistics.steps,
                v.run.simulate_ms,
                v.run.constraints.empty() ? ""
                                          : fmt::format(" · violation {:.1e}", violation(v.run)),
                energy_error(v),
                v.run.trajectory.reason.empty() ? "" : " · stopped: " + v.run.trajectory.reason);
        }
        for (const analysis::Difference& d : differences_) {
            text += fmt::format("  {} and {}: ", variants_[d.first].word, variants_[d.second].word);
            text += !d.apart ? "agree"
                    : d.ends_early
                        ? fmt::format("agree until one of them ends, t = {:.6g}", d.first_apart)
                        : fmt::format("apart from t = {:.6g}", d.first_apart);
            for (const auto& [name, value] : d.largest)
                text += fmt::format(", |Δ{}| ≤ {:.2g}", name, value);
            text += "\n";
        }
        if (first_) {
            // A first-order system has rates, not accelerations.
            const bool mechanical = !accelerations(first_->there.front())["a"].empty();
            text += fmt::format("{} where sliding begins, t = {:.9g}\n",
                                mechanical ? "accelerations" : "rates", first_->time);
            for (const auto& v : first_->there) {
                text += fmt::format("  {:<12}", v.word);
                const nlohmann::json there = accelerations(v);
                for (const auto& [name, value] : there[mechanical ? "a" : "rates"].items())
                    text += fmt::format(" {}{} = {:.9g}", name, mechanical ? "''" : "'",
                                        value.get<double>());
                text += "\n";
            }
        }
        for (const std::string& sentence : explanations_) text += fmt::format("  {}\n", sentence);
        if (sliding_) text += to_text(*sliding_, true);
        return text;
    }

    const Arguments& arguments_;
    const Terminal& terminal_;
    std::vector<std::string> words_;
    std::vector<analysis::Variant> variants_;
    std::vector<analysis::Difference> differences_;
    std::optional<analysis::SlidingAgreement> sliding_;
    std::optional<FirstSliding> first_;
    std::vector<std::string> explanations_;
    bool agree_ = true;
};

Action setup(Options& options) {
    auto arguments = std::make_shared<Arguments>();
    options.positional("MODEL", arguments->run.model, "model file, - for standard input")
        .models()
        .needed();
    declare_run(options, arguments->run);
    options
        .value("--with", "A,B,…", arguments->with,
               "realisations to compare: filippov,utkin,lagrange · events,routh,elastic · "
               "projection,program,multiplier,index2")
        .needed();
    options.value("-o,--output", "FILE", arguments->output, "draw positions and differences: .svg")
        .files();
    options.flag("--force", arguments->force, "overwrite the file");
    return [arguments](Terminal& terminal) { return Comparison(*arguments, terminal).run(); };
}

} // namespace

Command compare_command() {
    return {
        .name = "compare",
        .summary = "do the realisations agree, at what cost, and if not, why?",
        .description =
            "Runs the model once by each realisation and compares the motions sample by sample. For "
            "relays it also decides, on the expressions, whether the definitions of sliding "
            "can agree, names the pair that violates a condition, and lists the accelerations "
            "where sliding begins. Exit code 1 if the motions differ by more than the "
            "tolerance explains.",
        .examples =
            {{"liaison compare belt.toml --with filippov,utkin,lagrange",
              "three definitions of sliding"},
             {"liaison compare ball.toml --with events,routh,elastic -o ball.svg",
              "three meanings of a contact"},
             {"liaison compare crank.toml --with program,projection,multiplier,index2 -o loop.svg",
              "four ways to hold a closed loop"},
             {"liaison compare ball.toml --with events,elastic --json", "for a script"}},
        .setup = setup};
}

} // namespace liaison::app
