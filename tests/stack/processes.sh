# Sourced by up and down. Stops the servers of a stack, and no other processes.
# shellcheck shell=bash

# stop NAME FILE MARK SECONDS SIGNAL...: ends the process whose id stands in FILE, if the process's command line contains MARK.
# NAME is the process's name in messages. Sends the signals in their order, and after each signal waits up to SECONDS for the
# process to end; sends no more signals once the process has ended. If the process outlives the last signal, exits with an error.
# In all other cases removes FILE.
stop() {
    local name=$1 file=$2 mark=$3 seconds=$4 signal pid
    shift 4
    if pid=$(pid_of "$file" "$mark"); then
        for signal in "$@"; do
            kill -s "$signal" "$pid" 2>/dev/null || true
            ! wait_until_gone "$pid" "$mark" "$seconds" || break
        done
        ! has_mark "$pid" "$mark" || die "$name (process $pid) does not stop"
        say "$name stopped"
    fi
    rm -f "$file"
}

wait_until_gone() {
    local deadline=$((SECONDS + $3))
    while has_mark "$1" "$2"; do
        ((SECONDS < deadline)) || return 1
        sleep 0.05
    done
}

stop_service() {
    stop data-importd "$MASTER_PID_FILE" "$MASTER_MARK" 45 TERM KILL
    end_orphans
}

# Ends workers whose master was killed. Finds them by their command line, which is that of the master.
end_orphans() {
    local process
    for process in /proc/[0-9]*; do
        ! has_mark "${process#/proc/}" "$MASTER_MARK" || kill -s KILL "${process#/proc/}" 2>/dev/null || true
    done
}

stop_vendor_simulator() {
    stop "the vendor simulator" "$VENDOR_SIMULATOR_PID_FILE" "$VENDOR_SIMULATOR_MARK" 10 TERM KILL
}

stop_nginx() { stop nginx "$NGINX_PID_FILE" "$NGINX_MARK" 10 QUIT TERM KILL; }

# Sends INT first, PostgreSQL's fast shutdown, after which the server removes its socket files. Removes the socket files that a
# killed server has left.
stop_postgresql() {
    stop PostgreSQL "$CLUSTER/data/postmaster.pid" "-D $CLUSTER/data" 60 INT QUIT
    rm -f "$CLUSTER"/.s.PGSQL.*
}
