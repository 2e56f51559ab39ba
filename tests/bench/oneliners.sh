#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Measures the time from the return key to a woven aspect: from the start of `weft count FUNCTION
# --by comm -- COMMAND` until COMMAND runs, which weft starts when the aspect is woven. The same
# time of bpftrace is printed if bpftrace is installed.
#
# Each question is about a function that was not asked for before, so that nothing is cached. weft
# has the recipe that `make kmod` has made (weft learn), and weft.ko is loaded. The first question
# of each program also reads the program from the disk.
#
# `make bench-oneliners` runs this in a usual guest, and in a guest that counts instructions, where
# one instruction takes a nanosecond.
. "$(dirname "$0")/../vm/cases/lib.sh"
load_weft
rounds=${1:-5}
functions=(vfs_open vfs_read vfs_write vfs_mkdir vfs_rmdir vfs_fsync)
export XDG_CACHE_HOME=/tmp/cache

# until_runs COMMAND...: runs COMMAND, whose last argument is a command that prints the time. Prints
# the milliseconds from the start of COMMAND until that command runs.
until_runs() {
	local begun=$(date +%s%N)
	"$@" >/tmp/out 2>/tmp/said || { cat /tmp/said; return 1; }
	echo $((($(grep -oE '[0-9]{19}' /tmp/out /tmp/said -h | head -n 1) - begun) / 1000000))
}
least() { sort -n | head -n 1; }
row() { printf '%-44s %8s ms\n' "$1" "$2"; }
weft_count() { until_runs weft count "$1" --by comm -- date +%s%N; }
bpftrace_count() {
	until_runs bpftrace -e "kprobe:$1 { @[comm] = count(); }" -c "$(command -v date) +%s%N"
}
others() {
	for ((i = 1; i <= rounds && i < ${#functions[@]}; i++)); do "$1" "${functions[i]}"; done
}

row "a program alone (date)" "$(for ((i = 0; i < rounds; i++)); do
	until_runs date +%s%N
done | least)"
row "weft count, the first question" "$(weft_count "${functions[0]}")"
row "weft count, new questions" "$(others weft_count | least)"
row "weft count, cached" "$(for ((i = 0; i < rounds; i++)); do
	weft_count "${functions[0]}"
done | least)"
if command -v bpftrace >/dev/null; then
	row "bpftrace, the first question" "$(bpftrace_count "${functions[0]}")"
	row "bpftrace, new questions" "$(others bpftrace_count | least)"
fi
