#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# A WARN() in around-advice, before and after it calls the function, in each context. weft.ko must
# handle it like a fault, but the advice runs to its end: the function must have run once, and its
# caller must get its result. The case fails if the log has more of a splat than its first line
# ("cut here"), or if the kernel panics, which it must not do even with panic_on_warn.
# vm.sh: --allow-splat
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/../provoke-around.sh"
load_weft
insmod "$O/vm/probed/probed.ko" || exit 1
warn=15 # the kind of fault that is a WARN()
contexts=(task softirq interrupt NMI)
check "what counts the function's ends" weft weave --optimized "$aspects/fault_runs.ko"
taskset -c 0 bash -c "echo 1 >/dev/probed"
each=$(figure fault_runs hits)
echo 1 >/proc/sys/kernel/panic_on_warn
line=$(grep -n "case $warn: " "$WEFT_TOP/tests/vm/aspects/fault_around.xml" | cut -d: -f1)
for context in 0 1 2 3; do
	for when in 0 1; do
		name="in ${contexts[context]}, when $when"
		check "$name: the kernel lives, the aspect is unwoven" \
			provoke_around $warn $context $when
		weft list >/tmp/list
		check "$name: it says what, and how often" \
			grep -qE 'faulted [1-9][0-9]* times?: WARN\(\)' /tmp/list
		check "$name: where, and who was hit" \
			grep -qE 'fault_around.xml:[0-9]+, hit at in4_pton.*, by bash\[' /tmp/list
		check "$name: the line" grep -q "\"line\":$line," <(weft list --json)
		same "$name: nobody is inside" "$(figure fault_around inside)" 0
		check "$name: it goes" weft unweave fault_around
	done
done
read -r calls wrong </dev/probed
same "what was hit had its results" $wrong 0
same "the function ran once for each call" "$(figure fault_runs hits)" "$((calls / 24 * each))"
same "no splat" "$(dmesg | grep -cE 'WARNING:|BUG:|Oops|Call Trace')" 0
check "all goes" weft unweave --all
rmmod probed
check "weft.ko unloads" await rmmod weft
finish
