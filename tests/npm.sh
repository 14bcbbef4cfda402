# Sourced by scripts that test with programs of npm.
# shellcheck shell=bash

# fetch_programs NAME FOLDER PROGRAMS: fetches the programs that FOLDER/package-lock.json pins into the folder PROGRAMS, unless it
# has them already. Without npm or its registry, prints that the test NAME is skipped, and ends the script that called this.
fetch_programs() {
    local name=$1 programs=$3 wanted pinned=("$2/package.json" "$2/package-lock.json" "$2/.npmrc")
    wanted=$(cat "${pinned[@]}" | sha256sum)
    [[ $(cat "$programs/fetched" 2>/dev/null) != "$wanted" ]] || return 0
    command -v npm >/dev/null || skip_all "$name" "npm is not installed"
    mkdir -p "$programs"
    cp "${pinned[@]}" "$programs"
    (cd "$programs" && npm ci --fetch-retries=1 --fetch-retry-mintimeout=500 --loglevel=error >log 2>&1) ||
        skip_all "$name" "npm could not fetch the programs from its registry: $(tail -n 1 "$programs/log")"
    printf '%s\n' "$wanted" >"$programs/fetched"
}
