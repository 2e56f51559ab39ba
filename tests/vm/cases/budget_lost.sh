#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Advice never ends in an interrupt, and the NMIs that weft.ko sends to its CPU are lost at first: a
# kprobe skips weft.ko's handler. weft.ko must send another NMI, and leave the advice. If it does
# not, the CPU never runs anything else, and the case does not end.
. "$(dirname "$0")/lib.sh"
taskset -p 2 $$ >/dev/null # This shell runs on CPU 1, which is not the one that stands still.
load_weft
insmod "$O/vm/nesting/nesting.ko" || exit 1
traffic 20 >/dev/null # The first traffic switches jump labels of the kernel on, for good.
kernel-text /tmp/before >/dev/null
parameters=/sys/module/budget_loop/parameters
check "advice with a budget" weft weave --budget=10ms "$aspects/budget_loop.ko"
echo 2 >$parameters/context
echo 1 >$parameters/kind
insmod "$O/vm/probed/on_advice.ko" on=weft:on_nmi skips=1 skips_ms=500 ||
	fail "a kprobe on on_nmi()" $?
until_left() {
	local end=$((SECONDS + 60))
	until [ "$(figure budget_loop faults)" -gt 0 ]; do
		taskset -c 0 bash -c 'echo 200 >/dev/nesting' || return
		[ $SECONDS -lt $end ] || return
	done
	await in_state budget_loop faulted
}
check "an endless loop in an interrupt is left" until_left
at_least "although NMIs were lost" "$(cat /sys/module/on_advice/parameters/seen)" 2
rmmod on_advice
weft unweave budget_loop >/dev/null
check "text restored" restored
rmmod nesting
check "weft.ko unloads" rmmod weft
finish
