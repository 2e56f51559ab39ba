#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# A trampoline must reschedule only if a reschedule is due, so hits of C advice must not raise the
# number of calls of schedule() that the kernel counts. The bit of the preemption count that says
# whether a reschedule is due is at different positions in different kernels.
. "$(dirname "$0")/../../vm/cases/lib.sh"
reads=20000

# Prints the number of calls of schedule(): the sum of the third number in each CPU's line.
schedules() { awk '/^cpu/ { n += $4 } END { print n }' /proc/schedstat; }
# Prints by how much $reads reads of a byte raise the number of calls of schedule().
added() {
	local before

	before=$(schedules)
	dd if=/dev/zero of=/dev/null bs=1 count=$reads status=none
	echo $(($(schedules) - before))
}

load_weft
echo 1 >/proc/sys/kernel/sched_schedstats
added >/dev/null
unwoven=$(added)
check "weave" weft weave --optimized "$aspects/reschedule.ko"
woven=$(added)
at_least "hits" "$(figure reschedule hits)" $reads
same "nothing was missed" "$(figure reschedule missed)" 0
echo "schedule() was called $unwoven times before, $woven times with the hits"
check "the hits do not reschedule" test "$woven" -lt $((unwoven + reads / 10))
check "unweave" weft unweave reschedule
check "weft.ko unloads" rmmod weft
finish
