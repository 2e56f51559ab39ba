#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# vm.sh: --icount
#
# Measures how long it takes from a fault in advice until the aspect is disabled, and until it is
# unwoven, for each kind and each context of faults; for all combinations if $WEFT_FAULTS is large
# (make bench-faults). The guest's clock counts instructions here, so the times do not depend on
# what else the machine does. The case fails if a time is above its goal.
. "$(dirname "$0")/lib.sh"
load_weft
insmod "$O/vm/probed/probed.ko" || exit 1
kernel-text /tmp/before >/dev/null
contexts=(task softirq interrupt NMI)
kinds=12 # The number of kinds of faults that fault_any.xml knows.
disabled_goal=1000000 unwoven_goal=1000000000 # The goals in nanoseconds.
parameters=/sys/module/fault_any/parameters

# provoke KIND CONTEXT: makes the advice of fault_any fault so, and waits until it is unwoven.
provoke() {
	weft weave "$aspects/fault_any.ko" >/dev/null || return
	echo "$2" >$parameters/context
	echo "$1" >$parameters/kind
	echo "1 $2" >/dev/probed
	await in_state fault_any faulted || return
	weft list --json | sed -nE 's/.*"disabled_after_ns":([0-9]+).*/\1/p' >>/tmp/disabled
	weft list --json | sed -nE 's/.*"unwoven_after_ns":([0-9]+).*/\1/p' >>/tmp/unwoven
	weft unweave fault_any >/dev/null
}
provoked=0
for context in ${!contexts[*]}; do
	for ((kind = 1; kind <= kinds; kind++)); do
		[ "$WEFT_FAULTS" -ge 1000 ] || [ $kind = 1 ] || [ $context = 0 ] || continue
		provoked=$((provoked + 1))
		provoke $kind $context || echo "kind $kind in ${contexts[context]}" >>/tmp/trouble
	done
done
same "each fault ended its advice" "$(cat /tmp/trouble 2>/dev/null)" ""

# spread NAME FILE GOAL: prints the least, the median and the most of the times in FILE; the most
# must be within GOAL.
spread() {
	local times
	mapfile -t times < <(sort -n "$2")
	same "$1: each was measured" ${#times[@]} $provoked
	echo "ns from a fault until it is $1: least ${times[0]}, median" \
		"${times[${#times[@]} / 2]}, most ${times[-1]}"
	between "$1 in time" "${times[-1]}" 1 "$3"
}
spread disabled /tmp/disabled $disabled_goal
spread unwoven /tmp/unwoven $unwoven_goal
check "text restored" restored
rmmod probed
check "weft.ko unloads" rmmod weft
finish
