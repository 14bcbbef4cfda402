# Sourced by check. Sets up three database hosts, each with etcd, Patroni and PostgreSQL, as the handbook and the examples say.
# shellcheck shell=bash

# own_example NAME HOST: prints debian/examples/NAME, with the name and address of db1 replaced by those of HOST.
own_example() {
    sed -e "s/^name: db1/name: $2/; s/^ETCD_NAME=db1/ETCD_NAME=$2/" \
        -e "/^etcd:/!{/^ETCD_INITIAL_CLUSTER=/!s/192\.0\.2\.21/${ADDRESS[$2]}/g}" "debian/examples/$1"
}

# write_patroni HOST: prints Patroni's configuration, made from the example. Changes the host's name and addresses, sets shorter
# times, so that a failover takes seconds, turns the watchdog off, since namespaces have none, and lets the client connect.
write_patroni() {
    own_example patroni.yml "$1" | sed \
        -e 's/^    ttl: .*/    ttl: 8/; s/^    loop_wait: .*/    loop_wait: 1/; s/^    retry_timeout: .*/    retry_timeout: 3/' \
        -e 's/^watchdog: .*/watchdog: {mode: "off"}/' \
        -e "/^  pg_hba:/a\\    - hostssl data-import postgres ${ADDRESS[client]}/32 scram-sha-256"
}

configure_databases() {
    local host
    for host in db1 db2 db3; do
        own_example etcd "$host" | put "$host" /etc/default/etcd
        write_patroni "$host" | put "$host" /etc/patroni/config.yml
        make_certificate "$host.example.com" "$RUN_DIR/$host/server"
        put "$host" /etc/patroni/server.crt <"$RUN_DIR/$host/server.crt"
        put "$host" /etc/patroni/server.key <"$RUN_DIR/$host/server.key"
    done
}

# True if the three hosts form one etcd cluster. Debian's package starts a separate cluster on each host when it is installed.
etcd_is_one_cluster() {
    local found
    found=$(on db1 etcdctl --endpoints="http://${ADDRESS[db1]}:2379" member list | sed -nE 's/.*, started, (db[1-3]), .*/\1/p' | sort | xargs)
    [[ $found == 'db1 db2 db3' ]] || { echo "FAILED: etcd's members are: $found"; return 1; }
}

# Starts the servers that do not run; returns when there are a primary, a synchronous standby and one more standby.
start_cluster() {
    local host unit
    for unit in etcd patroni; do
        for host in db1 db2 db3; do
            on "$host" systemctl start "$unit"
        done
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
