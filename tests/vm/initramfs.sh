#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Makes the guest's first root file system: busybox, /init, and the modules that /init loads, in the
# given order. The kernel adds /dev/console itself. The file is made again if one of its parts is
# newer. It is written under another name and renamed, because several guests may start at once.
# Usage: initramfs.sh OUTPUT INIT [MODULE...]
set -euo pipefail

output=$1 init=$2 busybox=/bin/busybox
shift 2
[ -e "$busybox" ] || { echo "initramfs.sh: $busybox does not exist: make deps" >&2; exit 1; }
current=1
for part in "$init" "$busybox" "${BASH_SOURCE[0]}" "$@"; do
	[ -e "$part" ] || { echo "initramfs.sh: $part does not exist" >&2; exit 1; }
	if [ ! "$output" -nt "$part" ]; then current=0; fi
done
if [ $current = 1 ]; then exit 0; fi
mkdir -p "$(dirname "$output")"
work=$(mktemp -d "$output.XXXXXX")
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/root/bin"
cp "$busybox" "$work/root/bin/busybox"
install -m 755 "$init" "$work/root/init"
number=100
for module; do
	install -D -m 644 "$module" "$work/root/modules/$number-$(basename "$module")"
	number=$((number + 1))
done
(cd "$work/root" && find . | cpio --quiet -o -H newc -R 0:0) >"$work/cpio"
mv "$work/cpio" "$output"
