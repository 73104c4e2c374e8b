// SPDX-License-Identifier: Apache-2.0
// Families of members: expansion, ends of ranges, members given apart, sums, lists of parameters.
#include "model/model_support.hpp"

using namespace liaison;
using test::codes;
using test::read;
using test::value;

namespace {

const std::string k_column = R"toml(
format = 1
coordinates = ["z[i]"]
[family.i]
range = [0, 4]
[parameters]
m = [1, 2, 3, 4, 5]
d = 0.1
[energy]
T = "sum(i, m[i]/2*z[i]'^2)"
V = "sum(i, m[i]*9.81*z[i])"
[contact."touch[i]"]
gap = "z[i+1] - z[i] - d"
[contact.floor]
gap = "z[0]"
[start]
"z[i]" = "i*d + 1"
"z[2]" = 7
)toml";

} // namespace

TEST_CASE("a column of bodies is a short file") {
    const auto model = read(k_column);
    REQUIRE(model.coordinates.size() == 5);
    CHECK(model.coordinates[3].name == "z[3]");
    CHECK(model.coordinates[3].family == "z");
    CHECK(model.coordinates[3].index == std::vector<long>{3});
    // touch[4] would need z[5]: it does not exist.
    REQUIRE(model.contacts.size() == 5);
    CHECK(model.contacts[3].name == "touch[3]");
    CHECK(model.contacts[4].name == "floor");
    CHECK(value(model.contacts[1].sides[0].gap.expr, {{"z[2]", 5}, {"z[1]", 2}, {"d", 1}}) == 2);
    CHECK(value(model.energy.T.expr, {{"m[0]", 1},
                                      {"m[1]", 2},
                                      {"m[2]", 3},
                                      {"m[3]", 4},
                                      {"m[4]", 5},
                                      {"z[0]'", 1},
                                      {"z[1]'", 1},
                                      {"z[2]'", 1},
                                      {"z[3]'", 1},
                                      {"z[4]'", 2}}) ==
          doctest::Approx((1 + 2 + 3 + 4 + 20) / 2.0));
}

TEST_CASE("members given apart replace those of the family") {
    const auto model = read(k_column);
    CHECK(value(model.start.q[2].expr, {}) == 7);
    CHECK(value(model.start.q[3].expr, {{"d", 0.1}}) == doctest::Approx(1.3));
}

TEST_CASE("a recursion over a family needs its first member") {
    const std::string text = R"toml(
format = 1
coordinates = ["th[i]"]
[family.i]
range = [1, 1000]
[let]
"x[i]" = "x[i-1] + sin(th[i])"
"x[0]" = 0
[energy]
T = "sum(i, der(x[i])^2 + th[i]'^2)"
)toml";
    const auto model = read(text);
    CHECK(model.lets.size() == 1001);
    CHECK(model.coordinates.size() == 1000);
    CHECK(model.pool->size() < 60'000);
}

TEST_CASE("indices: what is wrong is told once") {
    const std::string head = "format = 1\ncoordinates = [\"z[i]\"]\n[family.i]\nrange = [0, "
                             "9]\n[energy]\nT = \"sum(i, z[i]'^2)\"\n";
    CHECK(codes(head + "V = \"z[10]\"\n") == std::vector<std::string>{"E0207"});
    CHECK(codes(head + "V = \"z[i]\"\n") == std::vector<std::string>{"E0208"});
    CHECK(codes(head + "V = \"z\"\n") == std::vector<std::string>{"E0208"});
    CHECK(codes(head + "V = \"sum(k, z[k])\"\n") == std::vector<std::string>{"E0208"});
    CHECK(codes(head + "V = \"sum(i, z[i+20])\"\n") == std::vector<std::string>{"E0215"});
    CHECK(codes(head + "[contact.\"c[i]\"]\ngap = \"z[i] - q\"\n") ==
          std::vector<std::string>{"E0204"});
    CHECK(codes("format = 1\ncoordinates = [\"z[i]\"]\n[family.i]\nrange = [0, "
                "999999999]\n[energy]\nT = \"1\"\n")
              .front() == "E0216");
}

TEST_CASE("sums over two indices") {
    const auto model =
        read("format = 1\ncoordinates = [\"z[i]\"]\n[family.i]\nrange = [0, 2]\n[family.j]\nrange "
             "= [0, 2]\n"
             "[energy]\nT = \"sum(i, z[i]'^2)\"\nV = \"sum(i, sum(j, z[i]*z[j]))\"\n");
    CHECK(value(model.energy.V.expr, {{"z[0]", 1}, {"z[1]", 2}, {"z[2]", 3}}) ==
          doctest::Approx(36));
}
