#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Checks the splices that the weaver plans for a kernel with check-plan.c, which shares no code with
# the weaver. "part" checks half a megabyte of text, with objdump's output of that range only; a
# branch into it from elsewhere is seen only with "all". DB is by default the demo kernel's. Usage:
# plan.sh WEFT VMLINUX O part|all [DB]
set -euo pipefail
. "$(dirname "$0")/lib.sh"
O=$3 how=$4
db=${5:-$O/vmlinux.weft}
range=() limits=() least=1000000
if [ "$how" = part ]; then
	start=$(nm "$vmlinux" | awk '$3 == "_text" { print $1 }')
	range=("$(printf %x $((0x$start + 0x200000)))" "$(printf %x $((0x$start + 0x280000)))")
	limits=("--start-address=0x$(printf %x $((0x$start + 0x1f0000)))"
		"--stop-address=0x$(printf %x $((0x$start + 0x290000)))")
	least=100000
fi
objdump -d --insn-width=15 "${limits[@]}" "$vmlinux" >"$work/objdump"

for mode in alone together; do
	"$O/tests/oracle/plan-dump" "$db" $mode "${range[@]}" >"$work/plan"
	"$O/tests/oracle/check-plan" "$vmlinux" "$work/plan" $mode <"$work/objdump" \
		>"$work/said" || true
	grep -v -e '^[0-9]* \(entries\|relocations\|lines\)' "$work/said" >"$work/wrong" || true
	grep -q ' 0 wrong$' "$work/said" || tail -n 1 "$work/said" >>"$work/wrong"
	result "displaced ranges, slots and donors, $mode" "$work/wrong" \
		"$(sed -n 's/.* \([0-9]*\) instructions planned.*/\1/p' "$work/said")" $least
done
[ "$how" = part ] && { finish; exit; }

# `weft plan --all` must count the instructions that objdump prints: each once, padding and int3
# separately. In the return thunks a few instructions begin in the middle of others. objdump prints
# these as well, because they have labels, so `weft plan` must count them too.
objdump -d -j .text --no-show-raw-insn "$vmlinux" | awk -F '\t' '
	/^ *[0-9a-f]+:\t/ && !/\(bad\)/ { if ($2 ~ /^int3/) int3++; else n++ }
	END { print n, int3 }' >"$work/theirs"
"$weft" plan --db "$db" --all --json | awk -F '[:,]' '{ print $2 + $4, $6 }' >"$work/ours"
paste "$work/theirs" "$work/ours" |
	awk '{ d = $1 - $3; e = $2 - $4 } d * d > 100 || e * e > 100' >"$work/wrong"
result "instructions are those of objdump" "$work/wrong" "$(cut -d ' ' -f 1 "$work/theirs")" $least
finish
