# Sourced by up. Sets up the operators' page of the package's example, with each of its three ways to sign in, for PERSONS.
# shellcheck shell=bash
PERSONS=(anna otto vera sara nobody)

# Makes a password, which equals the name, and a certificate for each person.
make_operators() {
    local name
    for name in "${PERSONS[@]}"; do printf '%s:%s\n' "$name" "$(openssl passwd -apr1 "$name")"; done >"$SHARED/operators.htpasswd"
    openssl x509 -checkend 86400 -noout -in "$RUN_DIR/tls/anna.pem" >/dev/null 2>&1 && return
    (
        cd "$RUN_DIR/tls"
        umask 077
        openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 825 -keyout operators-ca.key -out operators-ca.pem \
            -subj "/CN=authority of the operators" -addext basicConstraints=critical,CA:TRUE
        for name in "${PERSONS[@]}"; do
            openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 825 -keyout "$name.key" -out "$name.pem" \
                -CA operators-ca.pem -CAkey operators-ca.key -subj "/O=Example/CN=$name" -addext basicConstraints=critical,CA:FALSE
        done
    ) >"$RUN_DIR/log/openssl.log" 2>&1 || die "no certificate could be made: $(tail -n 5 "$RUN_DIR/log/openssl.log")"
}

# write_operators_pages DIRECTORY: writes the sites of the operators' pages.
write_operators_pages() {
    operators_page 1 "$OPERATORS_PORT" >"$1/operators"
    operators_page 2 "$OPERATORS_CERTIFICATES_PORT" >"$1/operators-certificates"
    operators_page 3 "$OPERATORS_SIGN_ON_PORT" >"$1/operators-sign-on"
    cat >"$1/sign-on" <<SIGN_ON
# A sign-on that believes the cookie \`person\`.
server {
    listen 127.0.0.1:$SIGN_ON_PORT;
    location = /oauth2/auth {
        if (\$cookie_person = "") {
            return 401;
        }
        add_header X-Auth-Request-Email \$cookie_person always;
        return 202;
    }
    location = /oauth2/sign_in {
        return 403 "sign in";
    }
}
SIGN_ON
}

# operators_page WAY PORT: prints debian/examples/operators-page.conf with the addresses of this stack; the page listens on PORT.
# The example has lines for three ways to sign in, numbered 1 to 3. Uncomments the lines for the way whose number is WAY, and
# comments out the lines for the other two ways.
operators_page() {
    awk -v way="$1" '
        /^    # [1-3]\. / { part = substr($2, 1, 1) }
        /^$/ { part = "" }
        part == way && /^    #([^ ]|    )/ { sub("#", "") }
        part != "" && part != way && !/^    #/ { sub("^    ", "    #") }
        { print }' "$REPOSITORY/debian/examples/operators-page.conf" |
        sed -e '/listen \[::\]/d' -e "s#operators_page#operators_page_$1#" -e "s#listen 443 ssl;#listen 127.0.0.1:$2 ssl; access_log off;#" \
            -e 's#operators\.example\.com#localhost 127.0.0.1#' -e "s#/etc/ssl/certs/ssl-cert-snakeoil.pem#$RUN_DIR/tls/server.pem#" \
            -e "s#/etc/ssl/private/ssl-cert-snakeoil.key#$RUN_DIR/tls/server.key#" -e "s#127\.0\.0\.1:4180#127.0.0.1:$SIGN_ON_PORT#" \
            -e "s#127\.0\.0\.1:9642#127.0.0.1:$METRICS_PORT#" \
            -e "s#/etc/nginx/operators.htpasswd#$SHARED/operators.htpasswd#" \
            -e "s#/etc/nginx/operators-authority.pem#$RUN_DIR/tls/operators-ca.pem#"
}
