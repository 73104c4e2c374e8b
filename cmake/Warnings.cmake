# The warnings every file of the project is held to.
add_library(liaison_warnings INTERFACE)
target_compile_options(liaison_warnings INTERFACE -Wall -Wextra -Wshadow -Wconversion -Wno-sign-conversion
    -Wnon-virtual-dtor -Woverloaded-virtual)
# Numbers must not depend on the compiler's mood: no contraction into fma unless written.
add_compile_options(-ffp-contract=off)
