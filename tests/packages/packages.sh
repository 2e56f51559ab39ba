#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Tests the packages on a Debian that has nothing else installed. Usage: packages.sh COMMAND SUITE
#
#   chroots SUITE   make what `check` needs, once: two chroots of that release below
#                   ${XDG_CACHE_HOME:-~/.cache}/weft/packages-SUITE, one with nothing but Debian,
#                   one that can build the packages; some 1.2 GB
#   check SUITE     build the packages of two versions in the second, lint them, and try them in a
#                   copy of the first (in-chroot.sh), which is removed afterwards
#
# SUITE: bookworm, trixie. Needs root, and the network for `chroots` and for packages that `check`
# installs the first time. Mounts are made in a mount namespace and go with it. The last line is
# `N passed, N failed, N skipped`. O is the object folder.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
top=$(cd "$here/../.." && pwd)
O=${O:-$top/build}
command=${1-} suite=${2-}

die() { printf 'packages.sh: %s\n' "$*" >&2; exit 1; }

. "$here/chroots.sh"

check() {
	local said copy status=0 passed=0 failed=0 p f
	local version

	version=$(packages_version)
	copy_sources
	build_packages "$version"
	build_packages "$version.1"
	said=$(enter "$cache/building" sh -c \
		"lintian --allow-root --fail-on error,warning '$out/$version'/*.deb" 2>&1) ||
		status=$?
	if [ $status = 0 ]; then
		echo "ok     lintian"
		passed=1
	else
		printf 'FAILED lintian:\n%s\n' "$said"
		failed=1
	fi
	copy=$(mktemp -d "$cache/copy.XXXXXX")
	# shellcheck disable=SC2064
	trap "rm -rf --one-file-system '$copy'" EXIT
	cp -a --reflink=auto "$cache/empty/." "$copy"
	enter "$copy" "$here/in-chroot.sh" "$out/$version" "$out/$version.1" "$out/log" \
		"$top" "$O" 2>&1 | tee "$out/output" || true
	read -r p _ f _ < <(grep -E '^[0-9]+ passed, [0-9]+ failed, [0-9]+ skipped$' \
		"$out/output" | tail -n 1) || p=0 f=1
	passed=$((passed + p)) failed=$((failed + f))
	printf '%d passed, %d failed, 0 skipped\n' $passed $failed
	[ $failed = 0 ]
}

case $suite in
bookworm | trixie) ;;
*) die "which release? bookworm or trixie" ;;
esac
mkdir -p "$out"
case $command in
chroots)
	[ "$(id -u)" = 0 ] || die "a chroot needs root"
	lock_chroots
	make_chroots
	;;
check)
	if [ "$(id -u)" != 0 ] || [ ! -e "$cache/ready" ]; then
		echo "skip packages on $suite: no chroots in the cache (make packages-chroots)"
		echo "0 passed, 0 failed, 1 skipped"
		exit 0
	fi
	lock_chroots
	check
	;;
*) die "which command? chroots or check" ;;
esac
