# Sanitizers and fuzzer instrumentation for the whole build; a report ends the program.
set(LIAISON_SANITIZE "" CACHE STRING "sanitizers for all code, such as address,undefined or thread")
option(LIAISON_FUZZ "build the libFuzzer targets (needs clang)" OFF)

if(LIAISON_SANITIZE)
    # vptr and function need type information that Debian's LLVM is built without.
    add_compile_options(-fsanitize=${LIAISON_SANITIZE} -fno-sanitize=vptr -fno-sanitize-recover=all
        -fno-omit-frame-pointer)
    add_link_options(-fsanitize=${LIAISON_SANITIZE})
    add_compile_definitions(_GLIBCXX_ASSERTIONS)
endif()
if(LIAISON_FUZZ)
    if(NOT CMAKE_CXX_COMPILER_ID MATCHES Clang)
        message(FATAL_ERROR "LIAISON_FUZZ needs clang: use the preset asan")
    endif()
    add_compile_options(-fsanitize=fuzzer-no-link)
endif()
