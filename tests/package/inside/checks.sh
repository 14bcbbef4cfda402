# Sourced by the scripts of this folder: counts checks.
# shellcheck shell=bash
set -uo pipefail
declare -i passed=0 failed=0

# check WHAT COMMAND...: prints what the command said when it fails.
check() {
    local what=$1 output
    shift
    if output=$("$@" 2>&1); then
        passed+=1
        printf 'ok      %s\n' "$what"
    else
        failed+=1
        printf 'FAILED  %s: %s\n' "$what" "$(tail -n 15 <<<"$output")"
    fi
}

refused() { ! "$@"; }
is_active() { [[ $(systemctl is-active "$1") == "${2:-active}" ]]; }

finish() {
    printf '%d passed, %d failed\n' "$passed" "$failed"
    ((failed == 0))
}

master() { systemctl show --property=MainPID --value data-import.service; }

# in_database SQL: what PostgreSQL answers, alone
in_database() { (cd / && runuser -u postgres -- psql --no-psqlrc --tuples-only --no-align --command="$1" data-import); }

readiness() {
    curl --silent --cacert /etc/ssl/certs/ssl-cert-snakeoil.pem --output /dev/null --write-out '%{http_code}' \
        "https://$(hostname -f)/readyz"
}

is_ready() {
    local attempt
    for ((attempt = 0; attempt < 100; ++attempt)); do
        [[ $(readiness) != 200 ]] || return 0
        sleep 0.1
    done
    readiness
    return 1
}
