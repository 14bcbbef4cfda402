# Sourced by check: three database hosts, each with etcd, Patroni and PostgreSQL, replicating synchronously.
# shellcheck shell=bash

# start_on HOST LOG COMMAND ...: in the background, in a session of its own, as the user postgres
start_on() {
    ip netns exec "$PREFIX$1" setsid setpriv --reuid=postgres --regid=postgres --init-groups env HOME="$RUN_DIR/$1" "${@:3}" \
        >>"$2" 2>&1 </dev/null &
    disown
}

runs_on() {
    local process
    for process in $(ip netns pids "$PREFIX$1" 2>/dev/null); do
        [[ $(tr '\0' ' ' 2>/dev/null <"/proc/$process/cmdline") != *"$2"* ]] || return 0
    done
    return 1
}

start_etcd() {
    local host=$1 place=http://${ADDRESS[$1]}
    # Patroni speaks the v2 protocol with it: README.Debian, "Several hosts on one database"
    start_on "$host" "$RUN_DIR/$host/etcd.log" etcd --name "$host" --data-dir "$RUN_DIR/$host/etcd" --enable-v2=true --pre-vote \
        --listen-peer-urls "$place:2380" --initial-advertise-peer-urls "$place:2380" --listen-client-urls "$place:2379" \
        --advertise-client-urls "$place:2379" --initial-cluster-state new --logger zap --heartbeat-interval 100 \
        --election-timeout 1000 \
        --initial-cluster "db1=http://${ADDRESS[db1]}:2380,db2=http://${ADDRESS[db2]}:2380,db3=http://${ADDRESS[db3]}:2380"
}

# The settings of examples/patroni.yml, but for its times: a third, so that a failover takes seconds.
write_patroni() {
    local host=$1 address=${ADDRESS[$1]}
    cat >"$RUN_DIR/$host/patroni.yml" <<END
scope: data-import
name: $host
restapi: {listen: "$address:8008", connect_address: "$address:8008"}
etcd: {hosts: ["${ADDRESS[db1]}:2379", "${ADDRESS[db2]}:2379", "${ADDRESS[db3]}:2379"]}
bootstrap:
  dcs:
    ttl: 8
    loop_wait: 1
    retry_timeout: 3
    maximum_lag_on_failover: 1048576
    synchronous_mode: true
    postgresql:
      use_pg_rewind: true
      use_slots: true
      parameters:
        max_connections: 100
        max_locks_per_transaction: 256
        wal_log_hints: "on"
        wal_keep_size: 512MB
        wal_sender_timeout: 5s
        wal_receiver_timeout: 5s
        wal_receiver_status_interval: 1s
        tcp_user_timeout: 5s
        tcp_keepalives_idle: 2
        tcp_keepalives_interval: 1
        tcp_keepalives_count: 3
        client_connection_check_interval: 2s
  initdb: [{encoding: UTF8}, {locale: C.UTF-8}, data-checksums]
postgresql:
  listen: "$address:5432"
  connect_address: "$address:5432"
  data_dir: $RUN_DIR/$host/data
  bin_dir: $POSTGRESQL_PROGRAMS
  pgpass: $RUN_DIR/$host/pgpass
  parameters: {unix_socket_directories: $RUN_DIR/$host}
  authentication:
    superuser: {username: postgres, password: unused}
    replication: {username: replication, password: unused}
    rewind: {username: rewind, password: unused}
  pg_hba: ["local all all trust", "host all all 10.93.0.0/24 trust", "host replication all 10.93.0.0/24 trust"]
watchdog: {mode: "off"}
END
}

# Starts what is missing; returns when there are a primary, a synchronous standby and one more.
start_cluster() {
    local host
    for host in db1 db2 db3; do
        install -d -m 0700 -o postgres "$RUN_DIR/$host"
        write_patroni "$host"
        runs_on "$host" etcd || start_etcd "$host"
    done
    for host in db1 db2 db3; do
        runs_on "$host" bin/patroni || start_on "$host" "$RUN_DIR/$host/patroni.log" /usr/bin/patroni "$RUN_DIR/$host/patroni.yml"
    done
    wait_for_cluster
}

wait_for_cluster() {
    local deadline=$((SECONDS + 120))
    until [[ $(witness members) == '3 1 1' ]]; do
        ((SECONDS < deadline)) || die "the cluster of databases does not become whole: $(witness members)"
        sleep 1
    done
}
