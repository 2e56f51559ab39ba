#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# In the guest, under icount: what one hit costs above the bare function, weft's splices beside the kernel's own probes.
set -eu
. "$(dirname "$0")/../vm/cases/lib.sh"
load_weft
rounds=500
tracing=/sys/kernel/tracing
echo 0 >/proc/sys/kernel/randomize_va_space
hit-cost $rounds >/dev/null
bare=$(hit-cost $rounds)
row() { awk -v n="$1" -v a="$2" -v b="$bare" 'BEGIN { printf "%-60s %8.1f\n", n, a - b }'; }

printf '%-60s %8s\n' "guest instructions per hit above the bare function" ""
for aspect in count empty call trap log; do
	# What the others are, these would be as well, but for this: a trap in the same place.
	case $aspect in trap) how=--traps ;; *) how=--settled ;; esac
	kind=$(weft weave $how "$aspects/bench_$aspect.ko" | sed -n 's/.* = //p')
	cost=$(hit-cost $rounds)
	[ "$(figure bench_$aspect hits)" -ge $((rounds * 20)) ] || { echo "no hits"; exit 1; }
	weft unweave bench_$aspect >/dev/null
	weft read >/dev/null
	row "weft $aspect ($kind)" "$cost"
done

kprobe() { # NAME OFFSET OPTIMIZE
	echo "$3" >/proc/sys/debug/kprobes-optimization
	echo "p:weft_bench/hit __x64_sys_getppid+$2" >$tracing/kprobe_events
	echo 1 >$tracing/events/weft_bench/hit/enable
	sleep 1 # optimisation happens in the background
	# Whether the kernel could put a jump there is its own decision: the row says what was measured.
	grep -q OPTIMIZED /sys/kernel/debug/kprobes/list && kind="jump-optimised" || kind="not optimised"
	row "$1 ($kind)" "$(hit-cost $rounds)"
	echo 0 >$tracing/events/weft_bench/hit/enable
	echo >$tracing/kprobe_events
}
kprobe "kprobe event, record" 5 0
kprobe "kprobe event on the ftrace site, record" 0 1
