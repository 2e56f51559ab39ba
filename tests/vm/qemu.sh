#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Finds the emulators that the guests run in, and prints the program and options for where its
# firmware is, one word per line.
#
#   qemu.sh single    print the emulator that runs all of a guest's CPUs in one thread
#   qemu.sh parallel  print one that may run a thread for each CPU; fails if there is none
#   qemu.sh fetch     download one for parallel guests, if the machine's own is too old
#
# QEMU 7.2, Debian 12's, loses rewritten code between threads (emulator/stale.sh). Debian has a
# newer version for its stable release in RELEASE-backports. The machine's own packages and apt's
# settings stay as they are: with separate package lists, apt downloads four packages, which are
# unpacked into a folder of the cache and use the machine's libraries. This needs no root; removing
# the folder undoes it. The archive is the one that apt has the release from, signed with Debian's
# keys.
#
# Environment: WEFT_QEMU=PROGRAM names an emulator for parallel guests that is known to be right;
# XDG_CACHE_HOME.
set -euo pipefail

own=qemu-system-x86_64
# The first version that is known to be right with threads: all of the guest's tests pass in it.
needed=10
packages=(qemu-system-x86 qemu-system-common qemu-system-data seabios)
keyring=/usr/share/keyrings/debian-archive-keyring.gpg
folder=${XDG_CACHE_HOME:-$HOME/.cache}/weft/qemu-$needed
fetched=$folder/usr/bin/$own

# major PROGRAM: prints the first number of PROGRAM's version, or 0 if it does not run.
major() {
	local version

	version=$("$1" --version 2>/dev/null | sed -n 's/^QEMU emulator version \([0-9]*\).*/\1/p')
	echo "${version:-0}"
}

single() { echo "$own"; }

# Prints the emulator for parallel guests, with options for its firmware if it is the one in the
# cache.
parallel() {
	if [ -n "${WEFT_QEMU:-}" ]; then
		echo "$WEFT_QEMU"
	elif [ -x "$fetched" ]; then
		printf '%s\n' "$fetched" -L "$folder/usr/share/qemu" -L "$folder/usr/share/seabios"
	elif [ "$(major "$own")" -ge $needed ]; then
		echo "$own"
	else
		echo "qemu.sh: no QEMU $needed or newer for parallel guests: make deps" >&2
		return 1
	fi
}

# Prints a line of sources.list for the backports of the release that this machine runs.
backports() {
	apt-get indextargets --format '$(ORIGIN) $(COMPONENT) $(CODENAME) $(RELEASE) $(REPO_URI)' \
		'Created-By: Packages' |
		awk -v keyring=$keyring '$1 == "Debian" && $2 == "main" && $3 == $4 {
			print "deb [signed-by=" keyring "] " $5 " " $4 "-backports main"
			exit
		}'
}

# Downloads and unpacks the emulator in the folder $1. fetch() moves that folder into the cache once
# the emulator has started.
download() {
	local work=$1 release package
	local -a apt

	backports >"$work/list"
	[ -s "$work/list" ] || { echo "apt knows no archive of Debian's"; return 1; }
	read -r _ _ _ release _ <"$work/list"
	mkdir -p "$work"/{lists,cache,archives,unpacked}
	apt=(apt-get -qq -o "Dir::Etc::sourcelist=$work/list" -o Dir::Etc::sourceparts=/dev/null
		-o Dir::Etc::preferencesparts=/dev/null -o "Dir::State::lists=$work/lists"
		-o "Dir::Cache=$work/cache" -o "APT::Sandbox::User=$(id -un)"
		-o Acquire::http::Timeout=20 -o APT::Update::Error-Mode=any)
	"${apt[@]}" update || return 1
	(cd "$work/archives" && "${apt[@]}" download "${packages[@]/%//$release}") || return 1
	for package in "$work"/archives/*.deb; do
		dpkg-deb -x "$package" "$work/unpacked" || return 1
	done
	[ "$(major "$work/unpacked/usr/bin/$own")" -ge $needed ] ||
		{ echo "what $release has does not start, or is too old"; return 1; }
}

# Downloads the emulator for parallel guests if there is none. Without a network or without
# backports it prints that and succeeds: a test that needs a parallel guest reports the lack itself.
fetch() {
	[ ! -x "$fetched" ] && [ "$(major $own)" -lt $needed ] || return 0
	mkdir -p "${folder%/*}"
	work=$(mktemp -d "$folder.XXXXXX")
	trap 'rm -rf "$work"' EXIT
	if download "$work" >"$work/said" 2>&1; then
		mv -T "$work/unpacked" "$folder" 2>/dev/null || [ -x "$fetched" ]
		echo "deps: QEMU $("$fetched" --version | sed 's/.*version \([^ ]*\).*/\1/; q')" \
			"for parallel guests, in $folder"
	else
		echo "deps: no QEMU $needed for parallel guests:" \
			"$(grep -v '^ ' "$work/said" | head -n 1)" >&2
	fi
}

case ${1:-} in
single | parallel | fetch) "$1" ;;
*) echo "usage: qemu.sh single|parallel|fetch" >&2; exit 2 ;;
esac
