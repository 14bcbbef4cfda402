# Sourced by check: two hosts of the service, each with nginx and data-importd, installed as README.Debian says for several
# hosts on one database.
# shellcheck shell=bash

control_on() { on "$1" "$BUILD/data-importctl" --config "$RUN_DIR/$1/data-import.conf" "${@:2}"; }

write_service() {
    local place=$RUN_DIR/$1
    mkdir -p "$place"/{sockets,log,vendors.d,temporary} "$place/nginx"/{snippets/data-import,sites-enabled}
    install -d -m 0700 "$place/keys"
    cat >"$place/data-import.conf" <<END
database = host=$DATABASE_HOSTS dbname=data-import user=data-import
admin_database = host=$DATABASE_HOSTS dbname=data-import user=postgres
admin_user =
sql_directory = $PWD/sql
socket_directory = $place/sockets
socket_group = www-data
keys_directory = $place/keys
nginx_config = $place/nginx/nginx.conf
import_workers = 4
import_workers_at_once = 4
access_refresh = 1
END
}

# Without TLS and limits: all clients have one address and one token.
write_site() {
    local place=$RUN_DIR/$1 snippets=$RUN_DIR/$1/nginx/snippets/data-import
    cp nginx/*.conf "$snippets"
    : >"$snippets/certificate.conf"
    : >"$snippets/limits.conf"
    sed -e "s#@LISTEN@#listen ${ADDRESS[$1]}:80;#" -e "s#@SERVER_NAME@#_#" -e "s#@SOCKETS@#$place/sockets#" \
        -e "s#@METRICS_LISTEN@#127.0.0.1:9642#" -e "s#@ACCESS_LOG@#$place/log/access.log#" -e "s#@DOCS@#$place/docs#" \
        nginx/data-import.conf.in >"$place/nginx/sites-enabled/data-import"
    sed -e "s#@USER@#user www-data;#" -e "s#@RUN_DIR@#$place#" -e "s#@TEMPORARY@#$place/temporary#" \
        tests/stack/nginx.conf.in >"$place/nginx/nginx.conf"
    chown -R www-data "$place/temporary"
}

# The first host makes the database and the first key; the others get its keys.
install_services() {
    write_service app1
    write_service app2
    control_on app1 db setup >"$RUN_DIR/setup.log" 2>&1 || die "db setup failed: $(<"$RUN_DIR/setup.log")"
    control_on app1 signing-key rotate >>"$RUN_DIR/setup.log"
    copy_keys
    control_on app1 supplier create HA --name 'High availability' >/dev/null
    {
        echo external_account_number,state,service_account_number,account_created_at,statement_from,statement_to
        printf 'A%s,imported,,2024-01-31T10:00:00Z,2024-05-01,2024-05-31\n' {0..199}
    } >"$RUN_DIR/accounts.csv"
    control_on app1 account load HA "$RUN_DIR/accounts.csv" >/dev/null
    control_on app1 key create --organisation HA --supplier HA >"$RUN_DIR/api-key"
    write_site app1
    write_site app2
}

copy_keys() { cp -p "$RUN_DIR"/app1/keys/*.key "$RUN_DIR/app2/keys/"; }

start_services() {
    local host place
    for host in app1 app2; do
        place=$RUN_DIR/$host
        if ! runs_on "$host" data-importd; then
            on "$host" setsid "$BUILD/data-importd" --config "$place/data-import.conf" >>"$place/log/data-importd.log" 2>&1 </dev/null &
            disown
        fi
        runs_on "$host" nginx: || on "$host" nginx -p "$place/nginx/" -c "$place/nginx/nginx.conf" -e "$place/log/nginx-error.log" </dev/null
    done
    wait_for_services
}

wait_for_services() {
    local host deadline=$((SECONDS + 60))
    for host in app1 app2; do
        until on client curl --silent --fail --max-time 3 --output /dev/null "http://${ADDRESS[$host]}/readyz"; do
            ((SECONDS < deadline)) || die "the service on $host does not become ready: $(tail -n 5 "$RUN_DIR/$host/log/data-importd.log")"
            sleep 0.2
        done
    done
}
