#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# guest-modules.sh ROOT RELEASE FOLDER: makes FOLDER one that tests/vm/vm.sh boots, as far as
# modules go: those without which the guest of ROOT/lib/modules/RELEASE finds no root, in
# FOLDER/modules, and the list guest-modules of them, in the order in which they load. They are
# uncompressed, since what loads them is busybox. A module that is built in has no file and no
# line.
set -euo pipefail

root=$1 release=$2 folder=$3
die() { printf 'guest-modules.sh: %s\n' "$*" >&2; exit 1; }

rm -rf "$folder/modules"
mkdir -p "$folder/modules"
for module in virtio_pci virtiofs overlay virtio_console; do
	modprobe -d "$root" -S "$release" --show-depends $module ||
		die "$release has no module $module, which the guest takes"
done | awk '$1 == "insmod" && !seen[$2]++ { print $2 }' | while read -r file; do
	name=${file##*/}
	name=${name%%.*}.ko
	case $file in
	*.xz) xz -dc "$file" ;;
	*.zst) zstd -qdc "$file" ;;
	*.gz) gzip -dc "$file" ;;
	*) cat "$file" ;;
	esac >"$folder/modules/$name" || die "$file cannot be unpacked"
	echo "modules/$name"
done >"$folder/guest-modules"
