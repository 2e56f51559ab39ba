#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Prints objdump's listing of the given functions and of their cold parts. Usage: listing.sh VMLINUX
# FUNCTION...
set -euo pipefail
vmlinux=$1
shift
symbols=$(nm "$vmlinux" | cut -d' ' -f3)
for function; do
	for symbol in "$function" "$function.cold"; do
		grep -qxF "$symbol" <<<"$symbols" || continue
		objdump -d --no-show-raw-insn --disassemble="$symbol" "$vmlinux" |
			grep -E '^[0-9a-f]+( <|:)'
	done
done
