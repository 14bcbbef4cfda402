// data-importctl doctor: it finds each fault that is planted into an installation, with the command that
// mends it, and nothing in an installation without faults.
#include <cppunit/extensions/HelperMacros.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <functional>
#include <utility>

#include "../../remedy_form.h"
#include "../../runner.h"
#include "../../support/answer_check.h"
#include "../../support/command.h"
#include "../../support/database.h"
#include "../../support/load.h"
#include "../../support/processes.h"
#include "../../support/stack.h"
#include "data/json/reader.h"

namespace data_import::tests {

namespace {

struct Found {
    int status = 0;
    std::string output;
    json::Document document;
};

/// A fault: the command that makes it, the doctor's finding, and the command that takes it away.
struct Fault {
    std::string name;
    std::string plant;  ///< a line of bash with the stack's variables, $CTL among them
    std::string mend;
    std::string subject;
    std::string text;  ///< a part of the finding's text
    std::string remedy;
    bool is_warning = false;
};

// Functions of bash. `sql` runs a statement as the administrator. `doctor_setting` writes its arguments as
// the lines of the configuration file conf.d/doctor.conf.
const char* const tools = R"(
sql() { psql --quiet --no-psqlrc --set=ON_ERROR_STOP=1 --dbname="$DATABASE_URL" --command="$1" >/dev/null; }
doctor_setting() { printf '%s\n' "$@" >"$RUN/conf.d/doctor.conf"; }
certificate() {  # NAME DAYS SUBJECT_ALTERNATIVE_NAME [ca]
    local issuer=(-signkey "$RUN/tls/$1.key")
    [[ $# == 3 ]] || issuer=(-CA "$RUN/tls/ca.pem" -CAkey "$RUN/tls/ca.key" -CAcreateserial)
    openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout "$RUN/tls/$1.key" -out "$RUN/tls/$1.csr" \
        -subj "/CN=$1" 2>/dev/null
    openssl x509 -req -in "$RUN/tls/$1.csr" -days "$2" "${issuer[@]}" -out "$RUN/tls/$1.pem" \
        -extfile <(echo "subjectAltName=$3") 2>/dev/null
    use_certificate "$1"
}
use_certificate() {
    printf '%s\n' "ssl_certificate $RUN/tls/$1.pem;" "ssl_certificate_key $RUN/tls/$1.key;" \
        >"$RUN/nginx/snippets/data-import/certificate.conf"
}
reload_nginx() {  # until it has read its configuration: its workers are new then
    local before try
    before=$(pgrep --newest --parent "$NGINX_PID")
    kill -HUP "$NGINX_PID"
    for try in {1..100}; do
        [[ $(pgrep --newest --parent "$NGINX_PID") == "$before" ]] || break
        sleep 0.1
    done
    sleep 0.3  # for the old ones, which take no more connections then
}
newest_key() { find "$RUN/keys" -name '*.key' | sort | tail -n 1; }
key=$(find "$RUN/keys" -name '*.key' 2>/dev/null | head -n 1) || true
)";

const std::string no_setting = "rm \"$RUN/conf.d/doctor.conf\"";

const std::vector<Fault> faults = {
    {"a key that others can read", "chmod 0644 $key", "chmod 0600 $key", "signing keys", "mode 0644",
     "chmod 0640 "},
    {"an open directory of keys, and no key",
     "mkdir $RUN/away; mv $RUN/keys/* $RUN/away; chmod 0755 $RUN/keys",
     "chmod 0700 $RUN/keys; mv $RUN/away/* $RUN/keys; rmdir $RUN/away", "signing keys", "no signing key",
     "data-importctl signing-key rotate"},
    {"no key", "mkdir $RUN/away; mv $RUN/keys/* $RUN/away", "mv $RUN/away/* $RUN/keys; rmdir $RUN/away",
     "signing keys", "no signing key", "data-importctl signing-key rotate"},
    {"a key that holds none", "cp -p $key $RUN/saved; echo nonsense >$key", "cp -p $RUN/saved $key",
     "signing keys", "holds no signing key", ".key && "},
    {"an open directory of keys", "chmod 0755 $RUN/keys", "chmod 0700 $RUN/keys", "signing keys",
     "open to others", "chmod 0750 "},
    {"no directory of keys", "mv $RUN/keys $RUN/away", "mv $RUN/away $RUN/keys", "signing keys",
     "No such file", "install -d"},
    {"an unknown setting", "doctor_setting 'import_worker = 3'", no_setting, "configuration",
     "unknown setting", "data-importctl config check"},
    {"a value out of its range", "doctor_setting 'batch = 0'", no_setting, "configuration",
     "expected a number from 1", "conf.d/doctor.conf && data-importctl config check"},
    {"a configuration that all can write", "doctor_setting '#'; chmod 0666 $RUN/conf.d/doctor.conf",
     no_setting, "configuration files", "written by everybody", "chmod 0640 "},
    {"a password that all can read",
     "doctor_setting \"database = host=$RUN/postgresql user=data-import dbname=data-import "
     "password=hidden\"; "
     "chmod 0644 $RUN/conf.d/doctor.conf",
     no_setting, "configuration files", "holds a password", "chmod 0640 "},
    {"connection parameters that are none", "doctor_setting 'database = nonsense'", no_setting,
     "connection parameters", "database: connection parameters are", "editor +1 "},
    {"a connection parameter that is misspelt", "doctor_setting '' 'admin_database = hots=x'", no_setting,
     "connection parameters", "admin_database: unknown connection parameter `hots`: did you mean `host`?",
     "editor +2 "},
    {"a role without a session left", "sql 'ALTER ROLE \"data-import\" CONNECTION LIMIT 0'",
     "sql 'ALTER ROLE \"data-import\" CONNECTION LIMIT -1'", "service's session",
     "too many connections for role", "ALTER ROLE \"data-import\" CONNECTION LIMIT -1"},
    {"a directory of keys that is not there", "doctor_setting 'keys_directory = /nonexistent'", no_setting,
     "signing keys", "keys_directory /nonexistent: No such file", "editor +1 "},
    {"nginx's configuration elsewhere", "doctor_setting \"nginx_config = $RUN/nginx/none.conf\"", no_setting,
     "nginx site", "none.conf does not exist", "editor +1 "},
    {"no migration files", "doctor_setting 'sql_directory = /nonexistent'", no_setting, "migration files",
     "cannot be read", "apt-get install --reinstall"},
    {"a socket that is closed to its group", "chmod 0600 $SOCKETS/import.sock",
     "chmod 0660 $SOCKETS/import.sock", "pool import", "closed to its group",
     "systemctl restart data-import"},
    {"a socket that is open to all", "chmod 0666 $SOCKETS/vendor.sock", "chmod 0660 $SOCKETS/vendor.sock",
     "pool vendor", "open to everybody", "systemctl restart data-import"},
    {"a socket that is missing", "mv $SOCKETS/listing.sock $RUN/away.sock",
     "mv $RUN/away.sock $SOCKETS/listing.sock", "pool listing", "is missing, but the others exist",
     "systemctl restart data-import.socket"},
    {"a pool that hangs", "kill -STOP $LISTING_WORKERS", "kill -CONT $LISTING_WORKERS", "pool listing",
     "does not answer", "journalctl -u data-import", true},
    {"a service that hangs", "kill -STOP $IMPORT_WORKERS", "kill -CONT $IMPORT_WORKERS", "running service",
     "does not tell", "journalctl -u data-import", true},
    {"an unread change of the configuration", "sleep 1.1; doctor_setting 'batch = 4'", no_setting,
     "running service", "has not read the configuration", "systemctl reload data-import", true},
    {"a file of an editor beside the configuration",
     "kill -HUP $MASTER_PID; sleep 1.1; touch $RUN/conf.d/.doctor.conf.swp",
     "rm $RUN/conf.d/.doctor.conf.swp; kill -HUP $MASTER_PID; sleep 0.5", "running service",
     "may not have read the configuration", "systemctl reload data-import", true},
    {"a vendor that has not been read",
     "kill -HUP $MASTER_PID; sleep 1.1; echo secret >$RUN/secret; chmod 0600 $RUN/secret; printf '%s\\n' "
     "'code = X' 'base_url = "
     "https://127.0.0.1:9' \"secret_file = $RUN/secret\" >$VENDORS_DIR/x.conf",
     "rm $VENDORS_DIR/x.conf $RUN/secret", "running service", "has not read the configuration",
     "systemctl reload data-import", true},
    {"a vendor's secret that has not been read",
     "echo secret >$RUN/secret; chmod 0600 $RUN/secret; printf '%s\\n' 'code = X' 'base_url = "
     "https://127.0.0.1:9' \"secret_file = $RUN/secret\" >$VENDORS_DIR/x.conf; kill -HUP $MASTER_PID; sleep "
     "1.1; "
     "if $CTL doctor --json | grep --quiet 'has not read'; then exit 1; fi; echo other >$RUN/secret",
     "rm $VENDORS_DIR/x.conf $RUN/secret; kill -HUP $MASTER_PID; sleep 0.5", "running service",
     "has not read the configuration", "systemctl reload data-import", true},
    {"control totals that are not what the records say",
     "sql \"INSERT INTO data_import.import_supplier (code, name) VALUES ('LOST', 'L')\"; sql \"INSERT INTO "
     "data_import.import_receipt (import_supplier, kind, value) VALUES ('LOST', 'notes', 2)\"",
     "$CTL recount LOST --yes; sql \"DELETE FROM data_import.import_supplier WHERE code = 'LOST'\"",
     "control totals", "LOST are not what its records say (notes records: 2 in the totals, 0 in the records)",
     "data-importctl recount LOST --yes"},
    {"a database that does not exist",
     "doctor_setting \"admin_database = host=$RUN/postgresql user=postgres dbname=nobody\"", no_setting,
     "database", "`database` names data-import, and `admin_database` nobody", "editor "},
    {"a service with another database",
     "doctor_setting \"database = host=$RUN/postgresql user=data-import dbname=data-imprt\"", no_setting,
     "service's session", "`database` names data-imprt, and `admin_database` data-import", "editor "},
    {"a service with another database that is there",
     "doctor_setting \"database = host=$RUN/postgresql user=data-import dbname=postgres\"", no_setting,
     "service's session", "`database` names postgres, and `admin_database` data-import", "editor "},
    {"no server", "doctor_setting \"admin_database = host=$RUN user=postgres dbname=data-import\"",
     no_setting, "database", "does not answer", "systemctl start postgresql"},
    {"no server on another host",
     "doctor_setting 'admin_database = host=127.0.0.1,127.0.0.1 port=9 user=postgres dbname=data-import' "
     "'database = host=db.example hostaddr=127.0.0.1 port=9 user=data-import dbname=data-import'",
     no_setting, "service's session", "does not answer", "ssh -t db.example 'systemctl start postgresql'"},
    {"a service that cannot connect",
     "doctor_setting \"database = host=$RUN/postgresql user=nobody dbname=data-import\"", no_setting,
     "service's session", "role \"nobody\" does not exist", "editor "},
    {"a role that may not log in", "sql 'ALTER ROLE \"data-import\" NOLOGIN'",
     "sql 'ALTER ROLE \"data-import\" LOGIN'", "roles", "may not log in", "ALTER ROLE \"data-import\" LOGIN"},
    {"a role with too much power", "sql 'ALTER ROLE \"data-import\" SUPERUSER'",
     "sql 'ALTER ROLE \"data-import\" NOSUPERUSER'", "roles", "may do more", "NOSUPERUSER"},
    {"a service that is the owner", "sql 'GRANT \"data-import-owner\" TO \"data-import\"'",
     "sql 'REVOKE \"data-import-owner\" FROM \"data-import\"'", "roles", "may do more",
     "REVOKE \"data-import-owner\""},
    {"an owner that may log in", "sql 'ALTER ROLE \"data-import-owner\" LOGIN'",
     "sql 'ALTER ROLE \"data-import-owner\" NOLOGIN'", "roles", "may log in", "NOLOGIN", true},
    {"a right that is missing", "sql 'REVOKE SELECT ON data_import.account FROM \"data-import\"'",
     "$CTL db setup", "rights", "role data-import lacks SELECT on data_import.account",
     "data-importctl db setup"},
    {"a right without which no request works",
     "sql 'REVOKE SELECT ON data_import.account FROM \"data-import\"'; sleep 3.2", "$CTL db setup; sleep 3.2",
     "https", "answers 503: The service lacks a right in its database", "data-importctl db setup"},
    {"a function of notes that the service may not call",
     "sql 'REVOKE EXECUTE ON FUNCTION data_import.note_times FROM \"data-import\"'", "$CTL db setup",
     "rights", "role data-import lacks EXECUTE on function data_import.note_times",
     "data-importctl db setup"},
    {"a function of readiness that the service may not call",
     "sql 'REVOKE EXECUTE ON FUNCTION data_import.check_readiness FROM \"data-import\"'", "$CTL db setup",
     "rights", "role data-import lacks EXECUTE on function data_import.check_readiness",
     "data-importctl db setup"},
    {"a function that is missing", "sql 'ALTER FUNCTION data_import.housekeeping RENAME TO housekept'",
     "sql 'ALTER FUNCTION data_import.housekept RENAME TO housekeeping'", "rights",
     "role data-import lacks EXECUTE on function data_import.housekeeping", "data-importctl db setup"},
    {"a column that the service may not read",
     "sql 'REVOKE SELECT (signed_at) ON data_import.signed_report FROM \"data-import\"'", "$CTL db setup",
     "rights", "role data-import lacks SELECT (signed_at) on data_import.signed_report",
     "data-importctl db setup"},
    {"a function that the platform may not call",
     "sql 'REVOKE EXECUTE ON FUNCTION data_import.account_stage FROM \"data-import-platform\"'",
     "$CTL db setup", "rights",
     "role data-import-platform lacks EXECUTE on function data_import.account_stage",
     "data-importctl db setup"},
    {"all rights of a role that was made again", "sql 'DROP OWNED BY \"data-import\"'",
     "$CTL db setup; sleep 3.2", "roles", "may not log in, connect, or use", "data-importctl db setup"},
    {"a right to change stored records", "sql 'GRANT DELETE ON data_import.note TO \"data-import\"'",
     "$CTL db setup", "rights", "role data-import has DELETE on data_import.note", "data-importctl db setup"},
    {"a right to change tables", "sql 'GRANT TRUNCATE ON data_import.account TO \"data-import\"'",
     "$CTL db setup", "rights", "role data-import has TRUNCATE on data_import.account",
     "data-importctl db setup"},
    {"a right to change a column", "sql 'GRANT UPDATE (body) ON data_import.note TO \"data-import\"'",
     "$CTL db setup", "rights", "role data-import has UPDATE (body) on data_import.note",
     "data-importctl db setup"},
    {"a right of the platform to remove stored records",
     "sql 'GRANT DELETE ON data_import.note TO \"data-import-platform\"'", "$CTL db setup", "rights",
     "role data-import-platform has DELETE on data_import.note", "data-importctl db setup"},
    {"a function of the page that the platform may call",
     "sql 'GRANT EXECUTE ON FUNCTION data_import.change_import_supplier TO \"data-import-platform\"'",
     "$CTL db setup", "rights",
     "role data-import-platform has EXECUTE on function data_import.change_import_supplier",
     "data-importctl db setup"},
    {"a right of another role, which has passed it on",
     "sql 'CREATE ROLE reader; CREATE ROLE other; GRANT USAGE ON SCHEMA data_import TO reader; GRANT SELECT "
     "ON "
     "data_import.account TO reader WITH GRANT OPTION'; sql 'SET ROLE reader; GRANT SELECT ON "
     "data_import.account TO other'",
     "$CTL db setup; sql 'DROP ROLE reader, other'", "rights", "role other has SELECT on data_import.account",
     "data-importctl db setup"},
    {"a right that may be passed on",
     "sql 'GRANT SELECT ON data_import.account TO \"data-import\" WITH GRANT OPTION'", "$CTL db setup",
     "rights", "role data-import has SELECT WITH GRANT OPTION on data_import.account",
     "data-importctl db setup"},
    {"a right to tables that are not there yet",
     "sql 'CREATE ROLE reader; ALTER DEFAULT PRIVILEGES FOR ROLE \"data-import-owner\" IN SCHEMA data_import "
     "GRANT "
     "SELECT ON TABLES TO reader'",
     "$CTL db setup; sql 'DROP ROLE reader'", "rights",
     "role reader has SELECT on future tables of schema data_import", "data-importctl db setup"},
    {"a platform with too much power", "sql 'GRANT \"data-import-owner\" TO \"data-import-platform\"'",
     "sql 'REVOKE \"data-import-owner\" FROM \"data-import-platform\"'", "roles",
     "role data-import-platform may do more", "REVOKE \"data-import-owner\" FROM \"data-import-platform\""},
    {"a role with fewer sessions than workers", "sql 'ALTER ROLE \"data-import\" CONNECTION LIMIT 25'",
     "sql 'ALTER ROLE \"data-import\" CONNECTION LIMIT -1'", "connections",
     "of 25 that role data-import may have (CONNECTION LIMIT)",
     "ALTER ROLE \"data-import\" CONNECTION LIMIT -1"},
    {"a database with fewer sessions than workers",
     "sql 'ALTER DATABASE \"data-import\" CONNECTION LIMIT 25'",
     "sql 'ALTER DATABASE \"data-import\" CONNECTION LIMIT -1'", "connections",
     "of 25 that database data-import may have (CONNECTION LIMIT)",
     "ALTER DATABASE \"data-import\" CONNECTION LIMIT -1"},
    {"a server that logs values",
     "sql 'ALTER SYSTEM SET log_min_duration_statement = 0'; sql 'SELECT pg_reload_conf()'; sleep 0.5",
     "sql 'ALTER ROLE \"data-import\" IN DATABASE \"data-import\" SET log_parameter_max_length = 0'; "
     "if $CTL doctor --json | grep --quiet 'gets the values'; then exit 1; fi; sql 'ALTER SYSTEM RESET ALL'; "
     "sql 'ALTER ROLE \"data-import\" IN DATABASE \"data-import\" RESET ALL'; sql 'SELECT pg_reload_conf()'; "
     "sleep 0.5",
     "PostgreSQL's log", "payloads among them, by log_parameter_max_length",
     "SET log_parameter_max_length = 0", true},
    {"a server that logs statements", "sql \"ALTER ROLE \\\"data-import\\\" SET log_statement = 'all'\"",
     "sql 'ALTER ROLE \"data-import\" RESET log_statement'", "PostgreSQL's log",
     "by log_parameter_max_length", "SET log_parameter_max_length = 0", true},
    {"a server that logs values of failed statements",
     "sql 'ALTER ROLE \"data-import\" SET log_parameter_max_length_on_error = -1'",
     "sql 'ALTER ROLE \"data-import\" RESET log_parameter_max_length_on_error'", "PostgreSQL's log",
     "by log_parameter_max_length_on_error", "SET log_parameter_max_length_on_error = 0", true},
    {"a dead socket beside living ones",
     "mv $SOCKETS/bulk.sock $RUN/away.sock; perl -MIO::Socket::UNIX -e 'IO::Socket::UNIX->new(Local => "
     "shift, Listen => 1)' "
     "$SOCKETS/bulk.sock; chmod 0660 $SOCKETS/bulk.sock",
     "rm $SOCKETS/bulk.sock; mv $RUN/away.sock $SOCKETS/bulk.sock", "pool bulk", "but on the others",
     "systemctl restart data-import"},
    {"a right to make objects", "sql 'GRANT CREATE ON SCHEMA data_import TO \"data-import\"'",
     "$CTL db setup", "rights", "role data-import has CREATE on schema data_import",
     "data-importctl db setup"},
    {"a function that everybody may call",
     "sql 'GRANT EXECUTE ON FUNCTION data_import.account_erase TO PUBLIC'", "$CTL db setup", "rights",
     "everybody has EXECUTE on function data_import.account_erase", "data-importctl db setup"},
    {"an erasure that does not come to its end",
     "sql \"INSERT INTO data_import.import_supplier (code, name) VALUES ('ERASED', 'Erased'); "
     "INSERT INTO data_import.supplier_erasure (import_supplier, began_at, begun_by, kind, figure, value) "
     "VALUES ('ERASED', now() - interval '2 days', 'anna', '{}', '{}', '{}')\"",
     "sql \"DELETE FROM data_import.supplier_erasure; DELETE FROM data_import.import_supplier WHERE code = "
     "'ERASED'\"",
     "erasure of ERASED", "is not done", "data-importctl supplier erase ERASED", true},
    {"a missing migration",
     "sql 'CREATE TABLE data_import.saved AS SELECT * FROM data_import.schema_migration ORDER BY version "
     "DESC LIMIT 1; "
     "UPDATE data_import.schema_migration SET version = 27 WHERE version = (SELECT version FROM "
     "data_import.saved)'",
     "sql 'UPDATE data_import.schema_migration SET version = saved.version FROM data_import.saved WHERE "
     "schema_migration.version = 27; DROP TABLE data_import.saved'",
     "migrations", "are missing", "data-importctl db migrate"},
    {"a newer migration",
     "sql \"INSERT INTO data_import.schema_migration (version, name, sha256) VALUES (999, 'later', '')\"",
     "sql 'DELETE FROM data_import.schema_migration WHERE version = 999'", "migrations",
     "newer than this program: 999 later; it works with", "apt-get install data-import", true},
    {"a migration with another content",
     "sql \"UPDATE data_import.schema_migration SET sha256 = 'x' || sha256 WHERE version > 27\"",
     "sql \"UPDATE data_import.schema_migration SET sha256 = substr(sha256, 2) WHERE version > 27\"",
     "migrations", "other content", "apt-get install --reinstall"},
    {"more workers than connections", "doctor_setting 'import_workers = 500'", no_setting, "connections",
     "the workers need", "ALTER SYSTEM SET max_connections"},
    {"more workers than connections of several hosts",
     "doctor_setting 'import_workers = 500' \"database = host=$RUN/postgresql,$RUN/away user=data-import "
     "dbname=data-import\"",
     no_setting, "connections", "the workers need",
     "patronictl -c /etc/patroni/config.yml edit-config --force --pg max_connections="},
    {"a setting that waits for a restart",
     "sql 'ALTER SYSTEM SET wal_level = minimal'; sql 'SELECT pg_reload_conf()'; sleep 0.5",
     "sql 'ALTER SYSTEM RESET ALL'; sql 'SELECT pg_reload_conf()'; sleep 0.5", "PostgreSQL", "wal_level",
     "systemctl restart postgresql", true},
    {"a server that does not wait for the disk",
     "sql 'ALTER SYSTEM SET fsync = off'; sql 'SELECT pg_reload_conf()'; sleep 0.5",
     "sql 'ALTER SYSTEM RESET ALL'; sql 'SELECT pg_reload_conf()'; sleep 0.5", "durability", "fsync is off",
     "ALTER SYSTEM SET fsync = on"},
    {"a server that trusts the file system",
     "sql 'ALTER SYSTEM SET full_page_writes = off'; sql 'SELECT pg_reload_conf()'; sleep 0.5",
     "sql 'ALTER SYSTEM RESET ALL'; sql 'SELECT pg_reload_conf()'; sleep 0.5", "durability",
     "full_page_writes is off", "ALTER SYSTEM SET full_page_writes = on", true},
    {"an expired certificate", "certificate old -1 IP:127.0.0.1 ca", "use_certificate server", "certificate",
     "expired 1 day ago", "nginx -t && systemctl reload nginx"},
    {"a certificate about to expire", "certificate soon 5 IP:127.0.0.1 ca", "use_certificate server",
     "certificate", "expires in", "renew it", true},
    {"the snakeoil certificate", "certificate snakeoil 100 IP:127.0.0.1", "use_certificate server",
     "certificate", "no client trusts it", "editor", true},
    {"a certificate for another name", "certificate other 100 DNS:other.example ca", "use_certificate server",
     "certificate", "is not for server_name 127.0.0.1", "certificate.conf"},
    {"a certificate without that of its issuer",
     "certificate lone 100 $'IP:127.0.0.1\\nauthorityInfoAccess=caIssuers;URI:http://ca.example/ca.der' ca",
     "use_certificate server", "certificate", "lone.pem lacks the certificate of its issuer",
     "certificate.conf", true},
    {"a service that takes longer than nginx waits", "doctor_setting 'request_timeout = 60'", no_setting,
     "limits", "request_timeout is 60 s, but nginx gives up after 60 s",
     "snippets/data-import/fastcgi.conf && nginx -t", true},
    {"a service that takes longer bodies than nginx", "doctor_setting 'max_body_bytes = 100MiB'", no_setting,
     "limits", "max_body_bytes is 104857600, but nginx refuses bodies of over 10485760 bytes",
     "snippets/data-import/import.conf ", true},
    {"a private key that all can read", "chmod 0644 $RUN/tls/server.key", "chmod 0600 $RUN/tls/server.key",
     "certificate", "open to everybody", "chmod 0600 "},
    {"a certificate that nginx has not read", "certificate renewed 100 IP:127.0.0.1 ca",
     "use_certificate server", "certificate", "it shows clients another certificate, which expires in",
     "systemctl reload nginx", true},
    {"an expired certificate that nginx has not let go",
     "certificate old -1 IP:127.0.0.1 ca; reload_nginx; use_certificate server", "reload_nginx",
     "certificate", "it shows clients another certificate, which expired", "systemctl reload nginx"},
    {"no site", "mv $RUN/nginx/sites-available/data-import $RUN/site",
     "mv $RUN/site $RUN/nginx/sites-available/data-import", "nginx site", "is missing",
     "apt-get install --reinstall data-import"},
    {"a site that is not enabled", "rm $RUN/nginx/sites-enabled/data-import",
     "ln -s $RUN/nginx/sites-available/data-import $RUN/nginx/sites-enabled/data-import", "nginx site",
     "is not enabled", "data-importctl nginx enable"},
    {"a site that leads elsewhere", "ln -sfn /dev/null $RUN/nginx/sites-enabled/data-import",
     "ln -sfn $RUN/nginx/sites-available/data-import $RUN/nginx/sites-enabled/data-import", "nginx site",
     "leads elsewhere", "data-importctl nginx enable"},
    {"a configuration that nginx refuses", "echo 'nonsense on;' >>$RUN/nginx/snippets/data-import/tls.conf",
     "sed -i '/nonsense/d' $RUN/nginx/snippets/data-import/tls.conf", "nginx site", "unknown directive",
     "snippets/data-import/tls.conf && nginx -t"},
    {"an include of nothing",
     "echo 'include snippets/data-import/nothing.conf;' >>$RUN/nginx/sites-available/data-import",
     "sed -i '/nothing.conf/d' $RUN/nginx/sites-available/data-import", "nginx site", "No such file",
     "--force-confmiss data-import"},
    {"another site that has the name",
     "cp $RUN/nginx/sites-available/data-import $RUN/site; "
     "sed -i 's/server_name localhost 127.0.0.1/server_name data-import.example/' "
     "$RUN/nginx/sites-available/data-import; "
     "printf '%s\\n' \"server { listen ${BASE_URL#https://} ssl default_server; server_name "
     "_; ssl_certificate $RUN/tls/server.pem; ssl_certificate_key $RUN/tls/server.key; access_log off; "
     "return 404; }\" "
     ">$RUN/nginx/sites-enabled/other; sed -i 's/server_name data-import.example/server_name _/' "
     "$RUN/nginx/sites-available/data-import; reload_nginx",
     "rm $RUN/nginx/sites-enabled/other; mv $RUN/site $RUN/nginx/sites-available/data-import; "
     "reload_nginx",
     "https", "another site of nginx answers there", "server_name must be"},
    {"a site on the same address that asks for HTTP/2",
     "printf '%s\\n' \"server { listen ${BASE_URL#https://} ssl http2; server_name other.example; "
     "ssl_certificate $RUN/tls/server.pem; ssl_certificate_key $RUN/tls/server.key; access_log off; return "
     "404; }\" "
     ">$RUN/nginx/sites-enabled/other; reload_nginx",
     "rm $RUN/nginx/sites-enabled/other; reload_nginx", "https", "clients get HTTP/2",
     "grep --recursive --line-number http2", true},
    {"a listener that lets everybody act",
     "printf '%s\\n' \"server { listen ${BASE_URL#https://} ssl; server_name acts.example; "
     "ssl_certificate $RUN/tls/server.pem; ssl_certificate_key $RUN/tls/server.key; access_log off; "
     "location ^~ /operator/acts/ {  fastcgi_param DATA_IMPORT_OPERATOR \\$remote_user; "
     "fastcgi_pass data_import_operator; } }\" "
     ">$RUN/nginx/sites-enabled/other; reload_nginx",
     "rm $RUN/nginx/sites-enabled/other; reload_nginx", "acts of operators",
     "acts.example signs nobody in, so that everybody can act", "operators-page.conf"},
    {"a listener at which people choose their names",
     "printf '%s\\n' \"server { listen ${BASE_URL#https://} ssl; server_name acts.example; "
     "ssl_certificate $RUN/tls/server.pem; ssl_certificate_key $RUN/tls/server.key; access_log off; "
     "location ^~ /operator/acts/ { auth_request /sign-on; fastcgi_param DATA_IMPORT_OPERATOR "
     "\\$remote_user; "
     "fastcgi_pass data_import_operator; } }\" "
     ">$RUN/nginx/sites-enabled/other; reload_nginx",
     "rm $RUN/nginx/sites-enabled/other; reload_nginx", "acts of operators",
     "acts.example takes the name of the person from $remote_user, which the client chooses",
     "operators-page.conf"},
    {"a metrics address where nobody answers", "doctor_setting 'metrics_url = http://127.0.0.1:9/metrics'",
     no_setting, "metrics", "does not answer", "metrics_url", true},
    {"a vendor's secret that all can read",
     "echo secret >$RUN/secret; chmod 0644 $RUN/secret; printf '%s\\n' 'code = X' 'base_url = "
     "https://127.0.0.1:9' "
     "\"secret_file = $RUN/secret\" >$VENDORS_DIR/x.conf",
     "rm $VENDORS_DIR/x.conf $RUN/secret", "vendor x", "everybody on this machine has the secret",
     "chmod 0640 "},
    {"a vendor without a secret",
     "printf '%s\\n' 'code = X' 'base_url = https://127.0.0.1:9' \"secret_file = $RUN/none\" "
     ">$VENDORS_DIR/x.conf",
     "rm $VENDORS_DIR/x.conf", "vendor x", "No such file", "install -m 0640"},
    {"a vendor's setting out of its range",
     "echo secret >$RUN/secret; chmod 0600 $RUN/secret; printf '%s\\n' 'code = X' 'base_url = "
     "https://127.0.0.1:9' "
     "\"secret_file = $RUN/secret\" 'retries = 99' >$VENDORS_DIR/x.conf",
     "rm $VENDORS_DIR/x.conf $RUN/secret", "payment vendors", "retries",
     "x.conf && data-importctl config check"},
    {"a vendor that nobody listens for",
     "echo secret >$RUN/secret; chmod 0600 $RUN/secret; printf '%s\\n' 'code = X' 'base_url = "
     "https://127.0.0.1:9' \"secret_file = $RUN/secret\" >$VENDORS_DIR/x.conf",
     "rm $VENDORS_DIR/x.conf $RUN/secret", "vendor x",
     "https://127.0.0.1:9 cannot be reached: Connection refused",
     "curl --verbose --head https://127.0.0.1:9"},
    {"a vendor whose certificate nobody trusts",
     "echo secret >$RUN/secret; chmod 0600 $RUN/secret; printf '%s\\n' 'code = X' \"base_url = $BASE_URL\" "
     "\"secret_file = $RUN/secret\" >$VENDORS_DIR/x.conf",
     "rm $VENDORS_DIR/x.conf $RUN/secret", "vendor x", "the certificate is of an unknown authority",
     "ca_file"},
    {"a vendor that failed every time",
     "sql \"INSERT INTO data_import.payment_vendor_circuit (organisation, vendor, failures, time_outs, "
     "changed_at) "
     "VALUES ('Acme', 'X', 7, 0, now())\"",
     "sql 'DELETE FROM data_import.payment_vendor_circuit'", "vendor X",
     "its last 7 requests for organisation Acme failed", "journalctl -u data-import --grep vendor", true},
    {"a consumer that nobody uses",
     "sql \"INSERT INTO data_import.consumer (name, begins, added_by, added_at, is_ready) VALUES ('idle', "
     "'now', "
     "'x', now() - interval '3 days', true); INSERT INTO data_import.consumer_news VALUES ('idle', "
     "gen_random_uuid(), 'A', '1', NULL, NULL, now(), false, now() - interval '2 days', 0, false); INSERT "
     "INTO "
     "data_import.consumer_count VALUES ('idle', 'A', 1)\"",
     "sql 'DELETE FROM data_import.consumer; DELETE FROM data_import.consumer_news; DELETE FROM "
     "data_import.consumer_count'",
     "consumer idle", "it has taken nothing since ", "data-importctl consumer list", true},
    {"a consumer that is not added to the end",
     "sql \"SELECT data_import.consumer_add('half', 'beginning', ARRAY['A B'], 'x'); UPDATE "
     "data_import.consumer SET added_at = now() - interval '20 minutes'\"",
     "sql \"SELECT data_import.consumer_remove('half')\"", "consumer half", "its adding began at ",
     "data-importctl consumer add half --from beginning --supplier 'A B'", true},
    {"a vendor's file of another form", "echo nonsense >$VENDORS_DIR/x.conf", "rm $VENDORS_DIR/x.conf",
     "vendor x", "x.conf:1:", "editor +1 "},
    {"a host that is drained", "$CTL drain >/dev/null", "$CTL drain --off >/dev/null", "https",
     "answers 503: this host is drained", "drain --off", true},
    {"a disk that is too full", "doctor_setting 'least_free_percent = 100'", no_setting, "disk space",
     "% of its inodes", "df -h"},
    {"a key that was made on another host",
     "$CTL signing-key rotate >/dev/null; mkdir $RUN/away; mv $(newest_key) $RUN/away",
     "mv $RUN/away/* $RUN/keys; rmdir $RUN/away; $CTL signing-key remove $(basename $(newest_key) .key) "
     ">/dev/null",
     "signing keys", "is not here: the tokens that it signs", "scp -p "},
    {"a key that was removed on another host",
     "$CTL signing-key rotate >/dev/null; kept=$(newest_key); cp -p $kept $RUN/saved; "
     "$CTL signing-key remove $(basename $kept .key) >/dev/null; mv $RUN/saved $kept",
     "rm $(newest_key)", "signing keys", "and is still here: its tokens are accepted", "signing-key remove ",
     true},
};

/// Faults that only root can plant: other users cannot become nginx's user.
const std::vector<Fault> faults_of_root = {
    {"a directory of sockets that nginx cannot enter", "chmod 0700 $SOCKETS", "chmod 0755 $SOCKETS",
     "pool import", "user www-data cannot connect", "chmod a+x"},
    {"a socket of another group", "chgrp daemon $SOCKETS/import.sock", "chgrp www-data $SOCKETS/import.sock",
     "pool import", "does not belong to socket_group", "systemctl restart data-import"},
    {"a key of another group", "chgrp daemon $key", "chgrp root $key", "signing keys",
     "belongs to group daemon", "chgrp root "},
};

}  // namespace

/// An installation that tests may break, and the doctor who looks at it.
class DoctorChecks : public CppUnit::TestFixture {
public:
    /// Starts again what a failed test has left stopped, so that the tests after it do not fail as well.
    void tearDown() override {
        for (const char* server : {"MASTER_PID", "POSTGRES_PID", "NGINX_PID"}) {
            if (!is_running(stack()->pid(server))) stack().bring_up();
        }
        CPPUNIT_ASSERT_EQUAL(std::string(), std::exchange(misformed(), ""));
    }

