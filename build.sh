#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs what is missing, builds liaison, and runs the demo or the tests; needs bash and apt only.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
cd "$root"
jobs=${LIAISON_JOBS:-$(nproc)}
python=/usr/bin/python3 # Debian's own: the packages of the list belong to it
logs=build/log
nothing_there=77 # exit status of a stage that finds nothing to do
all_stages=(style house tidy unit sanitize portable fuzz messages cli gallery docs install)
busy_stages=" unit sanitize portable install " # keep all cores busy by themselves; the others run two at a time

# Paths relative to the root, so that two builds of one tree share what compiles alike; precompiled headers may be kept.
export CCACHE_BASEDIR=${CCACHE_BASEDIR:-$root} CCACHE_NOHASHDIR=1
export CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime

usage() {
    cat <<TXT
./build.sh demo             install what is missing, build, run an example and draw it
./build.sh test [STAGE…]    install what is missing, build and run all tests, or the stages named
./build.sh build [PRESET]   install what is missing and build one preset (default: release)
./build.sh format           bring all C++ files into the house format

Stages, in order: ${all_stages[*]}
Environment: LIAISON_JOBS (parallel jobs, default all cores), LIAISON_FUZZ_SECONDS (default 10),
             LIAISON_TIDY_BASE and LIAISON_TIDY_SECONDS (clang-tidy looks at files changed since
             that commit, default HEAD~1, for that long, default 120).
TXT
}

say() { printf '\n==> %s\n' "$*"; }
skip() {
    echo "nothing there yet: $*" >&2
    exit "$nothing_there"
}

# ---- packages ---------------------------------------------------------------------------------

# Names in the list of packages: only the first part for a build, all of them for the tests.
wanted_packages() {
    if [ "$1" = build ]; then sed '/^## test/,$d' packages; else cat packages; fi |
        sed -e 's/#.*//' -e 's/[[:space:]]//g' -e '/^$/d'
}

as_root() {
    if [ "$(id -u)" -eq 0 ]; then
        "$@"
    elif command -v sudo >/dev/null; then
        sudo "$@"
    else
        echo "Packages must be installed, which needs root: run this script as root or install sudo." >&2
        exit 1
    fi
}

