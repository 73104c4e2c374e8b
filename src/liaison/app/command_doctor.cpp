// SPDX-License-Identifier: Apache-2.0
// liaison doctor: what is installed, what this machine can do, and which bounds hold.
#include "liaison/app/command.hpp"
#include "liaison/app/limits.hpp"
#include "liaison/base/cpu.hpp"
#include "liaison/base/features.hpp"
#include "liaison/base/version.hpp"
#include "liaison/compile/cache.hpp"
#include "liaison/compile/target.hpp"
#if LIAISON_WITH_LLVM
#include "liaison/compile/llvm_codegen.hpp"
#endif
#if LIAISON_WITH_HDF5
#include "liaison/record/hdf5_reader.hpp"
#endif

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

namespace liaison::app {

namespace {

struct Library {
    std::string version; // empty: not part of this build
    std::string trouble; // why a part that was built in cannot be used
};

Library llvm() {
#if LIAISON_WITH_LLVM
    std::string missing = compile::llvm_missing();
    if (!missing.empty()) return {{}, std::move(missing)};
    return {compile::llvm_version(), {}};
#else
    return {};
#endif
}

Library hdf5() {
#if LIAISON_WITH_HDF5
    return {record::hdf5_version(), {}};
#else
    return {};
#endif
}

// How the equations become numbers: machine code for this level of processor, or the interpreter.
std::string code_target() {
    return llvm().version.empty() ? std::string("tape interpreter") : compile::target_of("").cpu;
}

nlohmann::json or_null(const std::string& text) {
    return text.empty() ? nlohmann::json(nullptr) : nlohmann::json(text);
}

nlohmann::json as_json() {
    const base::BuildFacts facts = base::build_facts();
    const base::Cpu cpu = base::this_cpu();
    nlohmann::json parts = nlohmann::json::object();
    for (const auto& part : facts.parts) parts[std::string(part.name)] = part.present;
    nlohmann::json bounds = nlohmann::json::object();
    for (const Limit& limit : limits()) bounds[std::string(limit.key)] = limit.value;
    return {{"liaison", facts.version},
            {"format", base::k_model_format},
            {"compiler", facts.compiler},
            {"target", facts.target},
            {"optimised", facts.optimised},
            {"sanitised", facts.sanitised},
            {"parts", parts},
            {"versions", {{"llvm", or_null(llvm().version)}, {"hdf5", or_null(hdf5().version)}}},
            {"code", code_target()},
            {"lanes", llvm().version.empty() ? 1U : compile::target_of("").widest},
            {"cache", or_null(compile::DiskCache::default_directory())},
            {"cpu", {{"name", cpu.name}, {"features", cpu.features}, {"threads", cpu.threads}}},
            {"limits", bounds}};
}

std::string as_text() {
    const base::BuildFacts facts = base::build_facts();
    const base::Cpu cpu = base::this_cpu();
    std::string text =
        fmt::format("liaison {} · model format {}\n\n", facts.version, base::k_model_format);
    text += fmt::format("built with   {}{}{} for {}\n", facts.compiler,
                        facts.optimised ? ", optimised" : ", not optimised",
                        facts.sanitised ? ", with sanitizers" : "", facts.target);
    text += fmt::format("processor    {} · {} threads\n", cpu.name, cpu.threads);
    text += fmt::format("             {}\n", fmt::join(cpu.features, " "));
    const std::string cache = compile::DiskCache::default_directory();
    text += fmt::format("code         {}\n", code_target());
    text += fmt::format("code cache   {}\n\noptional parts\n",
                        cache.empty() ? "none: neither XDG_CACHE_HOME nor HOME is set" : cache);
    for (const auto& part : facts.parts) {
        const Library library = part.name == "llvm"   ? llvm()
                                : part.name == "hdf5" ? hdf5()
                                                      : Library{};
        text += fmt::format("  {:<12} {:<4} {:<8} {}\n", part.name, part.present ? "yes" : "no",
                            library.version, part.purpose);
        if (!library.trouble.empty()) text += fmt::format("  {:<17} {}\n", "", library.trouble);
    }
    text += "\nbounds\n";
    for (const Limit& limit : limits())
        text += fmt::format("  {:>12}  {}\n", limit.value, limit.meaning);
    return text;
}

Action setup(Options&) {
    return [](Terminal& terminal) -> int {
        if (terminal.json)
            terminal.print_json(as_json());
        else
            terminal.print(as_text());
        return exit_ok;
    };
}

} // namespace

Command doctor_command() {
    return {.name = "doctor",
            .summary = "what is installed, what can this machine do, which bounds hold?",
            .description = {},
            .examples = {{"liaison doctor", "the whole list"},
                         {"liaison doctor --json", "the same for scripts"}},
            .setup = setup};
}

} // namespace liaison::app