    static PrivateStack& stack() {
        static PrivateStack installation;
        return installation;
    }

protected:
    static Found examine(const std::string& prefix) {
        const CommandResult result = run_command(prefix + stack()->value("CTL") + " doctor --json");
        CPPUNIT_ASSERT_MESSAGE(result.errors, !result.output.empty());
        return look_at_remedies({result.status, result.output, json::read(result.output)});
    }

    /// The text has a line for each remedy that has a wrong form, for example because a shell cannot parse
    /// it. tearDown() empties the text.
    static std::string& misformed() {
        static std::string remedies;
        return remedies;
    }

    static Found look_at_remedies(Found found) {
        for (const json::Value finding : found.document.root().items()) {
            if (finding.at("health").text() == "ok") continue;
            const std::string fault = fault_of_form(std::string(finding.at("remedy").text()));
            if (!fault.empty()) misformed() += fault + "\n";
        }
        return found;
    }

    static std::string faults_of(const Found& found) {
        std::string subjects;
        for (const json::Value finding : found.document.root().items()) {
            if (finding.at("health").text() == "fault")
                subjects += std::string(finding.at("subject").text()) + "; ";
        }
        return subjects;
    }

    static void run_line(const std::string& line) {
        const std::vector<pid_t> workers = children_of(stack()->pid("MASTER_PID"));
        const auto of_pool = [&](const std::string& pool) {
            std::string found;
            for (const pid_t worker : workers) {
                if (has_socket(worker, pool + ".sock")) found += std::to_string(worker) + " ";
            }
            return found;
        };
        const std::string run = stack()->run_directory().string();
        must_run("set -euo pipefail; RUN=" + run +
                 "; . $RUN/env; SOCKETS=$(sed -n 's/^socket_directory = //p' $RUN/data-import.conf); "
                 "WORKERS='" +
                 of_pool("") + "'; IMPORT_WORKERS='" + of_pool("/import") + "'; LISTING_WORKERS='" +
                 of_pool("/listing") + "'; " + tools + line);
    }

