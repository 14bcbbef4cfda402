# Sourced by check, and by tests/citus/check. Runs the commands of a chapter of the handbook on the hosts that its prompts name.
# CHAPTER must be the chapter's file.
# shellcheck shell=bash

# commands_of PATTERN: prints lines "HOST,HOST COMMAND" for the sections whose names match.
commands_of() {
    awk -v pattern="$1" '
        /^##? / { heading = $0; sub(/^##? /, "", heading); inside = heading ~ pattern }
        inside && /^    [a-z0-9,]+# / { line = substr($0, 5); sub(/# /, " ", line); print line }' "$CHAPTER"
}

# type_section PATTERN [FIRST [LAST]]: runs commands of the sections whose headings match PATTERN, an extended regular expression.
# Each command runs on all hosts that its prompt names, one host after the other. FIRST and LAST are the numbers of the first and
# the last command to run, counted from 1 over all these sections. By default all commands run.
type_section() {
    local hosts command host
    while read -r -u 3 hosts command; do
        printf '%s %s\n' "$hosts" "$command" >>"$RUN_DIR/typed"
        for host in ${hosts//,/ }; do
            count type_on "$host" "$command"
        done
    done 3< <(commands_of "$1" | sed -n "${2:-1},${3:-\$}p")
}

# type_on HOST COMMAND: runs the command on the host. Gives PASSWORD twice as input, since the only commands that ask for input
# want a new password. Waits up to 120 s, since some commands wait until something exists.
type_on() {
    on "$1" timeout 120 bash -c "$2" >"$RUN_DIR/said" 2>&1 <<<$'PASSWORD\nPASSWORD' ||
        { printf 'FAILED: %s# %s\n%s\n' "$1" "$2" "$(tail -n 10 "$RUN_DIR/said")"; return 1; }
}

# nothing_is_untyped PATTERN: true if all commands of the sections whose names match have run.
nothing_is_untyped() {
    local untyped
    untyped=$(comm -23 <(commands_of "$1" | sort -u) <(sort -u "$RUN_DIR/typed"))
    [[ -z $untyped && -s $RUN_DIR/typed ]] || { printf 'FAILED: nobody has typed\n%s\n' "$untyped"; return 1; }
}
