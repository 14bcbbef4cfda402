# Sourced. Chooses the Debian for which packages are built and on which they are tested. SUITE is its codename (by default this
# machine's); packages for another suite are built in a root of that suite. Needs BUILD.
# shellcheck shell=bash

# shellcheck source=tests/releases/history.sh
. "$(dirname "${BASH_SOURCE[0]}")/../releases/history.sh"
# shellcheck disable=SC1091  # the file of this system
OWN_SUITE=$(. /etc/os-release && printf '%s\n' "$VERSION_CODENAME")
SUITE=${SUITE:-$OWN_SUITE}
PACKAGES=$BUILD/package/$SUITE
BUILD_ROOT=${BUILD_ROOT:-$BUILD/package-build-root/$SUITE}

is_own_suite() { [[ $SUITE == "$OWN_SUITE" ]]; }

# Prints the names of the files that would be committed; without a git history all files but built ones. Names end with NUL.
list_files() {
    local history file
    history=$(history_here) || return
    if [[ $history == yes ]]; then
        git ls-files -z --cached --others --exclude-standard
    else
        find . -mindepth 1 -path './build*' -prune -o -path './.run*' -prune -o -path ./.git -prune -o \
            ! -type d -print0
    fi | while IFS= read -r -d '' file; do
        if [[ -e $file ]]; then printf '%s\0' "$file"; fi
    done
}

# copy_source DIRECTORY: copies all files of list_files into a new directory.
copy_source() {
    mkdir -p "$1"
    list_files | tar --create --null --files-from=- | tar --extract --no-same-permissions --directory="$1"
}

# copy_sources DIRECTORY: copies files with apt's package sources, sources.list and those of sources.list.d, into DIRECTORY. Takes
# only files that name $OWN_SUITE. In the copies $SUITE replaces $OWN_SUITE.
copy_sources() {
    local file
    { grep --no-messages --files-with-matches --extended-regexp \
        "(^Suites:|^deb )(.*[[:space:]])?$OWN_SUITE([[:space:]]|\$)" \
        /etc/apt/sources.list /etc/apt/sources.list.d/* || true; } |
        while IFS= read -r file; do sed "s/\b$OWN_SUITE\b/$SUITE/g" "$file" >"$1/${file##*/}"; done
}

# in_suite COMMAND...: runs the command in the current directory, which must be below $PACKAGES. If SUITE is not this machine's
# Debian, the command runs with the root directory $BUILD_ROOT, in which packages for SUITE are built, and without a network.
in_suite() {
    if is_own_suite; then
        "$@"
        return
    fi
    # shellcheck disable=SC2016  # expanded by the shell in the namespace
    unshare --mount --propagation private bash -euc '
        root=$1 packages=$2
        shift 2
        mkdir -p "$root$packages"
        mount --bind "$packages" "$root$packages"
        exec unshare --net --pid --fork --kill-child --root="$root" --wd="$PWD" --mount-proc \
            env PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root TMPDIR=/tmp "$@"' bash "$BUILD_ROOT" "$PACKAGES" "$@"
}

# Prints the version of this source: the newest version of debian/changelog. If commits follow the release of this version, adds
# the number of these commits and the id of the last one: 1.0.0+3.g0123456789. If changes are not committed, adds `dirty`:
# 1.0.0+3.g0123456789.dirty, or 1.0.0+0.dirty if no commit follows the release.
version_of_source() {
    local version history released changes count since=
    history=$(history_here) || return
    version=$(dpkg-parsechangelog --show-field Version)
    if [[ $history == yes && $version != 0.* ]]; then
        is_recorded "$version" || return
        released=$(commit_of "$version")
        if [[ -n $released ]]; then
            count=$(git rev-list --count "$released..HEAD") || return
            [[ $count == 0 ]] || since=+$count.g$(git rev-parse --short=10 HEAD)
        fi
        changes=$(git --no-optional-locks status --porcelain --untracked-files=normal) || return
        [[ -z $changes ]] || since=${since:-+0}.dirty
    fi
    printf '%s\n' "$version$since"
}

# version_of_suite VERSION: prints the version of the suite's packages: VERSION and the number of the Debian release, such as
# 1.0.0~deb12u1. One repository holds the packages of all suites, and packages for a newer Debian must have a higher version.
version_of_suite() {
    local root=
    is_own_suite || root=$BUILD_ROOT
    # shellcheck disable=SC1091  # of the suite
    printf '%s~deb%su1\n' "$1" "$(. "$root/etc/os-release" && printf '%s' "$VERSION_ID")"
}

# begin_changelog VERSION SENTENCE: adds an entry on top of debian/changelog, dated a second after the last one.
begin_changelog() {
    local maintainer date
    maintainer=$(dpkg-parsechangelog --show-field Maintainer)
    date=$(date --utc --rfc-email --date="@$(($(dpkg-parsechangelog --show-field Timestamp) + 1))")
    {
        printf 'data-import (%s) %s; urgency=medium\n\n  * %s\n\n -- %s  %s\n\n' "$1" "$SUITE" "$2" "$maintainer" "$date"
        cat debian/changelog
    } >debian/changelog.new
    mv debian/changelog.new debian/changelog
}