    /// Revokes `right`, written as in GRANT, from the service's role for some seconds. Returns the answer of
    /// /readyz in this time, after each worker has checked its rights again.
    static Answer ready_without(const std::string& right) {
        run_line("sql 'REVOKE " + right + " FROM \"data-import\"'; sleep 3.2");
        const Answer ready = ask(*stack(), get_request("/readyz"));
        run_line("sql 'GRANT " + right + " TO \"data-import\"'; sleep 1.2");
        return ready;
    }

    static bool is_found(const Found& found, const Fault& fault) {
        for (const json::Value finding : found.document.root().items()) {
            const bool is_it = finding.at("health").text() == (fault.is_warning ? "warning" : "fault") &&
                               finding.at("subject").text() == fault.subject &&
                               finding.at("finding").text().find(fault.text) != std::string::npos;
            if (is_it && finding.at("remedy").text().find(fault.remedy) != std::string::npos) return true;
        }
        return false;
    }

    static void check(const Found& found, const Fault& fault) {
        CPPUNIT_ASSERT_EQUAL_MESSAGE(fault.name, 1, found.status);
        CPPUNIT_ASSERT_MESSAGE(fault.name + " was not found:\n" + found.output, is_found(found, fault));
    }

    static std::string missed_finding(const Fault& fault) {
        run_line(fault.plant);
        const Found found = examine("");
        run_line(fault.mend);
        const bool status_is_right = fault.is_warning || found.status == 1;
        if (status_is_right && is_found(found, fault)) return "";
        return "\n" + fault.name + ", status " + std::to_string(found.status) + ":\n" + found.output;
    }

