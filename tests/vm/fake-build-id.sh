#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Copies an aspect's module and gives the copy the build-id of another kernel, by changing the first
# byte of the build-id in struct weft_text_part (runtime/abi-part.h). Usage: fake-build-id.sh
# FROM.ko TO.ko
set -euo pipefail
# The offset of the build-id in the struct. Before it there are members of these sizes: module 4,
# section 4, anchor 4, anchor_offset 4, size 8, build_id_size 4.
offset=28
section=$(mktemp)
trap 'rm -f "$section"' EXIT
objcopy --dump-section .weft.parts="$section" "$1" /dev/null
byte=$(od -An -tu1 -j$offset -N1 "$section")
printf "\\x$(printf %02x $((byte ^ 255)))" |
	dd of="$section" bs=1 seek=$offset conv=notrunc status=none
objcopy --update-section .weft.parts="$section" "$1" "$2"
