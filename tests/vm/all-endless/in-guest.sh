#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The part of all-endless.sh that runs in the guest. The host sends NMIs after this script has
# printed "loops".
. "$WEFT_TOP/tests/vm/cases/lib.sh"
load_weft
insmod "$O/vm/nesting/locked.ko" || exit 1
kernel-text /tmp/before >/dev/null
parameters=/sys/module/budget_loop/parameters
# on CPU WORD: writes WORD to /dev/locked on that CPU.
on() { taskset -c "$1" bash -c "echo $2 >/dev/locked"; }

# loop_all FIRST WORD: starts advice that never ends, under a lock, on CPU FIRST. Writes WORD to
# /dev/locked on the other CPU, which then waits for the lock or runs beside it.
loop_all() {
	check "$2: weave" weft weave --budget=2ms "$aspects/budget_loop.ko"
	echo 4 >$parameters/context
	on $((1 - $1)) "$2" &
	echo 1 >$parameters/kind
	check "$2: CPU $1 goes on" on "$1" first
	check "$2: the aspect is unwoven" await in_state budget_loop faulted
	check "$2: the other CPU goes on" wait $!
	weft unweave budget_loop >/dev/null
}
echo loops
for cpu in 0 1; do
	loop_all $cpu beside
	loop_all $cpu second
done
check "text restored" restored
rmmod locked
check "weft.ko unloads" rmmod weft
finish