    /// Gives the port of nginx, which is stopped, to another program.
    static void find_stranger_on_port() {
        if (run_command("command -v ss").status != 0) return;
        const std::string run = stack()->run_directory().string();
        const Fault fault{"another program on the port", "", "", "https", "belongs to openssl",
                          "ss -ltnp 'sport = :"};
        Found found;
        // on a busy machine the doctor may not learn in time who has the port
        const auto look = [&] {
            const CommandResult result = run_command(
                "cd " + run + " && exec 3< <(exec openssl s_server -www -quiet -accept " +
                stack()->value("BASE_URL").substr(8) +
                " -cert tls/server.pem -key tls/server.key 2>&1); trap 'kill $!' EXIT; for try in "
                "{1..100}; do (exec 4<>/dev/tcp/127.0.0.1/" +
                std::to_string(stack()->port()) + ") 2>/dev/null && break; sleep 0.1; done; " +
                stack()->value("CTL") + " doctor --json");
            found = look_at_remedies({result.status, result.output, json::read(result.output)});
            return is_found(found, fault);
        };
        const bool is_seen = wait_until(look, 60s);
        CPPUNIT_ASSERT_MESSAGE(found.output, is_seen);
    }

    static void stop(const std::string& name, int signal) {
        const pid_t process = stack()->pid(name);
        kill(process, signal);
        CPPUNIT_ASSERT(wait_until([&] { return !is_running(process); }, 60s));
    }
};

class DoctorTest : public DoctorChecks {
    CPPUNIT_TEST_SUITE(DoctorTest);
    CPPUNIT_TEST(finds_nothing_in_a_sound_installation);
    CPPUNIT_TEST(finds_nothing_behind_a_balancer);
    CPPUNIT_TEST(finds_who_answers_although_ss_hangs);
    CPPUNIT_TEST(finds_a_service_that_hangs);
    CPPUNIT_TEST(finds_a_secret_that_the_service_cannot_read);
    CPPUNIT_TEST(finds_files_that_the_service_cannot_read);
    CPPUNIT_TEST(finds_stopped_services);
    CPPUNIT_TEST(tells_faults_of_one_cause_together);
    CPPUNIT_TEST(prints_commands_alone);
    CPPUNIT_TEST(compares_totals_in_turns);
    CPPUNIT_TEST(checks_that_both_settings_name_one_database);
    CPPUNIT_TEST(is_not_ready_without_a_right_of_all_imports);
    CPPUNIT_TEST(is_ready_without_a_right_of_one_endpoint);
    CPPUNIT_TEST(works_for_an_ordinary_user);
    CPPUNIT_TEST(prints_no_secret_and_short_lines);
    CPPUNIT_TEST(ends_when_the_database_hangs);
    CPPUNIT_TEST_SUITE_END();

public:
    void finds_nothing_in_a_sound_installation() {
        const Found found = examine("");
        CPPUNIT_ASSERT_EQUAL_MESSAGE(found.output, 0, found.status);
        CPPUNIT_ASSERT_EQUAL_MESSAGE(found.output, std::string(), faults_of(found));
        CPPUNIT_ASSERT(found.document.root().size() >= 20);
    }

