# Sourced in the top folder of the source. Reads its git history and the releases that sql/RELEASED records. The record of a
# release is a line `VERSION COMMIT` and the lines that sha256sum prints for the upgrades of that commit.
# shellcheck shell=bash

# Removes the variables that git sets for its hooks, because they would make git use the hook's repository everywhere.
# shellcheck disable=SC2046  # names
unset $(git rev-parse --local-env-vars 2>/dev/null | grep --invert-match '^GIT_CONFIG')

RELEASES=sql/RELEASED

# Prints whether there is a git history: `yes`, or `no` in an unpacked source. Fails if there is one that git cannot read.
history_here() {
    local said
    if said=$(LC_ALL=C git rev-parse --is-inside-work-tree 2>&1); then
        echo yes
    elif [[ ! -e .git ]] && { [[ $said == *'not a git repository'* ]] || ! command -v git >/dev/null; }; then
        echo no
    else
        printf 'git does not read the history of this source: %s\n' "$said" >&2
        return 1
    fi
}

# Prints the recorded releases, newest first, a line `VERSION COMMIT` for each.
recorded_releases() { { grep --extended-regexp '^[0-9]+\.[0-9]+\.[0-9]+ [0-9a-f]{40}$' "$RELEASES" || true; } | tac; }

# commit_of VERSION: prints the commit of this release; nothing for a version without a record.
commit_of() { recorded_releases | awk -v version="$1" '$1 == version { print $2 }'; }

# has_commit COMMIT: fails if the commit is missing, as in a clone that has only the newest commits.
has_commit() {
    git cat-file -e "$1^{commit}" 2>/dev/null && return
    printf 'the released commit %s is not here: git fetch --unshallow\n' "$1" >&2
    return 1
}

# is_recorded VERSION: true if sql/RELEASED has the record of this release, and the commit that the record names is in this
# history. If there is no record: true if the newest commit is the release itself, because only the next commit adds the record.
is_recorded() {
    local commit
    commit=$(commit_of "$1")
    if [[ -n $commit ]]; then
        has_commit "$commit" || return
        git merge-base --is-ancestor "$commit" HEAD && return
        printf '%s records %s as %s, which is not in the history of this commit\n' "$RELEASES" "$1" "$commit" >&2
        return 1
    elif [[ $(git log -1 --format=%s) != "Release $1" ]]; then
        printf '%s has no record of version %s, which debian/changelog has\n' "$RELEASES" "$1" >&2
        return 1
    fi
}

# record VERSION COMMIT: prints the record of a release.
record() { printf '%s %s\n' "$1" "$2" && sha256sum sql/upgrades/*.sql; }
