#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Tests a WARN() in advice, in each context. weft.ko must handle it like a fault: the aspect is
# unwoven and runs no more advice, and `weft list` shows the WARN(). Unlike after a fault, the
# advice that has called WARN() runs to its end. The case fails if the log has more of a splat than
# its first line ("cut here"), or if the kernel panics, which it must not do even with
# panic_on_warn.
# vm.sh: --allow-splat
. "$(dirname "$0")/lib.sh"
load_weft
insmod "$O/vm/probed/probed.ko" || exit 1
parameters=/sys/module/fault_any/parameters
contexts=(task softirq interrupt NMI)
echo 1 >/proc/sys/kernel/panic_on_warn
# warns CONTEXT: lets the advice of fault_any run into its WARN(), and waits until it is unwoven.
warns() {
	weft weave "$aspects/fault_any.ko" >/dev/null || return
	echo "$1" >$parameters/context
	echo 13 >$parameters/kind
	taskset -c 0 bash -c "echo 1 $1 >/dev/probed" && await in_state fault_any faulted
}
for context in 0 1 2 3; do
	check "in ${contexts[context]}: the kernel lives, the aspect is unwoven" warns $context
	weft list >/tmp/list
	check "it says what, and how often" \
		grep -qE 'faulted [1-9][0-9]* times?: WARN\(\)' /tmp/list
	check "where, and who was hit" \
		grep -qE 'fault_any.xml:[0-9]+, hit at in4_pton.*, by bash\[' /tmp/list
	check "the instruction" grep -qE '^ +provoke(\.cold)?\+0x' /tmp/list
	weft unweave fault_any >/dev/null 2>&1
done
same "no splat" "$(dmesg | grep -cE 'WARNING:|BUG:|Oops|Call Trace')" 0
rmmod probed
check "weft.ko unloads" await rmmod weft
finish
