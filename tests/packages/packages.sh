#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The packages as somebody meets them who has nothing but Debian: packages.sh COMMAND SUITE
#
#   chroots SUITE   make what a check needs, once: two chroots of that release below
#                   ${XDG_CACHE_HOME:-~/.cache}/weft/packages-SUITE, one with nothing in it, one
#                   that can build the packages; some 1.2 GB
#   check SUITE     build the packages of two versions in the second, lint them, and try them in a
#                   copy of the first (in-chroot.sh), which is removed afterwards
#
# SUITE: bookworm, trixie. Needs root, and the network for `chroots` and for packages that `check`
# installs the first time. Mounts are made in a mount namespace and go with it. The last line is
# `N passed, N failed, N skipped`. O as everywhere.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
top=$(cd "$here/../.." && pwd)
O=${O:-$top/build}
command=${1-} suite=${2-}
cache=${XDG_CACHE_HOME:-$HOME/.cache}/weft/packages-$suite
out=$O/packages/$suite

die() { printf 'packages.sh: %s\n' "$*" >&2; exit 1; }

mirror() { "$top/scripts/debian-mirror.sh" "$1"; }

sources() {
	local debian security

	debian=$(mirror Debian)
	security=$(mirror Debian-Security)
	printf 'deb %s %s main\n' "$debian" "$suite" "$debian" "$suite-updates" \
		"$security" "$suite-security"
}

# enter ROOT COMMAND...: runs it in that chroot, with the tree, the object folder and downloaded
# packages where they are outside; everything that it mounts is gone afterwards.
enter() {
	local root=$1
	shift
	mkdir -p "$root$top" "$root$O" "$cache/archives/partial"
	# shellcheck disable=SC2016
	unshare --mount --propagation private bash -euc '
		root=$1 top=$2 O=$3 archives=$4
		mount --bind "$top" "$root$top"
		mount --bind "$O" "$root$O"
		mount -t proc proc "$root/proc"
		mount --bind "$archives" "$root/var/cache/apt/archives"
		shift 4
		exec env -i HOME=/root TERM=dumb LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive \
			PATH=/usr/sbin:/usr/bin:/sbin:/bin chroot "$root" "$@"' \
		enter "$root" "$top" "$O" "$cache/archives" "$@" </dev/null
}

make_chroots() {
	[ ! -e "$cache/ready" ] || return 0
	command -v debootstrap >/dev/null || die "no debootstrap: apt-get install debootstrap"
	rm -rf "$cache/empty" "$cache/building"
	mkdir -p "$cache"
	echo "packages.sh: two chroots of $suite into $cache, 1.2 GB"
	archive=$(mirror Debian)
	debootstrap --variant=minbase "$suite" "$cache/empty" "$archive" >"$cache/log" 2>&1 ||
		die "debootstrap failed; its output is in $cache/log"
	sources >"$cache/empty/etc/apt/sources.list"
	echo 'APT::Install-Recommends "false"; Binary::apt::APT::Keep-Downloaded-Packages "true";' \
		>"$cache/empty/etc/apt/apt.conf.d/90packages"
	# A chroot that a crash of the machine damages is made anew.
	echo force-unsafe-io >"$cache/empty/etc/dpkg/dpkg.cfg.d/90packages"
	# An image of Debian drops packages when they are installed.
	rm -f "$cache/empty/etc/apt/apt.conf.d/docker-clean"
	enter "$cache/empty" sh -c 'apt-get update && apt-get -y upgrade' >>"$cache/log" 2>&1 ||
		die "apt-get failed in the chroot; its output is in $cache/log"
	cp -a --reflink=auto "$cache/empty" "$cache/building"
	enter "$cache/building" sh -c "apt-get -y install lintian &&
		apt-get -y build-dep $top" >>"$cache/log" 2>&1 ||
		die "the chroot cannot have what the build needs; see $cache/log"
	touch "$cache/ready"
}

# build VERSION: its packages into $out/VERSION.
build() {
	enter "$cache/building" sh -c "apt-get -y build-dep '$out/tree'" >>"$cache/log" 2>&1 ||
		die "the chroot cannot have what the build needs; see $cache/log"
	enter "$cache/building" "$out/tree/packaging/deb.sh" "$out/deb" "$1" \
		"$out/objects" >/dev/null
	rm -rf "${out:?}/$1"
	mkdir -p "$out/$1"
	mv "$out"/deb/*.{deb,changes} "$out/$1/"
	rm -f "$out/$1"/*-dbgsym_*.deb
}

check() {
	local said copy status=0 passed=0 failed=0 p f
	local version

	version=$(sed -n '1s/^.*(\(.*\)).*/\1/p' "$top/debian/changelog")
	rm -rf "$out/tree" "$out/objects"
	mkdir -p "$out/tree"
	"$top/packaging/copy-tree.sh" "$out/tree"
	build "$version"
	build "$version.1"
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
	make_chroots
	;;
check)
	if [ "$(id -u)" != 0 ] || [ ! -e "$cache/ready" ]; then
		echo "skip packages on $suite: no chroots in the cache (make packages-chroots)"
		echo "0 passed, 0 failed, 1 skipped"
		exit 0
	fi
	check
	;;
*) die "which command? chroots or check" ;;
esac
