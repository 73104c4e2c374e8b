# What distributions ask of programs that read files from anywhere. The dynamic section is checked by
# tests/cli/test_hardening.py in every built and installed program.

# Libraries are looked for in the folders they were linked from and where the system says, never in the working
# directory: CMake would pad a search path that it rewrites at installation with empty elements, which mean just that.
set(CMAKE_BUILD_WITH_INSTALL_RPATH ON)
set(CMAKE_INSTALL_RPATH_USE_LINK_PATH ON)

# Addresses differ from run to run, and tables of addresses are read-only before the first line of the program runs.
add_link_options($<$<STREQUAL:$<TARGET_PROPERTY:TYPE>,EXECUTABLE>:-pie> -Wl,-z,relro -Wl,-z,now -Wl,-z,noexecstack)

# Canaries on the stack, and copies whose bounds are known are checked: in the builds that users run. Builds of daily work
# do without, so that they share what is compiled, and sanitizers check more than this.
if(CMAKE_BUILD_TYPE AND NOT LIAISON_SANITIZE)
    set(harden_default ON)
else()
    set(harden_default OFF)
endif()
option(LIAISON_HARDEN "stack protector and checked library calls" ${harden_default})
if(LIAISON_HARDEN)
    add_compile_options(-fPIE -fstack-protector-strong -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2)
endif()
