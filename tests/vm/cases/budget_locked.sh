#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# vm.sh: --cpus 3
#
# Advice never ends under a lock, with interrupts off, while the CPU with the next lower number
# waits for that lock with interrupts off. That CPU has no timer then either, so a third CPU has to
# notice the advice.
. "$(dirname "$0")/lib.sh"
load_weft
insmod "$O/vm/nesting/locked.ko" || exit 1
kernel-text /tmp/before >/dev/null
parameters=/sys/module/budget_loop/parameters
on() { taskset -c "$1" bash -c "echo $2 >/dev/locked"; } # CPU WORD

# The budget is so long that both CPUs reach the lock within it, even on a slow machine.
weft weave --budget=500ms "$aspects/budget_loop.ko" >/dev/null
echo 4 >$parameters/context
for first in 1 2 0; do
	second=$(((first + 2) % 3))
	on $second second &
	echo 1 >$parameters/kind
	check "CPU $second waits for a lock that advice on CPU $first runs under: both go on" \
		on $first first
	check "and the aspect is unwoven" await in_state budget_loop faulted
	check "CPU $second, too" wait $!
	weft unweave budget_loop >/dev/null
	[ $first = 0 ] || weft weave --budget=500ms "$aspects/budget_loop.ko" >/dev/null
	[ $first = 0 ] || echo 4 >$parameters/context
done
check "text restored" restored
rmmod locked
check "weft.ko unloads" rmmod weft
finish
