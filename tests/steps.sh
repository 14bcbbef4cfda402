# Sourced by test scripts. Counts steps and prints the last line, `N passed, N failed, N skipped`.
# shellcheck shell=bash
declare -i passed=0 failed=0 skipped=0

say_counts() { printf '%s\n' "$passed passed, $failed failed, $skipped skipped"; }

# skip WHAT [WHY]: counts a step that this machine cannot test.
skip() {
    skipped+=1
    printf 'skipped: %s\n' "$1"
    [[ -z ${2:-} ]] || printf '    %s\n' "$2"
}

# skip_all WHAT WHY: counts one skipped step and ends the script.
skip_all() {
    skip "$@"
    say_counts
    exit 0
}

# complain WHAT [FILE]: counts a failure and prints the end of the file.
complain() {
    failed+=1
    printf 'FAILED: %s\n' "$1"
    [[ ! -s ${2:-} ]] || tail -n 40 "$2"
}

# milliseconds: prints the time in milliseconds.
milliseconds() { printf '%s\n' "${EPOCHREALTIME%[.,]*}${EPOCHREALTIME: -6:3}"; }

# say_time WHAT BEGIN: prints the time since BEGIN if it is more than a second, in the form of the CppUnit programs.
say_time() {
    local took=$(($(milliseconds) - $2))
    ((took <= 1000)) || printf '%s: %d ms\n' "$1" "$took"
}

# check WHAT COMMAND ...: runs the command, and counts a passed or a failed step. If the script sets $log, the output goes to this
# file, and a failure prints the end of the file.
check() {
    local what=$1 status=0 begin
    begin=$(milliseconds)
    shift
    if [[ -n ${log:-} ]]; then "$@" >"$log" 2>&1 || status=$?; else "$@" || status=$?; fi
    say_time "$what" "$begin"
    if ((status == 0)); then passed+=1; else complain "$what" "${log:-}"; fi
}

# count COMMAND ...: counts a step that tells its failure itself.
count() { if "$@"; then passed+=1; else failed+=1; fi; }

# add_counts FILE: adds the counts in the last line of the file; fails if the line has none.
add_counts() {
    [[ $(tail -n 1 "$1") =~ ^([0-9]+)\ passed,\ ([0-9]+)\ failed,\ ([0-9]+)\ skipped$ ]] || return
    passed+=${BASH_REMATCH[1]} failed+=${BASH_REMATCH[2]} skipped+=${BASH_REMATCH[3]}
}

# begin_run NAME: makes the folder $run_folder. The end of the script calls clean_up, which the script defines, and keeps
# the folder if a step failed.
begin_run() {
    run_folder=$(mktemp --directory "${TMPDIR:-/tmp}/$1-XXXXXXXX")
    chmod 755 "$run_folder"
    trap finish EXIT
    trap 'exit 130' INT
    trap 'exit 143' TERM
}

finish() {
    local status=$?
    trap - EXIT
    trap '' INT TERM
    clean_up || complain "what the run has made is not taken away"
    ((status == 0)) || complain "the run broke off with status $status" "${log:-}"
    if ((failed > 0)); then printf 'folder of the run: %s\n' "$run_folder"; else rm -rf "$run_folder"; fi
    say_counts
    exit $((failed > 0))
}

# take_down [RUN_DIR]: takes a stack down.
take_down() {
    RUN_DIR=${1:-$RUN_DIR} tests/stack/down >"$run_folder/down.log" 2>&1 || complain "taking down ${1:-$RUN_DIR}" "$run_folder/down.log"
}

# eventually COMMAND ...: repeats the command until it succeeds; fails after a minute.
eventually() {
    local deadline=$((SECONDS + 60))
    until "$@"; do
        ((SECONDS < deadline)) || return
        sleep 0.1
    done
}

# has_status STATUS COMMAND ...: true if the command ends with this status.
has_status() {
    local wanted=$1 status=0
    shift
    "$@" || status=$?
    ((status == wanted))
}

free_port() {
    local port
    while port=$((20000 + RANDOM % 10000)); do
        (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null || { printf '%s\n' "$port"; return; }
    done
}
