#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# A fault in around-advice ends the advice at that hit. If the advice had not called the function
# yet, the function runs as if nothing were woven. If it had, its caller gets what the function
# returned. The case checks the code that was hit: it goes on with its own registers and results,
# with interrupts and the preemption count as before (probed.c), and the function has run once.
# Another aspect must lose no count. The faulting aspect must run no more, be unwoven, and report
# where it faulted. run-cases.sh checks that the kernel's log has no splat.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/../provoke-around.sh"
load_weft
insmod "$O/vm/probed/probed.ko" || exit 1
traffic 20 >/dev/null # The first traffic switches jump labels of the kernel on, for good.
kernel-text /tmp/before >/dev/null
check "another aspect in the same function" weft weave --optimized "$aspects/fault_witness.ko"
check "another one at its end" weft weave --optimized "$aspects/fault_runs.ko"
# call CONTEXT: lets the module probed run the joinpoints once in that context, on CPU 0.
call() { taskset -c 0 bash -c "echo 1 $1 >/dev/probed"; }
call 0
each=$(figure fault_witness hits)
runs=$(figure fault_runs hits)

contexts=(task softirq interrupt NMI)
times=("before the call" "after it" "after the second" "instead of it")
kinds=("" "a read of NULL" "a wild write" "a user pointer" "a division by zero" "BUG()" \
	"a call of NULL" "a non-canonical address" "in a function's function" \
	"with preemption off and DF set" "a call of what is no text" \
	"a memcpy() in the kernel" "a strlen() in the kernel" "with interrupts off")
pf="page fault (#PF)" gp="protection error (#GP)" ud="BUG() or invalid opcode (#UD)"
kind_of=("" "$pf" "$pf" "$pf" "division error (#DE)" "$ud" "$pf" "$gp" "$pf" "$pf" "$pf" \
	"$pf" "$pf" "$pf")
xml=$WEFT_TOP/tests/vm/aspects/fault_around.xml
# line_of KIND: prints the line of fault_around.xml where a fault of that kind happens.
line_of() {
	local what="case $1: "
	[ "$1" != 8 ] || what='^      sink = '
	grep -n "$what" "$xml" | cut -d: -f1
}
# number of executions of the function that were the second one of the same call, made by
# weft_proceed()
extra=0
both() {
	local name="${kinds[$1]}, in ${contexts[$2]}, ${times[$3]}"
	check "$name: the kernel lives, the aspect is unwoven" provoke_around $1 $2 $3
	same "$name: it says what" "$(fault_of fault_around kind)" "${kind_of[$1]}"
	same "$name: and in which line" "$(fault_of fault_around line)" "$(line_of $1)"
	delays="${delays-} $(fault_of fault_around disabled_after_ns)"
	check "$name: it was disabled before it was unwoven" \
		test "$(fault_of fault_around disabled_after_ns)" -lt \
		"$(fault_of fault_around unwoven_after_ns)"
	same "$name: nobody is inside" "$(figure fault_around inside)" 0
	check "$name: it goes" weft unweave fault_around
}

for kind in {1..13}; do both $kind 0 0; both $kind 0 1; done
for context in 1 2 3; do both 1 $context 0; both 1 $context 1; done
both 1 0 3
read -r calls wrong </dev/probed
same "the function ran once for each call" \
	"$(figure fault_witness hits) hits, $(figure fault_witness missed) missed" \
	"$((calls / 24 * each)) hits, 0 missed"
same "once to its end" "$(figure fault_runs hits)" "$((calls / 24 * runs))"
same "what was hit had its results" $wrong 0
echo "ns from a fault until the aspect was disabled:" \
	"$(printf '%s\n' $delays | sort -n | tr '\n' ' ')"

check "a fault after the function has run twice" provoke_around 1 0 2
read -r calls wrong </dev/probed
same "has the second result" $wrong 0
same "the fault names the joinpoint" "$(fault_of fault_around symbol)" in4_pton
same "and the task" "$(fault_of fault_around comm)" bash
check "list shows the instruction" grep -q 'provoke+0x.*\[fault_around\]' <(weft list)
check "so does doctor" grep -q 'fault_around of fault_around.xml:.* faulted.*provoke+0x' \
	<(weft doctor)
check "and read, to who reads its records" grep -q 'faulted .*page fault' \
	<(weft read fault_around 2>&1)
weft unweave fault_around >/dev/null 2>&1

# ---- advice that never ends ----------------------------------------------------------------------

# While the function runs, its time does not count for the advice around it. So the other aspect,
# whose budget is one millisecond, must not be ended by the time of the advice that never ends,
# whose budget is five.
check "other around-advice of the function" weft weave --optimized "$aspects/arounds_outer.ko"
kind_of[14]="longer than its budget" kinds[14]="an endless loop"
for time in 0 1; do both 14 0 $time; both 14 1 $time; done
read -r calls wrong </dev/probed
same "what was hit had its results" $wrong 0
same "the other is not blamed" "$(figure arounds_outer faults) $(state arounds_outer)" "0 woven"
check "all goes" weft unweave --all
check "text restored" restored
finish
