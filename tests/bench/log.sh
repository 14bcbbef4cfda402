# shellcheck shell=bash
# Sourced by what measures: PostgreSQL with the files of its log made before, as a server has them that has worked for a
# while; they take 3 GB. A new one fills each file with zeros when it comes to it, and nobody commits for 45 ms meanwhile,
# several times a second under load.
unset DATABASE_URL  # a cluster of its own
export POSTGRESQL_SETTINGS="-c min_wal_size=3GB ${POSTGRESQL_SETTINGS:-}"

# make_log DATABASE_URL: the second checkpoint renames the files that the first one has made needless.
make_log() {
    psql --no-psqlrc --quiet --set ON_ERROR_STOP=1 --output /dev/null "$1" \
        --command "SELECT pg_logical_emit_message(false, 'bench', repeat('-', 16777216)) FROM generate_series(1, 180)" \
        --command CHECKPOINT --command CHECKPOINT
}
