#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Tests hits and misses if advice runs into itself. A module (tests/vm/nesting) calls two functions
# in tasks, softirqs, interrupts and NMIs, on top of each other. The functions have a splice of each
# kind, whose advice calls the functions once more. A call from advice in the same context is a
# miss; a call in an interrupt, softirq or NMI that came during advice is a hit. The number of
# executions is known from the module's own counts and from kprobes. The case fails if any count is
# off by one.
. "$(dirname "$0")/lib.sh"
load_weft
insmod "$O/vm/nesting/nesting.ko" || exit 1
work=$(mktemp -d)
kernel-text "$work/before" >/dev/null
kinds="call jump several trap springboard"

for kind in $kinds; do
	of=$kind
	[ $kind = several ] && of=jump
	how=--optimized
	[ $kind = trap ] && how=--traps
	weft weave $how "$aspects/nest_$kind.ko" >"$work/summary" 2>&1
	same "$kind: spliced by it" \
		"$(grep -cE ": matched 1 = .*\b$of 1\b.* refused 0" "$work/summary")" 1
done
same "the text says so" "$(kernel-text --splices "$work/before")" "5 0"
for function in in4_pton set_normalized_timespec64; do
	echo "p:weft_test/$function $function" >>$tracing/kprobe_events
done
echo 1 >$tracing/events/weft_test/enable

# counts KIND: prints "HITS MISSED" of the aspect nest_KIND, from the saved output of `weft list`.
counts() {
	sed -nE "s/^\{\"aspect\":\"nest_$1\",.*\"hits\":([0-9]+),\"missed\":([0-9]+).*/\1 \2/p" \
		"$work/list"
}
# made [N]: prints how many calls the module made, in all contexts or in the context of column N.
made() {
	awk -v only="${1:-0}" '{ n += only ? $(only + 1) : $2 + $3 + $4 + $5 } END { print n }' \
		"$work/made"
}
executed() { awk -v f="$1" '$1 == f { print $2 + $3 }' $tracing/kprobe_profile; }

for cpus in 0 1 "0 1"; do
	for cpu in $cpus; do taskset -c "$cpu" bash -c 'echo 1000 >/dev/nesting' & done
	wait
	cat /dev/nesting >"$work/made"
	weft list --json >"$work/list"
	calls=$(made)
	for kind in $kinds; do
		function=in4_pton advices=4
		[ $kind = springboard ] && function=set_normalized_timespec64 advices=1
		read -r hits missed <<<"$(counts $kind)"
		same "CPU $cpus, $kind: hits + missed are what the kprobe counts" \
			$((hits + missed)) "$(executed $function)"
		same "CPU $cpus, $kind: the module's calls are hits, the advices' are missed" \
			"$hits $missed" "$calls $((advices * calls))"
	done
	for context in 1 2 3 4; do check "there were some" test "$(made $context)" -ge 20; done
	cat "$work/made"
done
echo 0 >$tracing/events/weft_test/enable
echo >$tracing/kprobe_events
check "unweave" weft unweave --all
for kind in $kinds; do
	weft read nest_$kind >"$work/read"
	for context in softirq interrupt nmi; do
		n=$(grep -c "on top in $context\$" "$work/read")
		check "$kind: advice ran on top of advice, in $context ($n)" test "$n" -ge 1
	done
done
kernel-text "$work/after" >/dev/null
check "text restored" kernel-text "$work/before" "$work/after"
check "the module goes" rmmod nesting
rm -r "$work"
finish
