# Sourced by check. Sets up two hosts of the service and a balancer in front of them, as the handbook and the examples say.
# shellcheck shell=bash

control_on() { on "$1" data-importctl "${@:2}"; }

# make_packages SOURCE BUILD TREE: puts all files that the packages install, and the postinst, into TREE.
make_packages() {
    local tree=$3
    env -u MAKEFLAGS -u MAKELEVEL make --directory="$1" --no-print-directory --silent BUILD="$2" install DESTDIR="$tree" >"$tree.log" 2>&1 ||
        die "make install failed: $(tail -n 5 "$tree.log")"
    install -D -m 0644 debian/data-import.sysusers "$tree/usr/lib/sysusers.d/data-import.conf"
    install -D -m 0644 -t "$tree/usr/share/doc/data-import/examples" debian/examples/*
    install -D -m 0755 debian/data-import.postinst "$tree/usr/share/data-import/postinst"
}

# put_packages TREE: copies TREE to /run/packages of the service's hosts, from where tests/ha/commands/apt installs it.
put_packages() {
    local host
    for host in host1 host2; do
        rm -rf "$RUN_DIR/$host/run/packages"
        cp --archive "$1" "$RUN_DIR/$host/run/packages"
    done
}

# Makes the certificate authority that the service's hosts and the clients trust.
make_authority() {
    openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=authority \
        -keyout "$RUN_DIR/authority.key" -out "$RUN_DIR/authority.crt" 2>/dev/null
    local host
    for host in host1 host2; do
        mkdir -p "$RUN_DIR/$host/etc/ssl/certs"
        cp "$RUN_DIR/authority.crt" "$RUN_DIR/$host/etc/ssl/certs/ca-certificates.crt"
    done
}

# make_certificate NAME FILE: makes FILE.crt and FILE.key.
make_certificate() {
    openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj "/CN=$1" -keyout "$2.key" -out "$2.csr" 2>/dev/null
    openssl x509 -req -in "$2.csr" -CA "$RUN_DIR/authority.crt" -CAkey "$RUN_DIR/authority.key" -CAcreateserial -days 2 \
        -extfile <(echo "subjectAltName=DNS:$1,IP:${ADDRESS[balancer]}") -out "$2.crt" 2>/dev/null
}

# put HOST FILE [MODE]: writes standard input into the file.
put() { on "$1" install -D -m "${3:-0644}" /dev/stdin "$2"; }

# configure_service HOST: does the handbook's steps that are not commands: writes the passwords and the certificate of the site.
# Also turns nginx's limits off, and adds a listener without TLS, because clients of the test reach each host by itself. Sets
# fewer workers, because all hosts share one machine.
configure_service() {
    printf 'db%d.example.com:5432:data-import:data-import:PASSWORD\n' 1 2 3 | put "$1" /etc/data-import/database.passfile 0600
    printf 'db%d.example.com:5432:*:postgres:PASSWORD\n' 1 2 3 | put "$1" /etc/data-import/admin.passfile 0600
    echo 'import_workers = 4' | put "$1" /etc/data-import/conf.d/test.conf
    make_certificate import.example.com "$RUN_DIR/import"
    put "$1" /etc/nginx/import.crt <"$RUN_DIR/import.crt"
    put "$1" /etc/nginx/import.key 0600 <"$RUN_DIR/import.key"
    printf 'ssl_certificate /etc/nginx/import.crt;\nssl_certificate_key /etc/nginx/import.key;\n' |
        put "$1" /etc/nginx/snippets/data-import/certificate.conf
    put "$1" /etc/nginx/snippets/data-import/limits.conf </dev/null
    on "$1" sed -i "s#^    listen 443 ssl#    listen ${ADDRESS[$1]}:8080;\n&#" /etc/nginx/sites-available/data-import
    on "$1" systemctl start nginx
}

# Makes the packages of a next version: this version with one more migration, built in another folder.
make_next_version() {
    local tree=$RUN_DIR/next last
    last=$(basename "$(printf '%s\n' sql/upgrades/*.sql | tail -n 1)")
    last=$((10#${last%%-*}))
    mkdir -p "$tree/build"
    cp --archive Makefile src sql etc nginx debian "$tree"
    find "$BUILD" -mindepth 1 -maxdepth 1 ! -name tests ! -name 'package*' -exec cp --archive -t "$tree/build" {} +
    printf "COMMENT ON SCHEMA data_import IS 'Of the next version.';\n" >"$tree/sql/upgrades/$(printf '%04d' $((last + 1)))-next.sql"
    make_packages "$tree" build "$RUN_DIR/next-packages"
    rm -rf "$tree"
}

# Installs the balancer with fewer connections than the example has, since this machine's limit of open files may be low.
install_balancer() {
    mkdir -p "$RUN_DIR/balancer/etc/haproxy"
    sed 's/maxconn .*/maxconn 1000/' debian/examples/haproxy.cfg >"$RUN_DIR/balancer/etc/haproxy/haproxy.cfg"
}

make_accounts() {
    local supplier
    for supplier in HA LOAD; do
        control_on host1 supplier create "$supplier" --name "$supplier" >/dev/null
        {
            echo external_account_number,state,service_account_number,account_created_at,statement_from,statement_to
            printf 'A%s,imported,,2024-01-31T10:00:00Z,2024-05-01,2024-05-31\n' {0..199}
        } >"$RUN_DIR/host1/run/accounts.csv"
        control_on host1 account load "$supplier" /run/accounts.csv >/dev/null
    done
    control_on host1 consumer add ha >/dev/null
    (umask 077 && control_on host1 key create --organisation HA --supplier HA --supplier LOAD >"$RUN_DIR/api-key")
}

start_services() {
    local host unit
    on balancer systemctl start haproxy
    for host in host1 host2; do
        for unit in data-import nginx; do
            on "$host" systemctl start "$unit"
        done
    done
    wait_for_services
}

wait_for_services() {
    local address deadline=$((SECONDS + 60))
    for address in "http://${ADDRESS[host1]}:8080" "http://${ADDRESS[host2]}:8080" "https://${ADDRESS[balancer]}"; do
        until on client curl --silent --fail --max-time 3 --cacert "$RUN_DIR/authority.crt" --output /dev/null "$address/readyz"; do
            ((SECONDS < deadline)) || die "the service at $address does not become ready: see the logs in $RUN_DIR/*/var/log"
            sleep 0.2
        done
    done
}
