# Sourced by up. Starts the embedded PostgreSQL cluster, or uses the server that DATABASE_URL names.
# shellcheck shell=bash

# Starts the stack's own cluster, or uses the server of DATABASE_URL. Sets ADMIN_DATABASE, SERVICE_DATABASE and OPERATOR_DATABASE
# to connection parameters in keyword form, for data-import.conf.
start_postgresql() {
    if [[ -n $DATABASE_URL ]]; then
        use_given_server
    else
        use_embedded_cluster
    fi
}

# Uses the server of DATABASE_URL. The service gets the rights of its own role, even if
# DATABASE_URL logs in with another role.
use_given_server() {
    local -A parameters=()
    read_database_url "$DATABASE_URL"
    ADMIN_DATABASE=$(print_parameters)
    local options="${parameters[options]:+${parameters[options]} }"
    parameters[options]="$options-crole=data-import"
    SERVICE_DATABASE=$(print_parameters)
    parameters[options]="$options-crole=data-import-operator"
    OPERATOR_DATABASE=$(print_parameters)
}

# shellcheck disable=SC2034 # for what sources this
use_embedded_cluster() {
    unset "${!PG@}"  # libpq's variables could lead to another server
    if postgresql_pid >/dev/null; then
        say "PostgreSQL is already running"
    else
        create_cluster
        start_cluster
    fi
    local place="host=$CLUSTER port=5432 dbname=data-import"
    ADMIN_DATABASE="$place user=postgres"
    SERVICE_DATABASE="$place user=data-import"
    OPERATOR_DATABASE="$place user=data-import-operator"
    DATABASE_URL="postgresql://postgres@/data-import?host=$CLUSTER&port=5432"
}

# Runs a command as postgres if this user is root, because the server refuses to run as root.
as_postgres() {
    if is_root; then
        (cd / && runuser -u postgres -- "$@" 9>&-)
    else
        "$@" 9>&-
    fi
}

