# Sourced by check. Sets up three database hosts, each with etcd, Patroni and PostgreSQL, as the handbook and the examples say.
# shellcheck shell=bash

# own_example NAME HOST: prints an example, with the name and address of the first host replaced by those of HOST.
own_example() {
    sed -e "s/^name: db1/name: $2/; s/^ETCD_NAME=db1/ETCD_NAME=$2/" \
        -e "/^etcd:/!{/^ETCD_INITIAL_CLUSTER=/!s/192\.0\.2\.21/${ADDRESS[$2]}/g}" "debian/examples/$1"
}

# Writes Patroni's configuration: the example with this host's name and addresses, shorter times, so that a failover takes
# seconds, no watchdog, since namespaces have none, and access to the database for the client.
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

# True if etcd is one cluster. When it was installed, Debian started it as a separate cluster on each host.
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