    /// The doctor finds no fault when nginx takes the PROXY protocol from a balancer. This test's command for
    /// it differs from that of the handbook (several-hosts.md) only because the listener of a stack also has
    /// the parameter `backlog`.
    void finds_nothing_behind_a_balancer() {
        const std::string site = "$RUN/nginx/sites-available/data-import";
        run_line("cp " + site + " $RUN/site; sed -i 's/ ssl backlog/ ssl proxy_protocol backlog/g' " + site +
                 "; grep --quiet 'ssl.* proxy_protocol ' " + site + "; reload_nginx");
        const Found found = examine("");
        run_line("cat $RUN/site >" + site + "; rm $RUN/site; reload_nginx");
        CPPUNIT_ASSERT_EQUAL_MESSAGE(found.output, std::string(), faults_of(found));
        CPPUNIT_ASSERT_MESSAGE(found.output, found.output.find("/readyz answers 200") != std::string::npos);
    }

    /// On a busy machine, ss may take longer than the doctor waits, because it reads the files of all
    /// processes.
    void finds_who_answers_although_ss_hangs() {
        const std::string folder = (stack()->run_directory() / "slow").string();
        must_run("mkdir " + folder + "; printf '#!/bin/sh\\nexec sleep 60\\n' >" + folder + "/ss; chmod +x " +
                 folder + "/ss");
        const Found found = examine("env PATH=" + folder + ":$PATH ");
        must_run("rm -r " + folder);
        CPPUNIT_ASSERT_MESSAGE(found.output, found.output.find("/readyz answers 200") != std::string::npos);
    }

