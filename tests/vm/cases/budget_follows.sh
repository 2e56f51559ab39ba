#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Advice never ends and has interrupts off, and its CPU gets NMIs of other sources, whose handlers
# take long. weft.ko's own NMI comes while such a handler runs, and is still pending when weft.ko
# leaves the advice. The kernel must not report that NMI as unknown afterwards.
. "$(dirname "$0")/lib.sh"
taskset -p 2 $$ >/dev/null # This shell runs on CPU 1, which is not the one that stands still.
load_weft
insmod "$O/vm/nesting/nesting.ko" || exit 1
insmod "$O/vm/probed/late_nmi.ko" || exit 1
parameters=/sys/module/budget_loop/parameters
send=/sys/module/late_nmi/parameters/send
unknown() { dmesg | grep -c 'NMI received for unknown reason'; }
# Sends NMIs until weft.ko has left the advice, for at most a minute.
until_left() {
	local end=$((SECONDS + 60))
	until [ "$(figure budget_loop faults)" -gt 0 ]; do
		for _ in {1..20}; do echo 1 >$send; done
		[ $SECONDS -lt $end ] || return
	done
	await in_state budget_loop faulted
}
echo 1 >$send
same "an NMI of others is no unknown one" "$(unknown)" 0
for round in {1..6}; do
	check "$round: advice with a budget" weft weave --budget=10ms "$aspects/budget_loop.ko"
	echo 0 >$parameters/context
	echo 6 >$parameters/kind
	taskset -c 0 bash -c 'echo 1 >/dev/nesting' &
	check "$round: an endless loop with interrupts off is left" until_left
	wait $!
	check "$round: it goes" weft unweave budget_loop
done
same "no NMI is unknown" "$(unknown)" 0
rmmod late_nmi
rmmod nesting
check "weft.ko unloads" rmmod weft
finish
