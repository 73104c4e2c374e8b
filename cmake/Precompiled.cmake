# Headers read once per library instead of once per file, for builds from scratch under the sanitizers. The builds of
# daily work do without: there every file must name what it uses.
option(LIAISON_PRECOMPILE "read the common headers once per target" OFF)

# precompile(TARGET [HEADER…]): the common headers and the given ones.
function(precompile target)
    if(NOT LIAISON_PRECOMPILE)
        return()
    endif()
    target_precompile_headers(${target} PRIVATE
        <algorithm> <array> <cmath> <functional> <limits> <map> <memory> <numbers> <numeric> <optional> <span>
        <stdexcept> <string> <string_view> <unordered_map> <utility> <variant> <vector>
        <Eigen/Core> <fmt/format.h> <nlohmann/json.hpp>
        <liaison/expr/derivative.hpp> <liaison/expr/evaluate.hpp> <liaison/model/model.hpp> <liaison/flow/flow.hpp>
        <liaison/solve/dense.hpp> ${ARGN})
    if(CMAKE_CXX_COMPILER_ID MATCHES Clang)
        target_compile_options(${target} PRIVATE "SHELL:-Xclang -fno-pch-timestamp") # so that ccache can keep the rest
    endif()
endfunction()

# share_precompiled(TARGET OWNER): for targets compiled alike.
function(share_precompiled target owner)
    if(LIAISON_PRECOMPILE)
        target_precompile_headers(${target} REUSE_FROM ${owner})
        if(CMAKE_CXX_COMPILER_ID MATCHES Clang)
            target_compile_options(${target} PRIVATE "SHELL:-Xclang -fno-pch-timestamp")
        endif()
    endif()
endfunction()
