# Sourced by the scripts of this folder. Defines the caller's settings, the files of a stack, and the marks by which its processes
# are recognised.
# shellcheck shell=bash disable=SC2034  # the variables are used by the scripts that source this file
set -euo pipefail
umask 022

REPOSITORY=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
PATH=$PATH:/usr/sbin:/sbin  # these folders have nginx and runuser, and are not in an ordinary user's path

RUN_DIR=$(realpath --canonicalize-missing -- "${RUN_DIR:-.run}")
BUILD=$(realpath --canonicalize-missing -- "${BUILD:-$REPOSITORY/build}")
SQL_DIR=$(realpath --canonicalize-missing -- "${SQL_DIR:-$REPOSITORY/sql}")
PORT=${PORT:-8443}
PLAIN_PORT=${PLAIN_PORT:-}
WORKERS=${WORKERS:-}
LIMITS=${LIMITS:-on}
VENDORS=${VENDORS:-demonstration}
DATABASE_URL=${DATABASE_URL:-}
POSTGRESQL_SETTINGS=${POSTGRESQL_SETTINGS:-}  # more options of the embedded cluster's server

CONFIGURATION=$RUN_DIR/data-import.conf
BASE_URL=https://127.0.0.1:$PORT
CA_FILE=$RUN_DIR/tls/ca.pem

# Prints lines. It is no error if nobody reads them any more, because the terminal or the reader of a pipe is gone.
say() { printf '%s\n' "$@" 2>/dev/null || true; }

die() {
    printf 'data-import stack: %s\n' "$*" >&2
    exit 1
}

is_root() { [[ $(id -u) == 0 ]]; }

check_settings() {
    local name
    for name in RUN_DIR BUILD SQL_DIR; do
        [[ ${!name} =~ ^[A-Za-z0-9/._+-]+$ ]] ||
            die "$name is '${!name}': use a path of letters, digits and / . _ + - only"
    done
    for name in PORT PLAIN_PORT WORKERS; do
        [[ -z ${!name} || ${!name} =~ ^[1-9][0-9]{0,4}$ ]] || die "$name is '${!name}': give a number"
    done
    [[ $PORT != "$PLAIN_PORT" ]] || die "PORT and PLAIN_PORT are both $PORT: give different ones"
    [[ $LIMITS =~ ^(on|off|slow)$ ]] || die "LIMITS is '$LIMITS': give on, off or slow"
    [[ $VENDORS =~ ^(demonstration|all|none)$ ]] || die "VENDORS is '$VENDORS': give demonstration, all or none"
}

# Locks RUN_DIR until the script ends. Programs that stay must be started with 9>&-, or they would hold the lock for ever.
lock() {
    exec 9>"$RUN_DIR/data-import.lock"
    flock --wait 120 9 || die "another script has been working on $RUN_DIR for two minutes"
}

# Sets SHARED to the folder for files that other users (postgres, www-data) must reach, and for sockets, whose addresses must not
# be longer than 107 bytes: RUN_DIR if possible, else a folder under /tmp that RUN_DIR/shared-directory names.
find_shared_directory() {
    SHARED=$RUN_DIR
    [[ ! -s $RUN_DIR/shared-directory ]] || SHARED=$(<"$RUN_DIR/shared-directory")
    SOCKETS=$SHARED/sockets
    CLUSTER=$SHARED/postgresql
}

choose_shared_directory() {
    find_shared_directory
    # chooses a new name if the folder is lost (/tmp is emptied at boot), because another user may take the old name
    [[ $SHARED == "$RUN_DIR" || -O $SHARED ]] || rm "$RUN_DIR/shared-directory"
    if [[ ! -s $RUN_DIR/shared-directory ]] && ! reachable; then
        local directory
        directory=$(mktemp --directory /tmp/data-import-XXXXXXXX)
        chmod 755 "$directory"
        printf '%s\n' "$directory" >"$RUN_DIR/shared-directory"
        say "$RUN_DIR cannot be reached by all who must: sockets and database are in $directory"
    fi
    find_shared_directory
    mkdir -p "$SOCKETS" "$SHARED/nginx-temporary"
}

reachable() {
    local longest=$RUN_DIR/postgresql/.s.PGSQL.5432
    ((${#longest} <= 107)) || return 1
    is_root || return 0
    local user
    for user in postgres www-data; do
        (cd / && runuser -u "$user" -- test -x "$RUN_DIR") || return 1
    done
}

# pid_of FILE MARK: prints the process id that FILE holds, if the command line of this process contains MARK.
pid_of() {
    local pid
    read -r pid 2>/dev/null <"$1" || return 1
    [[ $pid =~ ^[0-9]+$ ]] && has_mark "$pid" "$2" || return 1
    printf '%s\n' "$pid"
}

# has_mark PROCESS MARK: true if the command line of the process contains MARK. Starts no process itself, because it is called for
# every process of the machine.
has_mark() {
    local -a words
    mapfile -d '' words 2>/dev/null <"/proc/$1/cmdline" || return 1
    [[ ${words[*]} == *"$2"* ]]
}

MASTER_PID_FILE=$RUN_DIR/data-importd.pid
NGINX_PID_FILE=$RUN_DIR/nginx.pid
MASTER_MARK="data-importd --config $CONFIGURATION"
NGINX_MARK="-c $RUN_DIR/nginx/nginx.conf"
VENDOR_SIMULATOR_DIRECTORY=$RUN_DIR/vendor-simulator
VENDOR_SIMULATOR_PID_FILE=$RUN_DIR/vendor-simulator.pid
VENDOR_SIMULATOR_MARK="vendor-simulator --directory $VENDOR_SIMULATOR_DIRECTORY"
postgresql_pid() { pid_of "$CLUSTER/data/postmaster.pid" "-D $CLUSTER/data"; }
master_pid() { pid_of "$MASTER_PID_FILE" "$MASTER_MARK"; }
nginx_pid() { pid_of "$NGINX_PID_FILE" "$NGINX_MARK"; }
vendor_simulator_pid() { pid_of "$VENDOR_SIMULATOR_PID_FILE" "$VENDOR_SIMULATOR_MARK"; }

# new_log FILE: makes the log, readable by its owner and group only, unless it exists. nginx itself would make it readable by
# everybody.
new_log() {
    mkdir -p "$RUN_DIR/log"
    [[ -e $1 ]] || install -m 0640 /dev/null "$1"
}
