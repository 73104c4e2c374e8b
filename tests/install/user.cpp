// SPDX-License-Identifier: Apache-2.0
// The smallest program of a user of the installed library: which liaison is this?
#include "liaison/base/version.hpp"

#include <cstdio>

int main() {
    const auto facts = liaison::base::build_facts();
    std::printf("liaison %s, %s\n", std::string(facts.version).c_str(), facts.compiler.c_str());
    return facts.version == liaison::base::k_version ? 0 : 1;
}