    void finds_a_service_that_hangs() {
        run_line("kill -STOP $WORKERS");
        const Found found = examine("");
        run_line("kill -CONT $WORKERS");
        for (const char* pool : {"import", "bulk", "listing", "vendor", "health"}) {
            check(found, {"a service that hangs", "", "", std::string("pool ") + pool, "does not answer",
                          "journalctl -u data-import", true});
        }
        check(found, {"a service that hangs", "", "", "https", "/readyz does not answer within 5 s",
                      "systemctl restart data-import; journalctl"});
        check(found, {"a service that hangs", "", "", "metrics", "/metrics does not answer within 5 s",
                      "systemctl restart data-import; journalctl", true});
        CPPUNIT_ASSERT(wait_until([&] { return examine("").status == 0; }, 30s));
    }

    void finds_a_secret_that_the_service_cannot_read() {
        if (geteuid() != 0 || run_command("unshare --mount true").status != 0)
            skip("a user data-import has to be made for it");
        // the test makes its own /etc/passwd, because the machine may have no user data-import
        const std::string run = stack()->run_directory().string();
        const std::string with_user =
            "unshare --mount bash -c 'mount --bind " + run + "/passwd /etc/passwd; exec \"$@\"' doctor ";
        run_line(
            "echo secret >$RUN/secret; chmod 0600 $RUN/secret; printf '%s\n' 'code = X' 'base_url = "
            "https://127.0.0.1:9' \"secret_file = $RUN/secret\" >$VENDORS_DIR/x.conf; "
            "{ grep --invert-match '^data-import:' /etc/passwd; echo "
            "'data-import:x:990:990::/:/usr/sbin/nologin'; } >$RUN/passwd");
        const Fault fault{
            "an unreadable secret", "", "", "vendor x", "the service cannot read its secret_file",
            "chgrp data-import "};
        const Found unreadable = examine(with_user);
        run_line("chgrp 990 $RUN/secret; chmod 0640 $RUN/secret");
        const Found readable = examine(with_user);
        run_line("chown 990:daemon $RUN/secret");
        const Found shared = examine(with_user);
        run_line("rm $VENDORS_DIR/x.conf $RUN/secret $RUN/passwd");
        check(unreadable, fault);
        check(shared, {"a secret of another group", "", "", "vendor x",
                       "belongs to group daemon: its members have the secret", "chgrp data-import "});
        CPPUNIT_ASSERT_MESSAGE(readable.output, !is_found(readable, fault));
    }

