#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# libFuzzer on one target for a while: night.sh FOLDER WEFT TARGET SECONDS VMLINUX MODULE VMLINUX MODULE ASPECT...
# What went new ways is kept in FOLDER/TARGET; what ends badly lies in FOLDER as TARGET-crash-HASH.
set -eu
folder=$1 weft=$2 target=$3 seconds=$4 vmlinux=$5 module=$6 other_vmlinux=$7 other_module=$8
shift 8
corpus=$folder/$target
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$corpus"
case $target in
table)
	objcopy --dump-section .debug_weaknames="$corpus/vmlinux" "$vmlinux" /dev/null
	objcopy --dump-section .debug_weaknames="$corpus/other" "$other_vmlinux" /dev/null ;;
vmlinux) cp "$vmlinux" "$other_vmlinux" "$corpus" ;;
module) cp "$module" "$other_module" "$corpus" ;;
database) "$weft" index "$vmlinux" -o "$corpus/vmlinux.weft" >/dev/null ;;
records) "$(dirname "$0")/corpus/bytes.sh" "$(dirname "$0")/corpus/records" "$corpus" ;;
aspect)
	# Names repeat between folders.
	for aspect in "$(dirname "$0")"/corpus/aspect/*.xml "$@"; do cp "$aspect" "$corpus/$(echo "$aspect" | tr / -)"; done ;;
esac
WEFT_FUZZ_TARGET=$target WEFT_FUZZ_FOLDER=$work WEFT_FUZZ_VMLINUX=$vmlinux \
	"$folder/night" -max_total_time="$seconds" -rss_limit_mb=2048 -timeout=20 -detect_leaks=0 -close_fd_mask=1 \
	-artifact_prefix="$folder/$target-" "$corpus"