install_missing() {
    local missing=() name
    if ! command -v dpkg-query >/dev/null; then
        echo "This script installs Debian 12 packages. On another system install what the file" \
            "'packages' names by its own means and use the CMake presets." >&2
        exit 1
    fi
    while read -r name; do
        [ "$(dpkg-query -W -f='${db:Status-Status}' "$name" 2>/dev/null)" = installed ] ||
            missing+=("$name")
    done < <(wanted_packages "$1")
    [ ${#missing[@]} -gt 0 ] || return 0
    say "installing ${missing[*]}"
    as_root env DEBIAN_FRONTEND=noninteractive apt-get update -qq ||
        echo "Some package lists could not be refreshed; going on with those at hand."
    as_root env DEBIAN_FRONTEND=noninteractive \
        apt-get install -y -qq --no-install-recommends "${missing[@]}"
}

# ---- building ---------------------------------------------------------------------------------

# build PRESET [TARGET…]: configures only when the build folder is new or the presets changed. Stages that run at the
# same time take turns.
build() {
    local preset=$1 folder=build/$1 turn
    shift
    mkdir -p build
    exec {turn}>"$folder.lock"
    flock "$turn"
    if [ ! -f "$folder/build.ninja" ] || [ CMakePresets.json -nt "$folder/build.ninja" ]; then
        cmake --preset "$preset"
    fi
    cmake --build "$folder" -j "$jobs" ${1+--target "$@"}
    exec {turn}>&-
}

# The program that the stages after "unit" use as a user would.
program() {
    build ci liaison_app >&2
    echo "$root/build/ci/liaison"
}

sources() { git ls-files -- '*.cpp' '*.hpp' '*.inl'; }

# Runs the test programs of one build and repeats ctest's verdict as the last line. Property tests
# draw the same cases each time; RC_PARAMS=seed=N draws others.
run_ctest() {
    RC_PARAMS=${RC_PARAMS:-seed=1} ctest --test-dir "build/$1" --output-on-failure --no-tests=error -j "$jobs" |
        tee "build/$1/ctest.log"
    grep 'tests passed' "build/$1/ctest.log"
}

# ---- stages: each runs by itself and ends with a line that says what was found -----------------

stage_style() {
    local unformatted
    shellcheck -S warning build.sh .ci/run
    codespell --config .codespellrc
    mapfile -t files < <(sources)
    mapfile -t unformatted < <(printf '%s\0' "${files[@]}" |
        xargs -0 -n 50 -P 2 clang-format-19 --dry-run --Werror 2>&1 | sed -n 's/:[0-9]*:[0-9]*: error: .*//p' | sort -u)
    if [ ${#unformatted[@]} -gt 0 ]; then
        printf '%s\n' "${unformatted[@]}"
        echo "${#unformatted[@]} files are not in the house format: ./build.sh format"
        exit 1
    fi
    echo "${#files[@]} C++ files formatted, shell and spelling clean"
}

stage_house() { "$python" tools/check_rooms.py; }

# Changed files only, and no longer than a budget: one file takes ten seconds and more.
stage_tidy() {
    local base=${LIAISON_TIDY_BASE:-HEAD~1} budget=${LIAISON_TIDY_SECONDS:-120} seen=0 file
    git rev-parse -q --verify "$base^{commit}" >/dev/null || skip "no earlier commit to compare with"
    mapfile -t files < <(git diff --name-only --diff-filter=d "$base" -- 'src/*.cpp')
    [ ${#files[@]} -gt 0 ] || skip "no changed source file since $base"
    cmake --preset tidy >/dev/null
    for file in "${files[@]}"; do
        [ "$SECONDS" -lt "$budget" ] || break
        clang-tidy-19 -p build/tidy --quiet --warnings-as-errors='*' "$file"
        seen=$((seen + 1))
    done
    echo "$seen of ${#files[@]} files changed since $base"
}

stage_unit() {
    build ci
    run_ctest ci
}

stage_sanitize() {
    build asan liaison_tests
    ASAN_OPTIONS=detect_leaks=1 UBSAN_OPTIONS=print_stacktrace=1 run_ctest asan
}

stage_portable() {
    build portable
    run_ctest portable
}

# Kept inputs live in fuzz/corpus/NAME; readers of model files also start from the examples. What a run
# discovers goes to build/fuzz/NAME, findings too.
stage_fuzz() {
    local seconds=${LIAISON_FUZZ_SECONDS:-10} target name found count=0 example
    build asan liaison_fuzzers
    mkdir -p build/fuzz/models
    for example in examples/*/model.toml; do
        cp "$example" "build/fuzz/models/$(basename "$(dirname "$example")").toml"
    done
    for target in build/asan/fuzz/*_fuzz; do
        [ -x "$target" ] || skip "fuzz targets (fuzz/*_fuzz.cpp)"
        name=$(basename "$target")
        found=build/fuzz/$name
        mkdir -p "$found/corpus"
        local arguments=("$found/corpus")
        [ ! -d "fuzz/corpus/$name" ] || arguments+=("fuzz/corpus/$name")
        [[ $name != @(document|model)_fuzz ]] || arguments+=(build/fuzz/models -dict=fuzz/document.dict)
        [[ $name != expression_fuzz ]] || arguments+=(-dict=fuzz/expression.dict)
        echo "--- $name, $seconds s"
        "$target" "${arguments[@]}" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 \
            -print_final_stats=1 -artifact_prefix="$found/"
        count=$((count + 1))
    done
    echo "$count fuzzers, $seconds s each, no finding"
}

stage_messages() {
    LIAISON=$(program)
    export LIAISON
    "$LIAISON" check --help >/dev/null 2>&1 || skip "the command check"
    "$python" -m pytest -q -p no:cacheprovider tests/messages
}

stage_cli() {
    LIAISON=$(program)
    export LIAISON
    "$python" -m pytest -q -p no:cacheprovider tests/cli
}

stage_gallery() {
    local liaison
    liaison=$(program)
    "$liaison" check --help >/dev/null 2>&1 || skip "the command check"
    "$python" tools/gallery.py check --liaison "$liaison"
}

stage_docs() {
    build ci liaison_reference
    "$python" tools/assemble_docs.py --generator build/ci/liaison_reference --out build/docs/source
    "$python" -m sphinx -W --keep-going -q -b html -d build/docs/doctrees build/docs/source build/docs/html
    echo "build/docs/html/index.html"
}

stage_install() {
    build portable
    rm -rf build/install
    cmake --install build/portable --prefix "$root/build/install/prefix" >/dev/null
    cmake -S tests/install -B build/install/user -G Ninja \
        -DCMAKE_PREFIX_PATH="$root/build/install/prefix"
    cmake --build build/install/user
    build/install/user/user
    cmake -S examples/cpp -B build/install/examples -G Ninja \
        -DCMAKE_PREFIX_PATH="$root/build/install/prefix"
    cmake --build build/install/examples
    build/install/examples/example_pendulum
    build/install/examples/example_bouncing_ball
    echo "find_package(liaison) builds and runs programs of users"
}

# Runs one stage with its output in a log, prints one line; returns the stage's exit status.
run_stage() {
    local stage=$1 log=$logs/$1.log start=$SECONDS status=0 verdict
    "${BASH_SOURCE[0]}" stage "$stage" >"$log" 2>&1 </dev/null || status=$?
    case $status in
        0) verdict=ok ;;
        "$nothing_there") verdict=skipped ;;
        *) verdict=FAILED ;;
    esac
    printf '%-9s %-8s %4d s   %s\n' "$stage" "$verdict" $((SECONDS - start)) \
        "$(grep -v '^[[:space:]]*$' "$log" | tail -n 1 | cut -c1-110)"
    [ "$verdict" != FAILED ] || {
        echo "    the last lines of $log:"
        tail -n 80 "$log" | sed 's/^/    | /'
    }
    return "$status"
}

run_tests() {
    local stage passed=0 failed=0 skipped=0 start=$SECONDS
    mkdir -p "$logs"
    say "testing: $* (logs in $logs)"
    for stage in "$@"; do
        if [[ $busy_stages == *" $stage "* ]]; then
            wait
            report_stage "$stage"
        else
            while [ "$(jobs -rp | wc -l)" -ge "$((jobs < 2 ? jobs : 2))" ]; do wait -n; done
            report_stage "$stage" &
        fi
    done
    wait
    for stage in "$@"; do
        case $(<"$logs/$stage.status") in
            0) passed=$((passed + 1)) ;;
            "$nothing_there") skipped=$((skipped + 1)) ;;
            *) failed=$((failed + 1)) ;;
        esac
    done
    printf '\nwhole time %d s\n' $((SECONDS - start))
    echo "stages: $passed passed, $failed failed, $skipped skipped"
    [ "$failed" -eq 0 ]
}

# Runs one stage, keeps its exit status and prints its lines in one piece.
report_stage() {
    local status=0
    echo started >"$logs/$1.status"
    run_stage "$1" >"$logs/$1.verdict" || status=$?
    cat "$logs/$1.verdict"
    echo "$status" >"$logs/$1.status"
}

# ---- the demo ---------------------------------------------------------------------------------

run_demo() {
    local liaison=build/release/liaison model=examples/02-string-pendulum/model.toml
    local picture=build/demo/string-pendulum.svg
    build release liaison_app
    mkdir -p build/demo
    show "$liaison" check "$model"
    show "$liaison" explain "$model"
    if "$liaison" run --help >/dev/null 2>&1; then
        rm -f "$picture"
        show "$liaison" run "$model" -o "$picture"
        [ -s "$picture" ]
        say "open $root/$picture"
    fi
}

# Prints a command and runs it.
show() {
    say "$*"
    "$@"
}

# ---- the command line -------------------------------------------------------------------------

# A function, so that the whole script is read before anything runs: it may change under a long run.
main() {
    case ${1:-help} in
        demo)
            install_missing build
            say "building the release"
            run_demo
            ;;
        build)
            install_missing all
            say "building the preset ${2:-release}"
            build "${2:-release}"
            ;;
        test)
            shift
            [ $# -gt 0 ] || set -- "${all_stages[@]}"
            for stage in "$@"; do
                [[ " ${all_stages[*]} " == *" $stage "* ]] || {
                    echo "There is no stage '$stage'. Stages: ${all_stages[*]}" >&2
                    exit 64
                }
            done
            install_missing all
            run_tests "$@"
            ;;
        format)
            install_missing all
            sources | xargs clang-format-19 -i
            ;;
        stage) "stage_$2" ;;
        help | -h | --help) usage ;;
        *)
            usage >&2
            exit 64
            ;;
    esac
}

main "$@"
exit
