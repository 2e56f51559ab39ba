#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Around-advice faults after it has called a function that returns with a spin lock, and so with
# another preemption count and with interrupts off. The function's caller must go on with the count
# and the interrupts that it has without the advice; also if the advice itself had switched
# interrupts or preemption off. A wrong count is a splat in the kernel's log as well.
. "$(dirname "$0")/lib.sh"
load_weft
# state_of NAME: a process of that name reads its /proc/self/stat. Prints what the witness has seen.
state_of() {
	weft read held_witness >/dev/null
	perl -e '$0 = "faulty"; open F, "<", "/proc/self/stat"; print STDERR "nothing" unless <F>'
	weft read held_witness | sed 's/.*off:/off:/'
}
check "a witness" weft weave --optimized "$aspects/held_witness.ko"
plain=$(state_of)
lines "the caller has the lock, and interrupts off" \
	"$(grep -c 'off: 1, count: [1-9]' <<<"$plain")" "$(wc -l <<<"$plain")"
for how in --optimized --traps; do
	for aspect in fault_around_returns fault_around_holds fault_around_preloads; do
		check "$aspect ($how): weave" weft weave $how "$aspects/$aspect.ko"
		same "$aspect: the caller finds it so" "$(state_of)" "$plain"
		check "$aspect: it is unwoven" await in_state $aspect faulted
		same "$aspect: afterwards, too" "$(state_of)" "$plain"
		check "$aspect: it goes" weft unweave $aspect
	done
done
same "no preemption count is wrong" "$(dmesg | grep -c 'scheduling while atomic')" 0
check "all goes" weft unweave --all
finish
