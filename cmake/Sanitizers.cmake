# Sanitizers for the whole build; a report ends the program.
set(LIAISON_SANITIZE "" CACHE STRING "sanitizers for all code, such as address,undefined or thread")
option(LIAISON_FUZZ "build the libFuzzer targets (needs clang)" OFF)

if(LIAISON_SANITIZE)
    # vptr and function need type information that Debian's LLVM is built without.
    add_compile_options(-fsanitize=${LIAISON_SANITIZE} -fno-sanitize=vptr -fno-sanitize-recover=all
        -fno-omit-frame-pointer)
    add_link_options(-fsanitize=${LIAISON_SANITIZE})
    add_compile_definitions(_GLIBCXX_ASSERTIONS)
endif()
# Tests, commands and some rooms spend their time in others, not in their own code: where optimising them costs more
# than it saves, as under the sanitizers, they are compiled with these flags on top.
set(LIAISON_COLD_FLAGS "" CACHE STRING "flags for tests, commands and cold rooms, such as -O0")
if(LIAISON_FUZZ AND NOT CMAKE_CXX_COMPILER_ID MATCHES Clang)
    message(FATAL_ERROR "LIAISON_FUZZ needs clang: use the preset asan")
endif()
