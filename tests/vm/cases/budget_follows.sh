#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Advice never ends and has interrupts off, and its CPU gets NMIs of other sources, whose handlers
# take long. weft.ko's own NMI comes while such a handler runs, and is still pending when weft.ko
# leaves the advice. So it comes at another instruction than the NMI before it, and the kernel does
# not see by itself that one follows the other. The kernel must not report that NMI as unknown.
. "$(dirname "$0")/lib.sh"
taskset -p 2 $$ >/dev/null # This shell runs on CPU 1, which is not the one that stands still.
load_weft
insmod "$O/vm/probed/late_nmi.ko" || exit 1
parameters=/sys/module/budget_loop/parameters
late=/sys/module/late_nmi/parameters
unknown() { dmesg | grep -c 'NMI received for unknown reason'; }
echo 1 >$late/send
same "an NMI of others is no unknown one" "$(unknown)" 0
for round in {1..6}; do
	check "$round: advice with a budget" weft weave --budget=10ms "$aspects/budget_loop.ko"
	echo 0 >$parameters/context
	echo 6 >$parameters/kind
	check "$round: an endless loop with interrupts off is left" bash -c "echo 1 >$late/leave"
	check "$round: for its budget" await in_state budget_loop faulted
	check "$round: it goes" weft unweave budget_loop
done
at_least "it was left in an NMI of others" "$(cat $late/left)" 1
same "no NMI is unknown" "$(unknown)" 0
rmmod late_nmi
check "weft.ko unloads" rmmod weft
finish