    // The files have wrong owners, as after `chown -R root:root` or a careless restore.
    void finds_files_that_the_service_cannot_read() {
        if (geteuid() != 0 || run_command("unshare --mount true").status != 0)
            skip("a user data-import has to be made for it");
        const std::string run = stack()->run_directory().string();
        const std::string with_user = "unshare --mount bash -c 'mount --bind " + run +
                                      "/passwd /etc/passwd; mount --bind " + run +
                                      "/group /etc/group; exec \"$@\"' doctor ";
        const std::string all =
            "chgrp 990 $RUN/data-import.conf $RUN/conf.d $RUN/conf.d/* $VENDORS_DIR $VENDORS_DIR/* "
            "$RUN/keys $key $RUN/vendor-simulator $RUN/vendor-simulator/secret; "
            "chmod 0750 $RUN/conf.d $VENDORS_DIR $RUN/keys $RUN/vendor-simulator; "
            "chmod 0640 $RUN/data-import.conf $RUN/conf.d/* $VENDORS_DIR/* $key "
            "$RUN/vendor-simulator/secret; ";
        run_line(
            "cp -a $RUN/keys $RUN/saved_keys; touch $RUN/conf.d/own.conf; "
            "{ grep --invert-match '^data-import:' /etc/passwd; echo "
            "'data-import:x:990:990::/:/usr/sbin/nologin'; } >$RUN/passwd; "
            "{ grep --invert-match '^data-import:' /etc/group; echo 'data-import:x:990:'; } >$RUN/group; " +
            all);
        const Found readable = examine(with_user);
        const CommandResult right = run_command(with_user + stack()->value("CTL") + " config check");
        run_line("chown root:root $RUN/conf.d/own.conf; chmod 0600 $RUN/conf.d/own.conf");
        const Found unreadable = examine(with_user);
        const CommandResult wrong = run_command(with_user + stack()->value("CTL") + " config check");
        run_line(all + "chgrp root $RUN/keys");
        const Found closed_keys = examine(with_user);
        run_line(all + "chgrp root $key; chmod 0600 $key");
        const Found closed_key = examine(with_user);
        run_line(all + "chgrp daemon $key");
        const Found shared_key = examine(with_user);
        run_line(
            "rm -r $RUN/conf.d/own.conf $RUN/passwd $RUN/group $RUN/keys; mv $RUN/saved_keys $RUN/keys; "
            "chgrp -R root $RUN/data-import.conf $RUN/conf.d $VENDORS_DIR $RUN/vendor-simulator; "
            "chmod 0600 $RUN/data-import.conf $RUN/vendor-simulator/secret; "
            "chmod 0755 $RUN/conf.d $VENDORS_DIR $RUN/vendor-simulator; chmod 0644 $RUN/conf.d/* "
            "$VENDORS_DIR/*");
        const Fault file{"an unreadable file",
                         "",
                         "",
                         "configuration files",
                         "own.conf cannot be read by the service: Permission denied",
                         "chgrp data-import " + run};
        const Fault key{"an unreadable key",
                        "",
                        "",
                        "signing keys",
                        "cannot be read by the service",
                        "chgrp data-import " + run + "/keys"};
        CPPUNIT_ASSERT_MESSAGE(readable.output, readable.output.find("by the service") == std::string::npos);
        CPPUNIT_ASSERT_EQUAL_MESSAGE(right.errors, 0, right.status);
        check(unreadable, file);
        CPPUNIT_ASSERT_EQUAL_MESSAGE(wrong.output, 1, wrong.status);
        CPPUNIT_ASSERT_MESSAGE(
            wrong.errors,
            wrong.errors.find("own.conf: cannot be read: Permission denied") != std::string::npos);
        check(closed_keys, key);
        check(closed_key, {"a key of root's group", "", "", "signing keys", "belongs to group root",
                           "chgrp data-import " + run + "/keys"});
        check(shared_key, {"a key of another group", "", "", "signing keys", "belongs to group daemon",
                           "chgrp data-import " + run + "/keys"});
    }

    void finds_stopped_services() {
        stop("MASTER_PID", SIGTERM);
        check(examine(""), {"a stopped service", "", "", "pools", "the service does not run",
                            "systemctl start data-import"});
        check(examine(""), {"a stopped service", "", "", "https", "nginx does not reach the workers",
                            "systemctl start data-import"});
        stop("POSTGRES_PID", SIGINT);
        check(examine(""),
              {"a stopped server", "", "", "database", "does not answer", "systemctl start postgresql"});
        stop("NGINX_PID", SIGTERM);
        check(examine(""), {"a stopped nginx", "", "", "https", "does not answer", "systemctl start nginx"});
        find_stranger_on_port();
        stack().bring_up();
        CPPUNIT_ASSERT_EQUAL(0, examine("").status);
    }

    void tells_faults_of_one_cause_together() {
        const std::string ctl = stack()->value("CTL");
        const CommandResult sound = run_command(ctl + " doctor");
        CPPUNIT_ASSERT_MESSAGE(sound.output, sound.output.find(" checks: ") != std::string::npos);
        run_line("chmod 0644 $key; kill -HUP $MASTER_PID; sleep 3.2");
        const CommandResult result = run_command(ctl + " doctor");
        run_line("chmod 0600 $key; kill -HUP $MASTER_PID; sleep 3.2");
        CPPUNIT_ASSERT_EQUAL(1, result.status);
        const std::size_t key = result.output.find("has mode 0644");
        const std::size_t https = result.output.find("answers 503:", key);
        const std::size_t remedy = result.output.find("-> chmod 0750 ", key);
        CPPUNIT_ASSERT_MESSAGE(result.output, https < remedy && remedy != std::string::npos);
        CPPUNIT_ASSERT_MESSAGE(result.output, result.output.find(" checks: 2 faults") != std::string::npos);
        CPPUNIT_ASSERT_MESSAGE(result.errors, result.errors.find("2 faults;") != std::string::npos);
    }

    // After the mending, the test looks only for commands of data-importctl, because the doctor may also
    // print commands for warnings about the machine that runs the tests.
    void prints_commands_alone() {
        const std::string ctl = stack()->value("CTL");
        run_line(
            "sql 'GRANT DELETE ON data_import.note TO \"data-import\"'; doctor_setting 'database = "
            "nonsense'");
        const CommandResult commands = run_command(ctl + " doctor --commands");
        run_line(no_setting);
        CPPUNIT_ASSERT_EQUAL(1, commands.status);
        CPPUNIT_ASSERT_MESSAGE(commands.output, commands.output.starts_with("# editor +1 "));
        const CommandResult mending = run_command(
            "data-importctl() { " + ctl + " \"${@:1:2}\"; }; " + ctl +
            " doctor --commands 2>/dev/null | grep '^data-importctl ' >$TMPDIR/commands; . $TMPDIR/commands");
        CPPUNIT_ASSERT_EQUAL_MESSAGE(mending.errors, 0, mending.status);
        const CommandResult after = run_command(ctl + " doctor --commands");
        CPPUNIT_ASSERT_MESSAGE(after.output, after.output.find("data-importctl") == std::string::npos);
    }

    void compares_totals_in_turns() {
        run_line(
            "sql \"INSERT INTO data_import.import_supplier (code, name) VALUES ('MANY', 'M'), ('FEW', "
            "'F')\"; sql "
            "\"INSERT INTO data_import.import_receipt (import_supplier, kind, value) VALUES ('MANY', "
            "'notes', "
            "300000)\"");
        const std::string by_hand = examine("").output;
        const std::string ctl = stack()->value("CTL");
        const CommandResult recounted = run_command(ctl + " recount MANY");
        const Found differing = examine("");
        must_run(ctl + " recount MANY --yes");
        const std::string after = examine("").output;
        run_line("sql \"DELETE FROM data_import.import_supplier WHERE code IN ('MANY', 'FEW')\"");
        CPPUNIT_ASSERT_MESSAGE(
            by_hand,
            by_hand.find("a run is too short for others: data-importctl recount MANY") != std::string::npos);
        CPPUNIT_ASSERT_EQUAL(1, recounted.status);
        check(differing,
              {"a supplier that was recounted by hand", "", "", "control totals",
               "those of MANY are not what its records say (found at ", "data-importctl recount MANY --yes"});
        CPPUNIT_ASSERT_MESSAGE(
            after, after.find("those of 2 suppliers are what the records say") != std::string::npos);
    }

