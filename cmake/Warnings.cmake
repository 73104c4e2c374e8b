# The warnings every file of the project is held to.
add_library(liaison_warnings INTERFACE)
target_compile_options(liaison_warnings INTERFACE -Wall -Wextra -Wshadow -Wconversion -Wno-sign-conversion
    -Wnon-virtual-dtor -Woverloaded-virtual)
# libstdc++ 12 uses a function in std::stable_sort that it declares deprecated; clang tells every caller.
if(CMAKE_CXX_COMPILER_ID MATCHES Clang)
    target_compile_options(liaison_warnings INTERFACE -Wno-deprecated-declarations)
endif()
# Where the tests are run for everybody; a user with another compiler is not stopped by its new warnings.
option(LIAISON_WERROR "warnings are errors" OFF)
if(LIAISON_WERROR)
    target_compile_options(liaison_warnings INTERFACE -Werror)
endif()
# Numbers must not depend on the compiler's mood: no contraction into fma unless written.
add_compile_options(-ffp-contract=off)
# Names of one file are not in the way of local ones of the next file of its batch, and no header shares them.
if(LIAISON_BATCH GREATER 1)
    target_compile_options(liaison_warnings INTERFACE -Wno-shadow)
    if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
        target_compile_options(liaison_warnings INTERFACE -Wno-subobject-linkage)
    endif()
endif()
