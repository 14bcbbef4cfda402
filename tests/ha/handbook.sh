# Sourced by check, and by tests/citus/check: types the commands of a chapter of the handbook on the hosts that the prompts name.
# Needs CHAPTER, the file.
# shellcheck shell=bash

# commands_of PATTERN: lines "HOST,HOST COMMAND" of the sections whose names match
commands_of() {
    awk -v pattern="$1" '
        /^##? / { heading = $0; sub(/^##? /, "", heading); inside = heading ~ pattern }
        inside && /^    [a-z0-9,]+# / { line = substr($0, 5); sub(/# /, " ", line); print line }' "$CHAPTER"
}

# type_section PATTERN [FIRST [LAST]]: the commands from the FIRST to the LAST, counted from 1, one host after the other
type_section() {
    local hosts command host
    while read -r -u 3 hosts command; do
        printf '%s %s\n' "$hosts" "$command" >>"$RUN_DIR/typed"
        for host in ${hosts//,/ }; do
            count type_on "$host" "$command"
        done
    done 3< <(commands_of "$1" | sed -n "${2:-1},${3:-\$}p")
}

# Commands that ask for input ask for a new password, twice. Some wait until something is there.
type_on() {
    on "$1" timeout 120 bash -c "$2" >"$RUN_DIR/said" 2>&1 <<<$'PASSWORD\nPASSWORD' ||
        { printf 'FAILED: %s# %s\n%s\n' "$1" "$2" "$(tail -n 10 "$RUN_DIR/said")"; return 1; }
}

# nothing_is_untyped PATTERN
nothing_is_untyped() {
    local untyped
    untyped=$(comm -23 <(commands_of "$1" | sort -u) <(sort -u "$RUN_DIR/typed"))
    [[ -z $untyped && -s $RUN_DIR/typed ]] || { printf 'FAILED: nobody has typed\n%s\n' "$untyped"; return 1; }
}
