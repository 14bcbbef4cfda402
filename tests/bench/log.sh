# shellcheck shell=bash
# Sourced by benchmarks. Makes the files of PostgreSQL's write-ahead log (3 GB) before the measurement, as a server has them that
# has worked for a while. A new server fills each file with zeros when it first needs it; nobody can commit during these 45 ms,
# and under load this happens several times a second.
unset DATABASE_URL  # a cluster of its own
export POSTGRESQL_SETTINGS="-c min_wal_size=3GB ${POSTGRESQL_SETTINGS:-}"

# make_log DATABASE_URL: writes 3 GB of log. After a checkpoint, PostgreSQL still needs the log since the checkpoint before; so it
# takes two checkpoints until it renames all these files for reuse.
make_log() {
    psql --no-psqlrc --quiet --set ON_ERROR_STOP=1 --output /dev/null "$1" \
        --command "SELECT pg_logical_emit_message(false, 'bench', repeat('-', 16777216)) FROM generate_series(1, 180)" \
        --command CHECKPOINT --command CHECKPOINT
}