    // `db setup` uses only the setting admin_database, so it cannot repair a wrong setting `database`.
    void checks_that_both_settings_name_one_database() {
        const std::string settings = (stack()->run_directory() / "conf.d/doctor.conf").string();
        const std::string ctl = stack()->value("CTL");
        CPPUNIT_ASSERT_EQUAL(0, run_command(ctl + " db check").status);
        const CommandResult set_up = run_command(ctl + " db setup");
        CPPUNIT_ASSERT_EQUAL_MESSAGE(set_up.errors, 0, set_up.status);
        CPPUNIT_ASSERT_MESSAGE(set_up.output, set_up.output.find("next: ") == std::string::npos);
        CPPUNIT_ASSERT_MESSAGE(set_up.output,
                               set_up.output.find("rights: there already") != std::string::npos);
        must_run("echo 'database = host=" + stack()->run_directory().string() +
                 "/postgresql user=data-import dbname=data-imprt' >" + settings);
        const CommandResult check = run_command(ctl + " db check");
        const CommandResult json = run_command(ctl + " db check --json");
        must_run("rm " + settings);
        CPPUNIT_ASSERT_EQUAL_MESSAGE(check.output, 1, check.status);
        CPPUNIT_ASSERT_MESSAGE(check.errors,
                               check.errors.find("`database` names data-imprt, and `admin_database` "
                                                 "data-import") != std::string::npos);
        CPPUNIT_ASSERT_MESSAGE(json.output, json.output.find("\"ready\":false") != std::string::npos);
    }

    void is_not_ready_without_a_right_of_all_imports() {
        for (const std::string right :
             {"SELECT ON data_import.account", "INSERT ON data_import.import_receipt",
              "EXECUTE ON FUNCTION data_import.begin_imports",
              "EXECUTE ON FUNCTION data_import.try_lock_accounts"}) {
            const std::uintmax_t place = stack().log_size();
            const Answer ready = ready_without(right);
            CPPUNIT_ASSERT_EQUAL_MESSAGE(right, 503, ready.status);
            CPPUNIT_ASSERT_MESSAGE(
                shown(ready),
                ready.body.find("The service lacks a right in its database") != std::string::npos);
            const std::string log = stack().log_from(place);
            const std::string name = right.substr(right.rfind('.'));
            const std::size_t place_of_reason = log.find(
                "a right of role data-import is missing in the database, run data-importctl db setup");
            CPPUNIT_ASSERT_MESSAGE(log, place_of_reason != std::string::npos);
            CPPUNIT_ASSERT_MESSAGE(log, log.find(name, place_of_reason) != std::string::npos);
        }
    }

    /// If the service lacks a right that only one endpoint needs, its host still reports that it is ready.
    /// All hosts share one database, so otherwise no host would be ready, and no import at all would work.
    void is_ready_without_a_right_of_one_endpoint() {
        for (const std::string right :
             {"INSERT ON data_import.note", "SELECT ON data_import.document_location",
              "EXECUTE ON FUNCTION data_import.notes_import"}) {
            const Answer ready = ready_without(right);
            CPPUNIT_ASSERT_EQUAL_MESSAGE(right, 200, ready.status);
        }
    }

    void works_for_an_ordinary_user() {
        if (geteuid() != 0) skip("root has to become somebody else for it");
        const Found closed = examine("setpriv --reuid=nobody --regid=nogroup --clear-groups ");
        CPPUNIT_ASSERT_EQUAL_MESSAGE(closed.output, 0, closed.status);
        CPPUNIT_ASSERT_MESSAGE(closed.output, closed.output.find("   # as root") != std::string::npos);
        const std::string file = (stack()->run_directory() / "data-import.conf").string();
        must_run("chmod 0644 " + file + "; mkdir -p " + file + ".d");
        const Found open = examine("setpriv --reuid=nobody --regid=nogroup --clear-groups ");
        const std::string added = (stack()->run_directory() / "conf.d/closed.conf").string();
        must_run("echo 'batch = 8' >" + added + "; chmod 0600 " + added);
        const Found half_open = examine("setpriv --reuid=nobody --regid=nogroup --clear-groups ");
        const std::string snippet =
            (stack()->run_directory() / "nginx/snippets/data-import/tls.conf").string();
        must_run("rm " + added + "; echo 'nonsense on;' >>" + snippet);
        const Found refused = examine("setpriv --reuid=nobody --regid=nogroup --clear-groups ");
        must_run("sed -i '/nonsense/d' " + snippet + "; chmod 0600 " + file + "; rmdir " + file + ".d");
        CPPUNIT_ASSERT_MESSAGE(refused.output, refused.output.find("unknown directive") != std::string::npos);
        CPPUNIT_ASSERT_EQUAL_MESSAGE(half_open.output, 0, half_open.status);
        CPPUNIT_ASSERT_MESSAGE(half_open.output,
                               half_open.output.find("closed.conf: cannot be read: ") != std::string::npos);
        CPPUNIT_ASSERT_EQUAL_MESSAGE(open.output, 0, open.status);
        for (const char* subject : {"signing keys", "database", "pool import", "nginx site"}) {
            CPPUNIT_ASSERT_MESSAGE(open.output, open.output.find("{\"health\":\"unseen\",\"subject\":\"" +
                                                                 std::string(subject)) != std::string::npos);
        }
    }

    void prints_no_secret_and_short_lines() {
        const std::string settings = (stack()->run_directory() / "conf.d/doctor.conf").string();
        must_run("echo 'database = host=/nonexistent user=x dbname=y password=hidden' >" + settings +
                 "; chmod 0644 " + settings);
        const CommandResult result = run_command(stack()->value("CTL") + " doctor");
        must_run("rm " + settings);
        CPPUNIT_ASSERT_EQUAL(1, result.status);
        CPPUNIT_ASSERT(result.output.find("FAULT") != std::string::npos);
        CPPUNIT_ASSERT_MESSAGE(result.output,
                               (result.output + result.errors).find("hidden") == std::string::npos);
        CPPUNIT_ASSERT_EQUAL_MESSAGE(result.errors, std::ptrdiff_t{1},
                                     std::count(result.errors.begin(), result.errors.end(), '\n'));
    }

    // the server accepts connections and sends nothing
    void ends_when_the_database_hangs() {
        const pid_t server = stack()->pid("POSTGRES_PID");
        kill(server, SIGSTOP);
        const auto began = std::chrono::steady_clock::now();
        const Found found = examine("");
        kill(server, SIGCONT);
        CPPUNIT_ASSERT(std::chrono::steady_clock::now() - began < 70s);
        CPPUNIT_ASSERT_EQUAL_MESSAGE(found.output, 1, found.status);
        CPPUNIT_ASSERT_MESSAGE(found.output, faults_of(found).find("database") != std::string::npos);
        CPPUNIT_ASSERT(wait_until([&] { return examine("").status == 0; }, 30s));
    }
};

/// Plants the faults whose place in their table is `part` modulo `parts`. Each part is a suite of its own, so
/// that the lanes of tests/check share them.
template <std::size_t part>
class PlantedFaultsTest : public DoctorChecks {
    static constexpr std::size_t parts = 3;

    CPPUNIT_TEST_SUITE(PlantedFaultsTest);
    CPPUNIT_TEST(finds_planted_faults);
    CPPUNIT_TEST_SUITE_END();

public:
    /// Tries all faults before it reports a failure, so that one run tells all.
    void finds_planted_faults() {
        std::string missed = missed_of(faults);
        if (geteuid() == 0) missed += missed_of(faults_of_root);
        CPPUNIT_ASSERT_MESSAGE(missed, missed.empty());
        const Found after = examine("");
        CPPUNIT_ASSERT_EQUAL_MESSAGE(after.output, std::string(), faults_of(after));
    }

private:
    static std::string missed_of(const std::vector<Fault>& table) {
        std::string missed;
        for (std::size_t place = part; place < table.size(); place += parts)
            missed += missed_finding(table[place]);
        return missed;
    }
};

CPPUNIT_TEST_SUITE_REGISTRATION(DoctorTest);
CPPUNIT_TEST_SUITE_REGISTRATION(PlantedFaultsTest<0>);
CPPUNIT_TEST_SUITE_REGISTRATION(PlantedFaultsTest<1>);
CPPUNIT_TEST_SUITE_REGISTRATION(PlantedFaultsTest<2>);

}  // namespace data_import::tests
