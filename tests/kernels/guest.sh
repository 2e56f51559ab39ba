#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Boots an installed kernel, or one in the cache, in the guest, with weft.ko built for it: a shell
# with weft.ko loaded, or a script, which finds weft.ko as $WEFT_KO. RELEASE is as `uname -r` prints
# it, or one of shipped.sh's suites. --root says which folder has boot/, lib/modules/ and the
# kernel's headers, if not /. The host's own kernel is not touched. Usage: guest.sh [--root FOLDER]
# RELEASE [SCRIPT]
#
# weft.ko is built in $O/kernels/RELEASE, or $O/kernels/SUITE for a kernel in the cache. If that
# folder has a database, it is kernel.weft there, and $WEFT_DB is its path.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
top=$(cd "$here/../.." && pwd)
export O=${O:-$top/build}
cache=${XDG_CACHE_HOME:-$HOME/.cache}/weft
root=''

die() { printf 'guest.sh: %s\n' "$*" >&2; exit 1; }
usage() { echo "usage: guest.sh [--root FOLDER] RELEASE [SCRIPT]" >&2; exit 2; }

# Uses a kernel of the cache, whose folder is ready for vm.sh; shipped.sh has its compiler.
use_shipped() {
	local suite

	kernel=$(realpath "$1")
	suite=$(sed -n 's/^suite //p' "$kernel/weft-shipped")
	folder=$O/kernels/$suite
	headers=$kernel/headers
	there=("$here/shipped.sh" in "$suite")
}

use_installed() {
	local image modules=$root/lib/modules/$1

	for image in "$root/boot/vmlinuz-$1" "$modules/vmlinuz"; do [ ! -r "$image" ] || break; done
	[ -r "$image" ] ||
		die "$1 is neither installed ($root/boot/vmlinuz-$1) nor in the cache;" \
			"there are:$(releases)"
	[ -d "$modules" ] || die "$modules does not exist"
	for headers in "$modules/build" "$root/usr/src/linux-headers-$1"; do
		[ ! -e "$headers/Makefile" ] || break
	done
	[ -e "$headers/Makefile" ] ||
		die "the headers of $1 are missing: apt-get install linux-headers-$1"
	folder=$O/kernels/$1
	kernel=$folder/guest
	mkdir -p "$kernel"
	ln -sfn "$image" "$kernel/bzImage"
	ln -sfn "${root:-/}" "$kernel/root"
	"$here/guest-modules.sh" "${root:-/}" "$1" "$kernel"
	: >"$kernel/weft-kernel-ok"
	there=()
}

# Prints the releases that the user could have meant.
releases() {
	local at

	for at in "$root"/boot/vmlinuz-* "$cache"/stock-[0-9]*/weft-shipped; do
		[ -e "$at" ] || continue
		at=${at#"$root/boot/vmlinuz-"} at=${at%/weft-shipped}
		printf ' %s' "${at##*/stock-}"
	done
}

if [ "${1:-}" = --root ]; then
	[ $# -ge 3 ] || usage
	root=${2%/}
	shift 2
fi
[ $# = 1 ] || [ $# = 2 ] || usage
if [ -z "$root" ] && [ -e "$cache/stock-$1/weft-shipped" ]; then
	use_shipped "$cache/stock-$1"
else
	use_installed "$1"
fi
mkdir -p "$folder"
${there[@]+"${there[@]}"} env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL make -s -j"$(nproc)" \
	--no-print-directory DEPS=build O="$folder" KERNEL="$headers" kmod kmod-debug \
	>"$folder/kmod.log" 2>&1 ||
	die "weft.ko does not build against $headers: $(grep -m 1 -E 'error|\*\*\*' \
		"$folder/kmod.log"); the log is $folder/kmod.log"
options=(--kernel "$kernel" --env "WEFT_KO=$folder/kmod/weft.ko"
	--env "WEFT_DB=$folder/kernel.weft" --env "WEFT_ASPECTS=$folder/aspects" --env "O=$O")
if [ $# = 2 ]; then exec "$top/tests/vm/vm.sh" "${options[@]}" "$2"; fi
mkdir -p "$O/vm/share"
exec "$top/tests/vm/vm.sh" "${options[@]}" --share "$O/vm/share" --shell
