#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Two tasks die of an oops in around-advice. In one, the advice has called a function of the kernel
# that faults, which weft.ko cannot leave; the log must name the advice. In the other, the advice
# has given the original function a bad address; this does not count as a fault of the advice.
# weft.ko must notice that neither task is inside any more, so that the aspect can be unwoven and
# unloaded.
# vm.sh: --allow-splat
. "$(dirname "$0")/lib.sh"
load_weft
insmod "$O/vm/nesting/nesting.ko" || exit 1
echo 0 >/proc/sys/kernel/panic_on_oops
dies() {
	taskset -c 0 bash -c "printf $1 >/proc/self/task/\$\$/comm; echo 5 >/dev/nesting"
	check "$1 has died" test $? -ge 128
}
kernel-text /tmp/before >/dev/null
check "another aspect" weft weave --optimized "$aspects/fault_witness.ko"
check "weave" weft weave --optimized "$aspects/fault_around_deep.ko"
dies misled
same "the advice is not to blame" \
	"$(state fault_around_deep) $(dmesg | grep -c 'fault_around_deep: its advice')" "woven 0"
same "nobody is inside" "$(figure fault_around_deep inside)" 0
dies victim
line=$(grep -n 'list_sort(NULL' "$WEFT_TOP/tests/vm/aspects/fault_around_deep.xml" | cut -d: -f1)
check "the log says whose it was" \
	grep -q "deep: its advice, at fault_around_deep.xml:$line, has called what faults" \
	<(dmesg)
check "the aspect is unwoven" await in_state fault_around_deep faulted
same "again nobody is inside" "$(figure fault_around_deep inside)" 0
check "it goes" weft unweave fault_around_deep
same "with its module" "$(grep -c "^fault_around_deep " /proc/modules)" 0
before=$(figure fault_witness hits)
for cpu in 0 1; do taskset -c $cpu bash -c 'echo 200 >/dev/nesting'; done
check "the other counts on" test $(($(figure fault_witness hits) - before)) -ge 400
check "unweave" weft unweave --all
check "text restored" restored
finish
