# Sourced by check. Boots systemd in a container on a copy of the root in memory. The caller must be in a new mount namespace.
# shellcheck shell=bash

NAME=data-import-test-$$
CONTROL_GROUP=/sys/fs/cgroup/unified/$NAME # on a host with control groups of both versions
[[ -d /sys/fs/cgroup/unified ]] || CONTROL_GROUP=/sys/fs/cgroup/$NAME
NSPAWN='' LEADER=''

# mount_root ROOT DIRECTORY: mounts a copy of ROOT in memory below DIRECTORY, and sets CONTAINER_ROOT to the copy's path.
mount_root() {
    mkdir -p "$2"
    mount -t tmpfs -o mode=0755 data-import-test "$2"
    mkdir "$2/upper" "$2/work" "$2/root"
    mount -t overlay -o "lowerdir=$1,upperdir=$2/upper,workdir=$2/work" overlay "$2/root"
    CONTAINER_ROOT=$2/root
    MOUNTED=$2
    rm -f "$CONTAINER_ROOT/etc/resolv.conf"
    echo data-import-test >"$CONTAINER_ROOT/etc/hostname"
    printf '127.0.0.1 localhost\n127.0.1.1 data-import-test.example data-import-test\n' >"$CONTAINER_ROOT/etc/hosts"
    cat >"$CONTAINER_ROOT/etc/apt/apt.conf.d/90test" <<'END'
APT::Get::Assume-Yes "true";
APT::Sandbox::User "root";
Dpkg::Use-Pty "0";
END
}

# Boots the container with control groups version 2 and with bpf allowed, because systemd needs both for IPAddressDeny=.
boot() {
    mkdir -p "$CONTROL_GROUP"
    (
        echo "$BASHPID" >"$CONTROL_GROUP/cgroup.procs"
        export SYSTEMD_NSPAWN_UNIFIED_HIERARCHY=1
        exec systemd-nspawn --quiet --directory="$CONTAINER_ROOT" --boot --machine="$NAME" --private-network \
            --register=no --keep-unit --link-journal=no --resolv-conf=off --timezone=off \
            --system-call-filter=bpf --capability=CAP_BPF,CAP_PERFMON --console=pipe
    ) </dev/null >"$1" 2>&1 &
    NSPAWN=$!
    local state='' attempt
    for ((attempt = 0; attempt < 300; ++attempt)); do
        kill -0 "$NSPAWN" 2>/dev/null || return 1
        LEADER=$(awk '{print $1}' "/proc/$NSPAWN/task/$NSPAWN/children" 2>/dev/null || true)
        if [[ -n $LEADER ]]; then
            state=$(inside systemctl is-system-running --wait 2>/dev/null || true)
            [[ $state != running && $state != degraded ]] || return 0
        fi
        sleep 0.1
    done
    return 1
}

inside() {
    nsenter --target "$LEADER" --all -- env --ignore-environment PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 \
        TERM=dumb DEBIAN_FRONTEND=noninteractive HOME=/root "$@"
}

power_off() {
    [[ -n $NSPAWN ]] || return 0
    local attempt
    [[ -z $LEADER ]] || inside systemctl --no-block poweroff 2>/dev/null || true
    for ((attempt = 0; attempt < 300; ++attempt)); do
        kill -0 "$NSPAWN" 2>/dev/null || break
        sleep 0.1
    done
    kill -KILL ${LEADER:+"$LEADER"} "$NSPAWN" 2>/dev/null || true
    wait "$NSPAWN" 2>/dev/null || true
    NSPAWN='' LEADER=''
}

remove_container() {
    power_off
    local tree attempt
    for tree in "$CONTROL_GROUP" "/sys/fs/cgroup/systemd/$NAME"; do
        for ((attempt = 0; attempt < 50; ++attempt)); do
            [[ -d $tree ]] || break
            find "$tree" -depth -type d -exec rmdir {} \; 2>/dev/null || true
            [[ ! -d $tree ]] || sleep 0.1
        done
    done
    rmdir "/run/systemd/nspawn/propagate/$NAME" 2>/dev/null || true
    [[ -z ${MOUNTED:-} ]] || { umount "$MOUNTED/root"; umount "$MOUNTED"; rmdir "$MOUNTED"; } 2>/dev/null || true
}
