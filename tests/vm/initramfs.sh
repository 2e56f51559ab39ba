#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# initramfs.sh OUTPUT INIT: the guest's first root: busybox and /init, nothing else. The kernel brings /dev/console itself.
# Made again when one of its parts is newer; written beside and renamed, because several guests may start at once.
set -euo pipefail

output=$1 init=$2 busybox=/bin/busybox
[ -e "$busybox" ] || { echo "initramfs.sh: $busybox does not exist: make deps" >&2; exit 1; }
if [ "$output" -nt "$init" ] && [ "$output" -nt "$busybox" ] && [ "$output" -nt "${BASH_SOURCE[0]}" ]; then exit 0; fi
mkdir -p "$(dirname "$output")"
work=$(mktemp -d "$output.XXXXXX")
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/root/bin"
cp "$busybox" "$work/root/bin/busybox"
install -m 755 "$init" "$work/root/init"
(cd "$work/root" && find . | cpio --quiet -o -H newc -R 0:0) >"$work/cpio"
mv "$work/cpio" "$output"
