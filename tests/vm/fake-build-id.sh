#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# fake-build-id.sh FROM.ko TO.ko: an aspect module whose header names another kernel. The build-id's
# first byte is flipped where struct weft_aspect_header (runtime/abi.h) has it.
set -euo pipefail
offset=72 # magic 4, abi 4, name 56, nr_joinpoints 4, nr_advices 4
section=$(mktemp)
trap 'rm -f "$section"' EXIT
objcopy --dump-section .weft.aspect="$section" "$1" /dev/null
byte=$(od -An -tu1 -j$offset -N1 "$section")
printf "\\x$(printf %02x $((byte ^ 255)))" |
	dd of="$section" bs=1 seek=$offset conv=notrunc status=none
objcopy --update-section .weft.aspect="$section" "$1" "$2"
