# Sourced by check. Makes hosts: each is a network namespace on a bridge and a mount namespace with an /etc, /usr, /var and /run
# of its own, so that files are where the package and the examples have them. The files that a host writes are in $RUN_DIR/HOST.
# shellcheck shell=bash

# The addresses of debian/examples, which are reserved for documentation.
declare -A ADDRESS=([db1]=192.0.2.21 [db2]=192.0.2.22 [db3]=192.0.2.23 [host1]=192.0.2.11 [host2]=192.0.2.12
    [balancer]=192.0.2.10 [client]=192.0.2.100)
PREFIX=data-import-ha-
declare -A KEEPER=() # for each host the process that keeps its namespaces

# on HOST COMMAND ...: runs the command on the host, in the directory /.
on() { nsenter --target "${KEEPER[$1]}" --mount --net "${@:2}"; }

make_network() {
    local host link
    # tries a bridge between namespaces first, because a container may forbid it
    ip netns add "${PREFIX}net" 2>/dev/null || return 1
    ip -n "${PREFIX}net" link add bridge type bridge 2>/dev/null || { ip netns del "${PREFIX}net"; return 1; }
    ip -n "${PREFIX}net" link set bridge up
    for host in "${!ADDRESS[@]}"; do
        link=to-$host
        ip netns add "$PREFIX$host"
        ip -n "$PREFIX$host" link set lo up
        ip -n "${PREFIX}net" link add "$link" type veth peer name eth0 netns "$PREFIX$host"
        ip -n "${PREFIX}net" link set "$link" master bridge up
        ip -n "$PREFIX$host" address add "${ADDRESS[$host]}/24" dev eth0
        ip -n "$PREFIX$host" link set eth0 up
    done
}

# Makes the hosts. On each one the programs of tests/ha/commands replace apt, systemctl and OpenSSH's commands.
make_hosts() {
    local host
    mkdir "$RUN_DIR/keepers"
    for host in "${!ADDRESS[@]}"; do
        mkdir -p "$RUN_DIR/$host"/{etc,usr/local/bin,var,run/hosts,.work/etc,.work/usr,.work/var}
        cp tests/ha/commands/* "$RUN_DIR/$host/usr/local/bin"
        printf '127.0.0.1 localhost\n' >"$RUN_DIR/$host/etc/hosts"
        keep_host "$host"
    done
    for host in "${!KEEPER[@]}"; do
        echo "${KEEPER[$host]}" >"$RUN_DIR/keepers/$host"
    done
    for host in "${!KEEPER[@]}"; do
        cp "$RUN_DIR/keepers"/* "$RUN_DIR/$host/run/hosts"
    done
}

keep_host() {
    local place=$RUN_DIR/$1
    # shellcheck disable=SC2016 # the inner shell's $1
    ip netns exec "$PREFIX$1" unshare --mount --propagation private bash -euc '
        for directory in etc usr var; do
            mount -t overlay -o "lowerdir=/$directory,upperdir=$1/$directory,workdir=$1/.work/$directory" host "/$directory"
        done
        mount --bind "$1/run" /run
        touch /run/is-kept
        exec sleep infinity' keeper "$place" </dev/null >"$place/keeper.log" 2>&1 &
    KEEPER[$1]=$!
    disown
    until [[ -e $place/run/is-kept ]]; do
        [[ -d /proc/${KEEPER[$1]} ]] || die "$1 cannot be made: $(<"$place/keeper.log")"
        sleep 0.02
    done
}

cut_off() { ip -n "${PREFIX}net" link set "to-$1" down; }
connect() { ip -n "${PREFIX}net" link set "to-$1" up; }

# signal_host HOST SIGNAL: signals all processes of a host; all of them were started by this check.
signal_host() {
    local process
    for process in $(ip netns pids "$PREFIX$1" 2>/dev/null); do
        [[ $process == "${KEEPER[$1]:-}" ]] || kill "-$2" "$process" 2>/dev/null || true
    done
}

remove_network() {
    local host
    for host in "${!ADDRESS[@]}"; do
        signal_host "$host" KILL
        [[ -z ${KEEPER[$host]:-} ]] || kill -KILL "${KEEPER[$host]}" 2>/dev/null || true
    done
    sleep 0.5
    for host in "${!ADDRESS[@]}" net; do
        ip netns del "$PREFIX$host" 2>/dev/null || true
    done
}
