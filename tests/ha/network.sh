# Sourced by check: network namespaces, one for each host, on a bridge in a namespace of its own.
# shellcheck shell=bash

declare -A ADDRESS=([db1]=10.93.0.11 [db2]=10.93.0.12 [db3]=10.93.0.13 [app1]=10.93.0.21 [app2]=10.93.0.22 [client]=10.93.0.100)
DATABASE_HOSTS=10.93.0.11,10.93.0.12,10.93.0.13
PREFIX=data-import-ha-

# on HOST COMMAND ...
on() { ip netns exec "$PREFIX$1" "${@:2}"; }

make_network() {
    local host link
    # a bridge between namespaces is the first thing that a container may refuse
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

cut_off() { ip -n "${PREFIX}net" link set "to-$1" down; }
connect() { ip -n "${PREFIX}net" link set "to-$1" up; }

# signal_host HOST SIGNAL: all processes of a host; nobody but this check starts any there.
signal_host() {
    local process
    for process in $(ip netns pids "$PREFIX$1" 2>/dev/null); do
        kill "-$2" "$process" 2>/dev/null || true
    done
}

remove_network() {
    local host
    for host in "${!ADDRESS[@]}"; do
        signal_host "$host" KILL
    done
    sleep 0.5
    for host in "${!ADDRESS[@]}" net; do
        ip netns del "$PREFIX$host" 2>/dev/null || true
    done
}
