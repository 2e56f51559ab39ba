#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# vm.sh: --cpus 3
#
# Advice never ends while its CPU holds a lock with interrupts off, and a second CPU waits for that
# lock with interrupts off. Neither of the two has a timer interrupt then, so a third CPU must
# notice the advice. The case fails if the two CPUs do not go on, whichever they are.
. "$(dirname "$0")/lib.sh"
load_weft
insmod "$O/vm/nesting/locked.ko" || exit 1
kernel-text /tmp/before >/dev/null
parameters=/sys/module/budget_loop/parameters
# on CPU WORD: writes WORD to /dev/locked on that CPU.
on() { taskset -c "$1" bash -c "echo $2 >/dev/locked"; }

# The budget is long enough for both CPUs to reach the lock within it, even on a slow machine.
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
