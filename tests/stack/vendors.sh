# Sourced by up. Starts the payment vendor with which the stack verifies instructions: see tests/vendor/README.md.
# shellcheck shell=bash disable=SC2034  # CONFIGURATION_CHANGED is read by start_service

# VENDORS is `demonstration` (one vendor, NORDPAY, that answers well), `all` (also a vendor for each kind of misbehaviour) or
# `none`. Leaves other files in vendors.d alone. Sets CONFIGURATION_CHANGED if it has written files.
start_vendor_simulator() {
    local pid
    if [[ $VENDORS == none ]]; then
        forget_vendor_simulator
    elif [[ ! -x $BUILD/tests/vendor-simulator ]]; then
        say "$BUILD/tests/vendor-simulator is not built: no payment vendor answers"
        forget_vendor_simulator
    elif pid=$(vendor_simulator_pid) && has_mark "$pid" "--vendors $VENDORS" && is_current "$pid"; then
        say "the vendor simulator is already running"
    else
        stop_vendor_simulator
        launch_vendor_simulator
    fi
}

forget_vendor_simulator() {
    stop_vendor_simulator
    if compgen -G "$RUN_DIR/vendors.d/simulator-*.conf" >/dev/null; then
        rm -f "$RUN_DIR"/vendors.d/simulator-*.conf
        CONFIGURATION_CHANGED=yes
    fi
}

is_current() { [[ $(readlink "/proc/$1/exe") != *' (deleted)' ]]; }

launch_vendor_simulator() {
    local log=$RUN_DIR/log/vendor-simulator.log deadline=$((SECONDS + 10))
    rm -f "$VENDOR_SIMULATOR_DIRECTORY/ports"
    setsid "$BUILD/tests/vendor-simulator" --directory "$VENDOR_SIMULATOR_DIRECTORY" --vendors "$VENDORS" \
        --vendors-directory "$RUN_DIR/vendors.d" >"$log" 2>&1 </dev/null 9>&- &
    printf '%s\n' $! >"$VENDOR_SIMULATOR_PID_FILE"
    disown
    until [[ -e $VENDOR_SIMULATOR_DIRECTORY/ports ]]; do
        if ((SECONDS >= deadline)) || ! kill -0 "$(<"$VENDOR_SIMULATOR_PID_FILE")" 2>/dev/null; then
            die "the vendor simulator did not start: $(tail -n 5 "$log")"
        fi
        sleep 0.02
    done
    CONFIGURATION_CHANGED=yes
}

# Prints the address at which tests ask the simulator; nothing if there is none.
vendor_simulator_url() {
    ! vendor_simulator_pid >/dev/null ||
        printf 'http://127.0.0.1:%s\n' "$(sed -n 's/^control=//p' "$VENDOR_SIMULATOR_DIRECTORY/ports")"
}
