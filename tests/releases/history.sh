# Sourced, in the top folder of the source: its history in git, and the releases that sql/RELEASED records. A release is a
# line `VERSION COMMIT`, after which stand its upgrades as sha256sum prints them, as they were in that commit.
# shellcheck shell=bash

# The variables that git sets for its hooks would make every repository the hook's own.
# shellcheck disable=SC2046  # names
unset $(git rev-parse --local-env-vars 2>/dev/null | grep --invert-match '^GIT_CONFIG')

RELEASES=sql/RELEASED

# Whether there is a history: `yes`, or `no` in a source that was unpacked. Fails when git does not read the one that is there.
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

# The recorded releases, newest first, a line `VERSION COMMIT` for each.
recorded_releases() { { grep --extended-regexp '^[0-9]+\.[0-9]+\.[0-9]+ [0-9a-f]{40}$' "$RELEASES" || true; } | tac; }

# commit_of VERSION: the commit that was released under it; nothing for a version without a record
commit_of() { recorded_releases | awk -v version="$1" '$1 == version { print $2 }'; }

# has_commit COMMIT: fails in a clone of the newest commits only
has_commit() {
    git cat-file -e "$1^{commit}" 2>/dev/null && return
    printf 'the released commit %s is not here: git fetch --unshallow\n' "$1" >&2
    return 1
}

# is_recorded VERSION: whether its record is here, and its commit in this history. The commit of a release comes before its
# record.
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

# record VERSION COMMIT: the upgrades that it has
record() { printf '%s %s\n' "$1" "$2" && sha256sum sql/upgrades/*.sql; }
