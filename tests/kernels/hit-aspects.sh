#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Writes those aspects of `make bench-hit` that have goals, for another kernel than the demo kernel.
# A hit must cost as much as on the demo kernel, so the script finds, by objdump, the instructions
# of getppid() that correspond to those on the demo kernel. The jump is at the last instruction of
# at least five bytes before the one that loads the first argument of __task_pid_nr_ns(): on both
# kernels, two of the registers that C may change are live there. The trap is at the first
# instruction after ftrace's call, a push. Usage: hit-aspects.sh VMLINUX FOLDER
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
vmlinux=$1 folder=$2

die() { printf 'hit-aspects.sh: %s\n' "$*" >&2; exit 1; }

# The symbol has several names, of which objdump prints only one, so the address is used.
start=$(nm "$vmlinux" | awk '$3 == "__x64_sys_getppid" { print $1 }')
[ -n "$start" ] || die "$vmlinux has no getppid()"
read -r jump trap < <(objdump -d --insn-width=15 --start-address="0x$start" \
	--stop-address="$(printf '0x%x' $((0x$start + 64)))" "$vmlinux" |
	awk -F '\t' '
		/^ *[0-9a-f]+:\t/ && !done {
			at = $1
			gsub(/[ :]/, "", at)
			if ($3 ~ /^mov .*,%rdi/) { print long, push; done = 1 }
			if (split($2, bytes, " ") >= 5 && $3 !~ /^call/) long = at
			if ($3 ~ /^push/ && push == "") push = at
		}') || true
[ -n "${trap:-}" ] || die "getppid() in $vmlinux is not as expected"

# place ADDRESS: prints the offset of ADDRESS in getppid(), for the aspect.
place() { printf '0x%x' $((0x$1 - 0x$start)); }

mkdir -p "$folder"
for aspect in count empty trap; do
	if [ $aspect = trap ]; then at=$trap; else at=$jump; fi
	sed -E "s/offset=\"[^\"]*\"/offset=\"$(place "$at")\"/" \
		"$here/../vm/aspects/bench_$aspect.xml" >"$folder/bench_$aspect.xml"
done
