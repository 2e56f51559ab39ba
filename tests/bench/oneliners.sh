#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# From the return key to woven: the time from when the shell starts `weft count vfs_open --by comm`
# until the command runs for which it is woven, with an empty cache and with the module in the
# cache; the same for bpftrace, if it is installed. In a guest that counts instructions, a
# nanosecond is an instruction. `make bench-oneliners` runs it in such a guest and in another one.
. "$(dirname "$0")/../vm/cases/lib.sh"
load_weft
rounds=${1:-5}
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
weft_count() { until_runs weft count vfs_open --by comm -- date +%s%N; }

row "a program alone (date)" "$(for ((i = 0; i < rounds; i++)); do
	until_runs date +%s%N
done | least)"
row "weft count, nothing cached" "$(weft_count)"
row "weft count, another, nothing cached" \
	"$(until_runs weft count vfs_read --by pid -- date +%s%N)"
row "weft count, cached" "$(for ((i = 0; i < rounds; i++)); do weft_count; done | least)"
if command -v bpftrace >/dev/null; then
	row "bpftrace, the same question" "$(for ((i = 0; i < rounds; i++)); do
		until_runs bpftrace -e 'kprobe:vfs_open { @[comm] = count(); }' \
			-c "$(command -v date) +%s%N"
	done | least)"
fi
