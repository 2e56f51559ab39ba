#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# A fault in advice ends the advice at that hit. The case checks that the task that was hit goes on
# with its own registers and results, that another aspect at the same joinpoint loses no count, and
# that the faulting aspect runs no more advice, is unwoven, and reports where it faulted. Each kind
# of fault and each context is tested here, all combinations in faults_everywhere.sh. run-cases.sh
# checks that the kernel's log has no splat.
. "$(dirname "$0")/lib.sh"
load_weft
insmod "$O/vm/probed/probed.ko" || exit 1
traffic 20 >/dev/null # The first traffic switches jump labels of the kernel on, for good.
kernel-text /tmp/before >/dev/null
check "another aspect at the same joinpoint" weft weave --optimized "$aspects/fault_witness.ko"
# call CONTEXT: lets the module probed run the joinpoints once in that context, on CPU 0.
call() { taskset -c 0 bash -c "echo 1 $1 >/dev/probed"; }
call 0
each=$(figure fault_witness hits)

contexts=(task softirq interrupt NMI)
kinds=("" "a read of NULL" "a wild write" "a user pointer" "a division by zero" "BUG()" \
	"a call of NULL" "a non-canonical address" "in a function's function" \
	"with preemption off and DF set" "a call of what is no text" \
	"a memcpy() in the kernel" "a strlen() in the kernel" "WARN()" \
	"in a function that never returns")
pf="page fault (#PF)" gp="protection error (#GP)" ud="BUG() or invalid opcode (#UD)"
kind_of=("" "$pf" "$pf" "$pf" "division error (#DE)" "$ud" "$pf" "$gp" "$pf" "$pf" "$pf" \
	"$pf" "$pf" "WARN()" "$pf")
parameters=/sys/module/fault_any/parameters
# line_of KIND: prints the line of fault_any.xml where a fault of that kind happens.
xml=$WEFT_TOP/tests/vm/aspects/fault_any.xml
line_of() {
	local what="case $1: "
	[ "$1" != 8 ] || what='^      sink = '
	[ "$1" != 14 ] || what='never \*/'
	grep -n "$what" "$xml" | cut -d: -f1
}
faulted=0
# provoke KIND CONTEXT: makes the advice of fault_any fault so, and waits until it is unwoven.
provoke() {
	weft weave "$aspects/fault_any.ko" >/dev/null || return
	echo "$2" >$parameters/context
	echo "$1" >$parameters/kind
	call "$2" && await in_state fault_any faulted
}
# both KIND CONTEXT: provokes the fault and checks the report of it.
both() {
	local name="${kinds[$1]}, in ${contexts[$2]}"
	check "$name: the kernel lives, the aspect is unwoven" provoke $1 $2
	same "$name: it says what" "$(fault_of fault_any kind)" "${kind_of[$1]}"
	same "$name: and in which line" "$(fault_of fault_any line)" "$(line_of $1)"
	faulted=$((faulted + $(figure fault_any faults)))
	delays="${delays-} $(fault_of fault_any disabled_after_ns)"
	unweaves="${unweaves-} $(fault_of fault_any unwoven_after_ns)"
	check "$name: it goes" weft unweave fault_any
}
for kind in {1..12} 14; do both $kind 0; done
for context in 1 2 3; do both 1 $context; done
read -r calls wrong </dev/probed
same "no call was lost to the other aspect" \
	"$(figure fault_witness hits) hits, $(figure fault_witness missed) missed" \
	"$((calls / 24 * each)) hits, 0 missed"
same "what was hit had its results" $wrong 0
sorted() { printf '%s\n' "$@" | sort -n | tr '\n' ' '; }
echo "$faulted faults; ns from a fault until the aspect was disabled: $(sorted $delays)"
echo "ns until it was unwoven: $(sorted $unweaves)"

check "woven once more" provoke 1 0
same "the fault names the author's file" "$(fault_of fault_any file)" fault_any.xml
same "and line" "$(fault_of fault_any line)" "$(line_of 1)"
same "the joinpoint" "$(fault_of fault_any symbol)" in4_pton
same "the task" "$(fault_of fault_any comm)" bash
check "list shows the instruction" grep -q 'provoke+0x.*\[fault_any\]' <(weft list)
check "so does doctor" grep -q 'fault_any of fault_any.xml:.* faulted.*provoke+0x' \
	<(weft doctor)
check "and read, to who reads its records" grep -q 'faulted .*page fault' \
	<(weft read fault_any 2>&1)
weft unweave fault_any >/dev/null 2>&1
check "one more" provoke 14 0
check "a function that ends with a call is told by its own name" \
	grep -q '^    ends_with_a_call+0x' <(weft list)
check "unweave says so" test "$(weft unweave fault_any | grep -c 'had faulted')" = 1

# A fault must not change registers: the program traffic checks the data that it receives. The
# faults follow each other on both CPUs, and keep_faulted keeps the aspect woven.
echo Y >/sys/module/weft/parameters/keep_faulted
check "advice that faults at each hit" weft weave --optimized "$aspects/fault_traffic.ko"
end=$((SECONDS + 40))
while [ "$(figure fault_traffic faults)" -lt 10000 ] && [ $SECONDS -lt $end ]; do
	for cpu in 0 1; do
		taskset -c $cpu traffic 100 >/tmp/traffic$cpu 2>&1 || echo $cpu >/tmp/trouble &
	done
	wait
done
same "traffic over faults has no trouble" \
	"$(cat /tmp/trouble /tmp/traffic* 2>/dev/null | grep -v '^[0-9]')" ""
many=$(figure fault_traffic faults)
check "10,000 faults in a row ($many)" test "$many" -ge 10000
weft list --json >/tmp/list
both() { sed -n "s/.*\"aspect\":\"fault_traffic\".*\"$1\":\([0-9]*\).*/\1/p" /tmp/list; }
same "each hit was one" "$(both faults)" "$(both hits)"
check "the aspect goes" weft unweave --all
echo N >/sys/module/weft/parameters/keep_faulted

# Start and end blocks that fault while they hold RCU, page faults, preemption and interrupts:
# weft.ko must give all of these back.
block_line() { grep -n 'nowhere = 1' "$WEFT_TOP/tests/vm/aspects/$1.xml" | cut -d: -f1; }
said=$(weft weave "$aspects/fault_in_start.ko" 2>&1)
same "a fault in a start block: no weave" $? 10
same "it says where" "$(grep -o 'its <start> block faulted at .*' <<<"$said")" \
	"its <start> block faulted at fault_in_start.xml:$(block_line fault_in_start), \
so it was not woven: $pf"
check "the end block's aspect is woven" weft weave "$aspects/fault_in_end.ko"
said=$(weft unweave fault_in_end 2>&1)
same "it goes nevertheless" $? 0
same "and says where" "$(grep 'end block' <<<"$said")" \
	"fault_in_end: its end block faulted at fault_in_end.xml:$(block_line fault_in_end): $pf"
check "the log says so, too" grep -q "fault_in_end: .* in its end block, at fault_in_end.xml:" \
	<(dmesg)
check "text restored" restored
weft read >/dev/null
rmmod probed
check "weft.ko unloads" rmmod weft
finish
