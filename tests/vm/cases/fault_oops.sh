#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Advice calls a function of the kernel that faults, which weft.ko cannot leave: the task dies of an
# oops. The case fails if the log does not name the advice before the oops, if the aspect stays
# woven, or if other aspects stop counting on that CPU.
# vm.sh: --allow-splat
. "$(dirname "$0")/lib.sh"
load_weft
insmod "$O/vm/nesting/nesting.ko" || exit 1
echo 0 >/proc/sys/kernel/panic_on_oops
check "the other" weft weave --optimized "$aspects/fault_witness.ko"
check "the one that calls" weft weave --optimized "$aspects/fault_deep.ko"
taskset -c 0 bash -c 'printf victim >/proc/self/task/$$/comm; echo 5 >/dev/nesting'
check "the task died" test $? -ge 128
dmesg >/tmp/dmesg
same "one oops" "$(grep -c 'Oops:' /tmp/dmesg)" 1
line=$(grep -n 'list_sort(NULL' "$WEFT_TOP/tests/vm/aspects/fault_deep.xml" | cut -d: -f1)
check "the log says first whose" \
	grep -q "fault_deep: its advice, at fault_deep.xml:$line, has called what faults" \
	<(grep -B 3 -m 1 'BUG: ' /tmp/dmesg)
check "the aspect is unwoven" await in_state fault_deep faulted
weft unweave fault_deep >/dev/null
check "it can be loaded anew" weft weave --optimized "$aspects/fault_deep.ko"
taskset -c 0 bash -c 'printf deep >/proc/self/task/$$/comm; echo 5 >/dev/nesting'
check "a task dies, deeper in the kernel" test $? -ge 128
dmesg | grep 'fault_deep: its advice' | tail -n 1 >/tmp/deep
line=$(grep -n 'snprintf(text' "$WEFT_TOP/tests/vm/aspects/fault_deep.xml" | cut -d: -f1)
check "the log has the aspect's line, from the last frame that is kept" \
	grep -q "deep.xml:$line, has called what faults now, from [^ ]* \[fault_deep\]" /tmp/deep
check "that one is unwoven, too" await in_state fault_deep faulted
before=$(figure fault_witness hits)
# Hits the witness on both CPUs. It may count more hits than the calls made here: timers that the
# killed process has left may still run on CPU 0 for a moment.
for cpu in 0 1; do taskset -c $cpu bash -c 'echo 200 >/dev/nesting'; done
check "the other counts on, on that CPU too" test $(($(figure fault_witness hits) - before)) -ge 400
same "and misses nothing" "$(figure fault_witness missed)" 0
check "doctor says so" grep -q 'fault_deep of fault_deep.xml' <(weft doctor)
check "unweave" weft unweave --all
finish
