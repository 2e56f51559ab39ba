#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Fetches Debian's kernel with all its modules (the full flavour, some 4,000 of them) and their
# debug information into the cache, for benchmarks. Usage: full-kernel.sh fetch|path
#
#   fetch   complete the folder, by this machine's apt, and print it: 0.9 GB to download, 6 GB of
#           disk. If that is impossible: print one line with the reason, and exit with 4
#   path    print the folder; fails if there is none
#
# The folder is ${XDG_CACHE_HOME:-~/.cache}/weft/full-RELEASE; a link `full` beside it leads to it:
#
#   root/                 the package of debug information, unpacked
#   vmlinux, modules      links into root/
#
# The folder gets this name only when it is complete. Environment: XDG_CACHE_HOME.
set -euo pipefail

cache=${XDG_CACHE_HOME:-$HOME/.cache}/weft
CANNOT=4

cannot() {
	printf 'full-kernel.sh: %s\n' "$*" >&2
	exit $CANNOT
}

path() { [ -e "$cache/full/vmlinux" ] && realpath "$cache/full"; }

# field PACKAGE NAME: prints the field NAME of the version of PACKAGE that apt would install.
field() {
	apt-cache show --no-all-versions "$1" 2>/dev/null |
		awk -v name="$2:" '$1 == name && !found { sub(/^[^ ]* /, ""); print; found = 1 }'
}

fetch() {
	local package release folder work need free

	if path; then return; fi
	command -v apt-get >/dev/null || cannot "there is no apt-get: this takes Debian's packages"
	package=$(field linux-image-amd64-dbg Depends | sed 's/[ ,(].*//')
	release=${package#linux-image-} release=${release%-dbg}
	[ -n "$release" ] || cannot "the package lists have no linux-image-amd64-dbg:" \
		"run apt-get update"
	folder=$cache/full-$release work=$cache/full-$release.new
	mkdir -p "$cache"
	exec 9>"$cache/full.lock"
	flock 9
	if path; then return; fi
	need=$((($(field "$package" Size) / 1024 + $(field "$package" Installed-Size)) / 1024))
	free=$(df -Pm "$cache" | awk 'NR == 2 { print $4 }')
	[ "$free" -gt $need ] || cannot "$cache: $package needs $need MB, and $free MB are free"
	rm -rf "$work"
	mkdir -p "$work/debs" "$work/root"
	(cd "$work/debs" && apt-get -q -o "APT::Sandbox::User=$(id -un)" \
		download "$package") >"$work/said" 2>&1 ||
		cannot "$package cannot be downloaded: $(grep -m 1 '^E' "$work/said")"
	dpkg-deb -x "$work/debs/$package"_*.deb "$work/root" 2>"$work/said" ||
		cannot "$package cannot be unpacked: $(head -n 1 "$work/said")"
	rm -r "$work/debs" "$work/said"
	ln -s "root/usr/lib/debug/lib/modules/$release/vmlinux" "$work/vmlinux"
	ln -s "root/usr/lib/debug/lib/modules/$release" "$work/modules"
	[ -e "$work/vmlinux" ] || cannot "$package has no vmlinux"
	sync -f "$work"
	mv -T "$work" "$folder"
	ln -sfnT "${folder##*/}" "$cache/full"
	path
}

case ${1:-} in
fetch) fetch ;;
path) path ;;
*)
	sed -n 's/^#   \(fetch\|path\) /full-kernel.sh \1 /p' "$0" >&2
	exit 2
	;;
esac
