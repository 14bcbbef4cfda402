# shellcheck shell=bash
# Sourced by what measures: PostgreSQL with the files of its log made before, as a server has them that has worked for a
# while. A new one fills each file with zeros when it comes to it, and nobody commits for 45 ms meanwhile, several times a
# second under load.
export POSTGRESQL_SETTINGS="${POSTGRESQL_SETTINGS:-} -c min_wal_size=3GB"

# make_log DATABASE_URL: the second checkpoint renames the files that the first one has made needless.
make_log() {
    psql --no-psqlrc --quiet --output /dev/null "$1" \
        --command "SELECT pg_logical_emit_message(false, 'bench', repeat('-', 16777216)) FROM generate_series(1, 180)" \
        --command CHECKPOINT --command CHECKPOINT
}
