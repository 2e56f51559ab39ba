#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Around-advice calls a function that has around-advice, too, of the same aspect or of another one.
# This inner advice misses the execution, since advice is running already; but what it has pushed at
# its entry stays on the stack, because ftrace does not trace the function. Then the function
# faults. The fault must end the outer advice and both executions.
. "$(dirname "$0")/lib.sh"
load_weft
insmod "$O/vm/probed/probed.ko" || exit 1
kernel-text /tmp/before >/dev/null
fault() { fault_of fault_around_missed "$1"; }
line=$(grep -n 'strnlen(nothing' "$WEFT_TOP/tests/vm/aspects/fault_around_missed.xml" |
	cut -d: -f1)
# provoke HOW: the advice faults, in a task, a softirq, an interrupt and an NMI.
provoke() {
	local context
	for context in 0 1 2 3; do
		name="$1, in context $context"
		check "$name: weave" weft weave $how "$aspects/fault_around_missed.ko"
		echo 1 >/sys/module/fault_around_missed/parameters/faulty
		check "$name: the kernel lives" taskset -c 0 bash -c "echo 1 $context >/dev/probed"
		check "$name: it is unwoven" await in_state fault_around_missed faulted
		same "$name: the advice that has called the function is to blame" \
			"$(fault symbol) $(fault line)" "in4_pton $line"
		check "$name: nobody is inside" await_nobody fault_around_missed
		check "$name: it goes" weft unweave fault_around_missed
	done
}
# Waits until no task is inside the aspect: tasks of others may be in strnlen().
await_nobody() { await eval "[ \"\$(figure $1 inside)\" = 0 ]"; }
for how in --optimized --traps; do
	provoke "alone ($how)"
	check "another aspect's advice of the function" weft weave $how "$aspects/around_strnlen.ko"
	provoke "with another's ($how)"
	same "the other is not to blame" \
		"$(figure around_strnlen faults) $(state around_strnlen)" "0 woven"
	check "nobody is inside of it" await_nobody around_strnlen
	check "it goes" weft unweave --all
done
read -r calls wrong </dev/probed
at_least "there were calls" $calls 100
same "all of which had their results" $wrong 0
check "text restored" restored
finish
