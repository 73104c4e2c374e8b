// SPDX-License-Identifier: Apache-2.0
// Results of any content are read or refused with an exception, never believed.
#include "liaison/record/saved.hpp"

#include <nlohmann/json.hpp>

#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace liaison::record;
    try {
        const Saved saved = saved_from_json(std::string(data, data + size));
        std::string problem;
        (void)saved.standing_at(saved.end->time.rounded() / 2, problem);
    } catch (const std::runtime_error&) {
    } catch (const nlohmann::json::exception&) {
    }
    return 0;
}
