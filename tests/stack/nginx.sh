# Sourced by up. Makes the certificates and the configuration of nginx, and starts it.
# shellcheck shell=bash

# Makes a certificate authority for this stack, and a certificate for loopback that it signs. Makes new ones when they expire.
make_certificates() {
    mkdir -p "$RUN_DIR/tls"
    ! openssl x509 -checkend 86400 -noout -in "$RUN_DIR/tls/server.pem" >/dev/null 2>&1 || return 0
    (
        cd "$RUN_DIR/tls"
        umask 077
        openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 825 -keyout ca.key -out ca.pem \
            -subj "/CN=data-import test authority" -addext basicConstraints=critical,CA:TRUE \
            -addext keyUsage=critical,keyCertSign,cRLSign
        openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 825 -keyout server.key \
            -out server.pem -CA ca.pem -CAkey ca.key -subj /CN=localhost \
            -addext basicConstraints=critical,CA:FALSE -addext keyUsage=critical,digitalSignature \
            -addext extendedKeyUsage=serverAuth -addext subjectAltName=DNS:localhost,IP:127.0.0.1
        chmod 644 ca.pem server.pem
    ) >"$RUN_DIR/log/openssl.log" 2>&1 || die "no certificate could be made: $(tail -n 5 "$RUN_DIR/log/openssl.log")"
}

start_nginx() {
    write_nginx_configuration
    local pid
    if ! pid=$(nginx_pid); then
        install_nginx_configuration
        run_nginx || die "nginx did not start: $(tail -n 5 "$RUN_DIR/log/nginx-error.log")"
    elif diff --recursive "$RUN_DIR/nginx.new" "$RUN_DIR/nginx" >/dev/null; then
        rm -rf "$RUN_DIR/nginx.new"
        say "nginx is already running"
    else
        install_nginx_configuration
        kill -HUP "$pid"
        say "nginx reads its changed configuration"
    fi
}

run_nginx() {
    nginx -p "$RUN_DIR/nginx/" -c "$RUN_DIR/nginx/nginx.conf" -e "$RUN_DIR/log/nginx-error.log" </dev/null 9>&-
}

install_nginx_configuration() {
    rm -rf "$RUN_DIR/nginx"
    mv "$RUN_DIR/nginx.new" "$RUN_DIR/nginx"
}

# Writes the configuration of nginx. The site and its snippets are those of the package; the rest of the server, the addresses
# and the certificate belong to the stack.
write_nginx_configuration() {
    new_log "$RUN_DIR/log/nginx-error.log"
    new_log "$RUN_DIR/log/nginx-access.log"
    local new=$RUN_DIR/nginx.new
    local snippets=$new/snippets/data-import
    rm -rf "$new"
    mkdir -p "$snippets" "$new/sites-available" "$new/sites-enabled"
    cp "$REPOSITORY"/nginx/*.conf "$snippets"
    printf '%s\n' "ssl_certificate $RUN_DIR/tls/server.pem;" "ssl_certificate_key $RUN_DIR/tls/server.key;" \
        >"$snippets/certificate.conf"
    [[ $LIMITS != off ]] || say "# switched off by LIMITS=off" >"$snippets/limits.conf"
    install_pages
    fill_in "$REPOSITORY/nginx/data-import.conf.in" >"$new/sites-available/data-import"
    [[ $LIMITS != slow ]] || sed --in-place --regexp-extended 's#rate=[0-9]+r/[sm]#rate=1r/m#' "$new/sites-available/data-import"
    ln -s "$RUN_DIR/nginx/sites-available/data-import" "$new/sites-enabled/data-import"
    write_operators_pages "$new/sites-enabled"
    fill_in "$REPOSITORY/tests/stack/nginx.conf.in" >"$new/nginx.conf"
}

# Copies the files of /docs/, /migration/ and /handbook/, because nginx may run as a user who cannot read the build. Without these
# files the three addresses answer 404.
install_pages() {
    local page
    for page in docs/index.html migration/suppliers.html handbook/index.html; do
        rm -rf "${SHARED:?}/${page%/*}"
        if [[ -e $BUILD/$page ]]; then
            cp -R "$BUILD/${page%/*}" "$SHARED/${page%/*}"
        else
            say "the page /${page%/*}/ is not built: make docs migration handbook"
        fi
    done
}

fill_in() {
    local listen="listen 127.0.0.1:$PORT ssl backlog=4096;"
    [[ -z $PLAIN_PORT ]] || listen+=" listen 127.0.0.1:$PLAIN_PORT backlog=4096;"
    sed -e "s#@LISTEN@#$listen#" -e "s#@SERVER_NAME@#localhost 127.0.0.1#" -e "s#@SOCKETS@#$SOCKETS#" \
        -e "s#@METRICS_LISTEN@#127.0.0.1:$METRICS_PORT#" \
        -e "s#@ACCESS_LOG@#$RUN_DIR/log/nginx-access.log#" -e "s#@DOCS@#$SHARED/docs#" -e "s#@MIGRATION@#$SHARED/migration#" \
        -e "s#@HANDBOOK@#$SHARED/handbook#" -e "s#@RUN_DIR@#$RUN_DIR#" \
        -e "s#@TEMPORARY@#$SHARED/nginx-temporary#" -e "s#@USER@#$(! is_root || echo 'user www-data;')#" "$1"
}

# Chooses free ports for the local listener and for the operators' pages. The ports stay the same while the stack runs.
choose_local_ports() {
    local name
    for name in METRICS OPERATORS OPERATORS_CERTIFICATES OPERATORS_SIGN_ON SIGN_ON; do choose_port "${name}_PORT"; done
}

# choose_port VARIABLE: sets VARIABLE to the port in the file RUN_DIR/VARIABLE. Chooses a free port and writes the file if there
# is none, or if nginx does not run and another program uses the port.
choose_port() {
    local file=$RUN_DIR/$1 port=
    [[ ! -s $file ]] || port=$(<"$file")
    if [[ -z $port ]] || { ! nginx_pid >/dev/null && ! is_free "$port"; }; then
        port=$(free_port)
        say "$port" >"$file"
    fi
    printf -v "$1" %s "$port"
}

is_free() { ! (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null; }

free_port() {
    local port
    while port=$((20000 + RANDOM % 10000)); do
        [[ $port != "$PORT" && $port != "$PLAIN_PORT" ]] && ! grep --quiet --line-regexp "$port" "$RUN_DIR"/*_PORT 2>/dev/null &&
            is_free "$port" && { say "$port"; return; }
    done
}

check_ports() {
    local port
    for port in "$@"; do
        [[ -z $port ]] || ! (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null ||
            die "port $port is in use by another program: choose others with PORT= (and PLAIN_PORT=)"
    done
}

# Fails if a port is taken by another program. It runs before anything is started.
check_new_ports() {
    local port
    for port in "$PORT" $PLAIN_PORT; do
        if ! nginx_pid >/dev/null || ! grep --quiet "listen 127.0.0.1:$port\b" "$RUN_DIR/nginx/sites-available/data-import"; then
            check_ports "$port"
        fi
    done
}
