#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# From the return key to woven: seconds from when the shell starts `weft count FUNCTION --by comm`
# until the command runs for which it is woven, of functions that were not asked for before, so that
# nothing is cached, and with the module there; the same of bpftrace, if it is installed. Weft has
# the recipe that `make kmod` has made (weft learn). The first row of each has its programs read
# from the disk as well. In a guest that counts instructions a nanosecond is one. `make
# bench-oneliners` runs it in both.
. "$(dirname "$0")/../vm/cases/lib.sh"
load_weft
rounds=${1:-5}
functions=(vfs_open vfs_read vfs_write vfs_mkdir vfs_rmdir vfs_fsync)
export XDG_CACHE_HOME=/tmp/cache

# until_runs COMMAND...: prints the milliseconds until the command that it starts, its last
# argument, runs
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
