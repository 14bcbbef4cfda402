# Sourced by the scripts of this folder: counts checks.
# shellcheck shell=bash
set -uo pipefail
declare -i passed=0 failed=0

output=$(mktemp)
trap 'rm -f "$output"' EXIT

# check WHAT COMMAND...: counts a check. Prints the output of the command if it fails; the output stays in the file $output.
check() {
    local what=$1
    shift
    if "$@" >"$output" 2>&1; then
        passed+=1
        printf 'ok      %s\n' "$what"
    else
        failed+=1
        printf 'FAILED  %s: %s\n' "$what" "$(tail -n 15 "$output")"
    fi
}

# type_command SECTION COMMAND [FITTED]: runs a command of the handbook as root does, in this shell, so that its variables stay.
# If FITTED is given, runs it instead: the command with this machine's values in place of the handbook's example values.
type_command() {
    printf '# %s\n' "${3:-$2}"
    set +o pipefail
    check "$1: ${3:-$2}" eval "${3:-$2}" </dev/null
    set -o pipefail
    printf '%s\t%s\n' "$1" "$2" >>/var/tmp/typed-commands
}

# shellcheck disable=SC2154 # set by what sources this
commands_of() { "$here/../handbook-commands" "$handbook" "$1"; }

# type_section SECTION [FIT]: runs all commands of the section. FIT is a filter that reads a command of the handbook and prints
# the command with this machine's values in place of the handbook's example values. Without FIT the commands run as they stand.
type_section() {
    local section=$1 fit=${2:-cat} command commands
    commands=$(commands_of "$section") || { check "the handbook has commands: $section" false; return; }
    while IFS= read -r -u 3 command; do
        type_command "$section" "$command" "$("$fit" <<<"$command")"
    done 3<<<"$commands"
}

refused() { ! "$@"; }

# eventually COMMAND...: repeats the command until it succeeds, for some 20 seconds.
eventually() {
    local attempt
    for ((attempt = 0; attempt < 200; ++attempt)); do
        ! "$@" || return 0
        sleep 0.1
    done
    return 1
}
is_active() { [[ $(systemctl is-active "$1") == "${2:-active}" ]]; }

finish() {
    printf '%d passed, %d failed\n' "$passed" "$failed"
    ((failed == 0))
}

master() { systemctl show --property=MainPID --value data-import.service; }

# in_database SQL: prints PostgreSQL's answer without titles.
in_database() { (cd / && runuser -u postgres -- psql --no-psqlrc --tuples-only --no-align --command="$1" data-import); }

readiness() {
    curl --silent --cacert /etc/ssl/certs/ssl-cert-snakeoil.pem --output /dev/null --write-out '%{http_code}' \
        "https://$(hostname -f)/readyz"
}

answers_200() { [[ $(readiness) == 200 ]]; }
is_ready() { eventually answers_200 || { readiness; return 1; }; }
