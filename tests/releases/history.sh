# Sourced, in the top folder of the source: its history in git, and the tags of its releases there.
# shellcheck shell=bash

# The variables that git sets for its hooks would make every repository the hook's own.
# shellcheck disable=SC2046  # names
unset $(git rev-parse --local-env-vars 2>/dev/null | grep --invert-match '^GIT_CONFIG')

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

# The released versions, newest first, of the committed debian/changelog. 0.1.0 was not released.
released_versions() { git show HEAD:./debian/changelog 2>/dev/null | sed -n 's/^data-import (\([1-9][0-9.]*\)).*/\1/p'; }

has_tag() { git rev-parse --quiet --verify "refs/tags/v$1" >/dev/null; }

# Whether each of them has its tag, without which there is nothing to compare. A release's own commit comes
# before its tag.
has_tags() {
    local version status=0
    for version in $(released_versions); do
        if ! has_tag "$version" && [[ $(git log -1 --format=%s) != "Release $version" ]]; then
            printf 'there is no tag v%s here, a version that debian/changelog has: git fetch --tags\n' "$version" >&2
            status=1
        fi
    done
    return "$status"
}