find_postgresql_programs() {
    local directory
    for directory in "$(pg_config --bindir 2>/dev/null || true)" \
        $(printf '%s\n' /usr/lib/postgresql/*/bin | sort --version-sort --reverse); do
        if [[ -x $directory/initdb ]]; then
            keep_programs "$directory"
            return
        fi
    done
    die "PostgreSQL's server is not installed: run make deps"
}

# keep_programs DIRECTORY: sets POSTGRESQL_PROGRAMS to the folder of the server's programs. DIRECTORY is the folder where the
# programs are installed. If DIRECTORY is that of Debian's package, links or copies the package's files into the cluster's folder
# and uses these; else uses DIRECTORY.
#
# Because a running server loads some of its parts only when a session needs them, an upgrade of the package would replace the
# parts by those of another version, which do not fit.
keep_programs() {
    local version=${1#/usr/lib/postgresql/} part
    POSTGRESQL_PROGRAMS=$1
    version=${version%/bin}
    [[ $1 == "/usr/lib/postgresql/$version/bin" ]] || return 0
    rm -rf "$CLUSTER/programs"
    mkdir -p "$CLUSTER/programs/share"
    ln -s /usr/share/locale "$CLUSTER/programs/share/locale"
    for part in lib share; do
        mkdir -p "$CLUSTER/programs/$part/postgresql"
        cp --archive --link "/usr/$part/postgresql/$version" "$CLUSTER/programs/$part/postgresql/" 2>/dev/null ||
            cp --archive --remove-destination "/usr/$part/postgresql/$version" "$CLUSTER/programs/$part/postgresql/"
    done
    POSTGRESQL_PROGRAMS=$CLUSTER/programs/lib/postgresql/$version/bin
}

create_cluster() {
    mkdir -p "$CLUSTER"
    ! is_root || chown postgres: "$CLUSTER"
    find_postgresql_programs
    [[ ! -d $CLUSTER/data ]] || return 0
    rm -rf "$CLUSTER/unfinished"
    as_postgres "$POSTGRESQL_PROGRAMS/initdb" --pgdata="$CLUSTER/unfinished" --auth=trust --username=postgres \
        --encoding=UTF8 --locale=C.UTF-8 --no-instructions >"$RUN_DIR/log/initdb.log" 2>&1 ||
        die "initdb failed: $(tail -n 5 "$RUN_DIR/log/initdb.log")"
    mv "$CLUSTER/unfinished" "$CLUSTER/data"
}

# Starts the cluster. Tries twice, because the children and the process id of a killed server remain for a moment.
start_cluster() {
    launch_cluster || { sleep 3 && launch_cluster; } ||
        die "PostgreSQL did not start: $(tail -n 5 "$CLUSTER/postgresql.log" 2>&1)"
    say "PostgreSQL runs in $CLUSTER"
}

# Starts the server so that only its own user and root can reach the socket, because the cluster trusts every connection.
launch_cluster() {
    local settings="-c listen_addresses='' -c unix_socket_directories=$CLUSTER -c unix_socket_permissions=0700
        -c port=5432 -c max_connections=200 -c shared_buffers=256MB -c max_wal_size=4GB -c random_page_cost=1.1
        $POSTGRESQL_SETTINGS"
    as_postgres "$POSTGRESQL_PROGRAMS/pg_ctl" start --wait --timeout=60 --silent --pgdata="$CLUSTER/data" \
        --log="$CLUSTER/postgresql.log" --options="${settings//$'\n'/ }" >/dev/null 2>&1 </dev/null
}

# read_database_url TEXT: fills `parameters` of the caller from a postgresql:// address or from keywords.
read_database_url() {
    local text=$1
    if [[ ! $text =~ ^postgres(ql)?:// ]]; then
        read_keywords "$text"
        return
    fi
    text=${text#*://}
    local query=
    [[ $text != *\?* ]] || { query=${text#*\?}; text=${text%%\?*}; }
    [[ $text != */* ]] || { set_parameter dbname "${text#*/}"; text=${text%%/*}; }
    if [[ $text == *@* ]]; then
        local login=${text%@*}
        text=${text##*@}
        set_parameter user "${login%%:*}"
        [[ $login != *:* ]] || set_parameter password "${login#*:}"
    fi
    read_hosts "$text"
    local pair
    while IFS= read -r pair; do
        [[ -z $pair ]] || set_parameter "${pair%%=*}" "${pair#*=}"
    done <<<"${query//&/$'\n'}"
}

# read_hosts LIST: sets the parameters `host` and `port` from LIST, such as db1:5432,[::1]:5433. The brackets around an IPv6
# address are removed.
read_hosts() {
    local item host hosts='' ports='' port
    while IFS= read -r item; do
        host=$item port=
        [[ $item == *"]" || ! $item =~ ^(.*):([0-9]*)$ ]] || host=${BASH_REMATCH[1]} port=${BASH_REMATCH[2]}
        host=${host#[} hosts+=,${host%]} ports+=,$port
    done <<<"${1//,/$'\n'}"
    set_parameter host "${hosts#,}"
    [[ ! $ports =~ [0-9] ]] || set_parameter port "${ports#,}"
}

# set_parameter NAME VALUE: sets a parameter to the percent-decoded value; ignores an empty value.
set_parameter() {
    [[ $1 =~ ^[a-z_]+$ ]] || die "DATABASE_URL has a parameter '$1'"
    [[ -z $2 ]] || printf -v "parameters[$1]" '%b' "$(sed 's/\\/\\\\/g; s/%\([0-9A-Fa-f][0-9A-Fa-f]\)/\\x\1/g' <<<"$2")"
}

# Reads name=value ... with libpq's quoting: 'it\'s'
read_keywords() {
    local rest=$1 value
    local pattern="^[[:space:]]*([a-z_]+)[[:space:]]*=[[:space:]]*('(([^'\\]|\\\\.)*)'|([^'[:space:]][^[:space:]]*))(.*)$"
    while [[ $rest =~ $pattern ]]; do
        value=${BASH_REMATCH[3]}${BASH_REMATCH[5]}
        rest=${BASH_REMATCH[6]}
        parameters[${BASH_REMATCH[1]}]=$(sed 's/\\\(.\)/\1/g' <<<"$value")
    done
    [[ $rest =~ ^[[:space:]]*$ ]] || die "DATABASE_URL is neither a postgresql:// address nor a list of name=value"
}

print_parameters() {
    local name line=
    for name in $(printf '%s\n' "${!parameters[@]}" | sort); do
        line+=" $name=$(quote_value "${parameters[$name]}")"
    done
    printf '%s\n' "${line# }"
}

quote_value() {
    if [[ $1 =~ [[:space:]\'\\] ]]; then
        printf "'%s'" "$(sed "s/[\\\\']/\\\\&/g" <<<"$1")"
    else
        printf '%s' "$1"
    fi
}
