# Sourced by up. Makes the configuration, the database objects and the signing key of the service, and starts its processes.
# shellcheck shell=bash

CTL="$BUILD/data-importctl --config $CONFIGURATION"
# shellcheck disable=SC2034 # for what sources this
LOAD="$BUILD/data-import-load --url $BASE_URL --ca-file $CA_FILE"

check_programs() {
    local program
    for program in data-importd data-importctl; do
        [[ -x $BUILD/$program ]] || die "$BUILD/$program is not there: run make"
    done
}

# Writes the configuration file of the service. Sets CONFIGURATION_CHANGED to `yes` if the file is new or differs from the one
# before, else to the empty text.
#
# Because connection parameters may hold a password, only the owner can read the file. Because `data-importctl doctor` warns if
# the service has not read a file since its last change, a file that would not differ keeps its time of modification.
write_configuration() {
    mkdir -p "$RUN_DIR/vendors.d"
    install -d -m 0700 "$RUN_DIR/keys"
    (umask 077 && print_configuration >"$CONFIGURATION.new")
    if cmp --silent "$CONFIGURATION.new" "$CONFIGURATION"; then
        CONFIGURATION_CHANGED=
        rm "$CONFIGURATION.new"
    else
        CONFIGURATION_CHANGED=yes
        mv "$CONFIGURATION.new" "$CONFIGURATION"
    fi
}

print_configuration() {
    cat <<END
database = $SERVICE_DATABASE
admin_database = $ADMIN_DATABASE
operator_database = $OPERATOR_DATABASE
admin_user =
sql_directory = $SQL_DIR
socket_directory = $SOCKETS
socket_group =$(! is_root || echo " www-data")
keys_directory = $RUN_DIR/keys
nginx_config = $RUN_DIR/nginx/nginx.conf
metrics_url = http://127.0.0.1:$METRICS_PORT/metrics
END
    [[ -z $WORKERS ]] || say "import_workers = $WORKERS"
    [[ -z ${OPERATORS:-} ]] || say "operator_workers = $OPERATORS"
}

prepare_service() {
    control db setup
    control db migrate
    [[ -n $(ls -A "$RUN_DIR/keys") ]] || control signing-key rotate
}

# shellcheck disable=SC2086  # CTL is a command line
control() {
    local log=$RUN_DIR/log/data-importctl.log
    $CTL "$@" >"$log" 2>&1 </dev/null 9>&- || die "data-importctl $* failed: $(<"$log")"
}

start_service() {
    local pid
    if pid=$(master_pid) && [[ $(readlink "/proc/$pid/exe") == *' (deleted)' ]]; then
        say "data-importd was built anew: starting it again"
        stop_service
    elif [[ -n $pid && -n $CONFIGURATION_CHANGED ]]; then
        kill -HUP "$pid"
        say "data-importd reads its changed configuration"
    elif [[ -n $pid ]]; then
        say "data-importd is already running"
    fi
    master_pid >/dev/null || { end_orphans && launch_service; }
}

# Starts the service in a session of its own, which neither Ctrl-C nor the end of the terminal reaches, with the environment that
# it has under systemd.
launch_service() {
    local log=$RUN_DIR/log/data-importd.log
    local -a environment
    mapfile -t environment < <(sed -n 's/^Environment=//p' "$REPOSITORY/debian/data-import.service")
    new_log "$log"
    setsid env "${environment[@]}" "$BUILD/data-importd" --config "$CONFIGURATION" >>"$log" 2>&1 </dev/null 9>&- &
    printf '%s\n' $! >"$MASTER_PID_FILE"
    disown
}
