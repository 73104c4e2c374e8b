// SPDX-License-Identifier: Apache-2.0
// Machine code against the interpreter: the same bits, in scalar code and in every lane of a vector.
#include "liaison/base/features.hpp"

#if LIAISON_WITH_LLVM
#include "liaison/compile/kernels.hpp"
#include "liaison/compile/link_table.hpp"
#include "liaison/compile/llvm_codegen.hpp"
#include "liaison/compile/machine_code.hpp"
#include "liaison/compile/tape.hpp"

#include "compile/random_expressions.hpp"

#include <doctest/doctest.h>

#include <bit>
#include <cmath>
#include <memory>

using namespace liaison;
using compile::Stage;
using expr::Expr;

namespace {

bool identical(double a, double b) {
    return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b) ||
           (std::isnan(a) && std::isnan(b));
}

struct Both {
    std::shared_ptr<const compile::Program> program;
    compile::Tape tape;
    compile::MachineCode code;
    std::vector<const void*> links;

    Both(const compile::Request& request, const compile::Target& target,
         const compile::CodegenOptions& options)
        : program(std::make_shared<compile::Program>(compile::write_out(compile::lower(request)))),
          tape(program), code(compile::generate_code(*program, target, options)),
          links(compile::link_table(*program)) {}
};

// Random expressions, many in one program, at points whose angles stay within reach of the kernels.
void compare(const compile::Target& target, const compile::CodegenOptions& options, int programs,
             int outputs, int points, std::uint64_t seed) {
    long different = 0;
    long beyond = 0;
    long compared = 0;
    for (int p = 0; p < programs; ++p) {
        expr::Pool pool;
        testing::RandomExpressions make(pool, 5, seed + static_cast<std::uint64_t>(p));
        compile::Request request;
        request.inputs = make.symbols();
        request.stages = {Stage::parameter, Stage::mode, Stage::time, Stage::position,
                          Stage::velocity};
        for (int i = 0; i < outputs; ++i) request.outputs.push_back(make.next());
        const Both both(request, target, options);
        const std::size_t lanes = options.lanes;
        const std::size_t n = request.inputs.size();
        const std::size_t m = request.outputs.size();
        std::vector<double> workspace(both.code.image().workspace_size);
        std::vector<double> in(n * lanes);
        std::vector<double> out(m * lanes);
        std::vector<double> want(m);
        auto tape_workspace = both.tape.make_workspace();
        for (int k = 0; k < points; ++k) {
            std::vector<std::vector<double>> x;
            for (std::size_t l = 0; l < lanes; ++l) {
                x.push_back(make.point());
                for (std::size_t i = 0; i < n; ++i) in[i * lanes + l] = x[l][i];
            }
            both.code.run(in.data(), out.data(), workspace.data(), both.links.data(),
                          Stage::constant);
            for (std::size_t l = 0; l < lanes; ++l) {
                bool within = true;
                for (const auto row : both.code.image().guards) {
                    within = within && workspace[row * lanes + l] <= compile::kernel::k_trig_limit;
                }
                if (!within) {
                    ++beyond;
                    continue;
                }
                both.tape.run(x[l].data(), want.data(), tape_workspace);
                for (std::size_t i = 0; i < m; ++i) {
                    ++compared;
                    different += identical(out[i * lanes + l], want[i]) ? 0 : 1;
                }
            }
        }
    }
    CHECK(different == 0);
    CHECK(compared > beyond * outputs / 4);
    CHECK(compared > 0);
}

} // namespace

TEST_CASE("scalar machine code and interpreter agree bit for bit on 10⁴ random expressions") {
    compare(compile::target_of(""), {}, 200, 50, 40, 100);
}

TEST_CASE("they agree with split functions and with one function per stage") {
    compare(compile::target_of(""), {.layout = {.every_stage = true, .longest = 60}}, 20, 50, 40,
            400);
}

TEST_CASE("they agree on a processor without fused multiply-add") {
    compare(compile::target_of("x86-64"), {}, 10, 50, 40, 500);
    compare(compile::target_of("x86-64"), {.lanes = 2}, 10, 50, 40, 600);
}

TEST_CASE("every lane of vector code has the bits of scalar code") {
    const auto target = compile::target_of("");
    compare(target, {.lanes = target.widest}, 40, 50, 40, 700);
    compare(target, {.lanes = 2 * target.widest}, 10, 50, 40, 800);
}
#endif
