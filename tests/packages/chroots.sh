#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Functions that make and enter chroots of a release of Debian. A script sources this file after it
# has set $top, $O and $suite (bookworm, trixie). The folder of a suite is
# ${XDG_CACHE_HOME:-~/.cache}/weft/packages-SUITE, in which there are
#
#   empty      nothing but Debian
#   building   the same, and what is needed to build weft's packages
#   archives   all packages that were ever downloaded for these
#   lock       held while the chroots are used: apt and dpkg serve one process at a time
#
# Making the chroots needs root and the network. Whatever these functions mount is in a mount
# namespace of its own, and disappears with that namespace.
cache=${XDG_CACHE_HOME:-$HOME/.cache}/weft/packages-$suite
out=$O/packages/$suite

mirror() { "$top/scripts/debian-mirror.sh" "$1"; }

sources() {
	local debian security

	debian=$(mirror Debian)
	security=$(mirror Debian-Security)
	printf 'deb %s %s main\n' "$debian" "$suite" "$debian" "$suite-updates" \
		"$security" "$suite-security"
}

# enter ROOT COMMAND...: runs COMMAND in that chroot. The tree, the object folder and the downloaded
# packages have the same paths as outside; everything that it mounts is gone afterwards.
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

# Takes the lock of the chroots until this process ends.
lock_chroots() {
	mkdir -p "$cache"
	exec {chroots_lock}>"$cache/lock"
	flock "$chroots_lock"
}

make_chroots() {
	local archive

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
	# Switches fsync off, since a chroot that is damaged by a crash of the machine is made anew.
	echo force-unsafe-io >"$cache/empty/etc/dpkg/dpkg.cfg.d/90packages"
	# Debian's images delete downloaded packages after installation; here they are kept.
	rm -f "$cache/empty/etc/apt/apt.conf.d/docker-clean"
	enter "$cache/empty" sh -c 'apt-get update && apt-get -y upgrade' >>"$cache/log" 2>&1 ||
		die "apt-get failed in the chroot; its output is in $cache/log"
	cp -a --reflink=auto "$cache/empty" "$cache/building"
	enter "$cache/building" sh -c "apt-get -y install lintian &&
		apt-get -y build-dep $top" >>"$cache/log" 2>&1 ||
		die "the chroot cannot have what the build needs; see $cache/log"
	touch "$cache/ready"
}

# Prints the version of this tree's packages, without what the release adds to it.
packages_version() { sed -n '1s/^.*(\(.*\)).*/\1/p' "$top/debian/changelog"; }

# Copies the tree as it is now to $out/tree, where it is built.
copy_sources() {
	rm -rf "$out/tree" "$out/objects"
	mkdir -p "$out/tree"
	"$top/packaging/copy-tree.sh" "$out/tree"
}

# build_packages VERSION: builds the packages of $out/tree into $out/VERSION.
build_packages() {
	enter "$cache/building" sh -c "apt-get -y build-dep '$out/tree'" >>"$cache/log" 2>&1 ||
		die "the chroot cannot have what the build needs; see $cache/log"
	enter "$cache/building" "$out/tree/packaging/deb.sh" "$out/deb" "$1" \
		"$out/objects" >/dev/null
	rm -rf "${out:?}/$1"
	mkdir -p "$out/$1"
	mv "$out"/deb/*.{deb,changes} "$out/$1/"
}
