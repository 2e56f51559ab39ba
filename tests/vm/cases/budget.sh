#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Tests the budget and the share. Advice that runs for longer than its budget must be left, in
# tasks, softirqs and interrupts, with interrupts on and off; then the code that was hit goes on,
# another aspect at the same joinpoint loses no count, the aspect is unwoven, and the reason is
# reported. Advice that ends within its budget must not be left. An aspect that takes more than its
# share of a CPU must be unwoven.
. "$(dirname "$0")/lib.sh"
load_weft budget_us=1000
insmod "$O/vm/nesting/nesting.ko" || exit 1
traffic 20 >/dev/null # The first traffic switches jump labels of the kernel on, for good.
kernel-text /tmp/before >/dev/null
check "another aspect at the same joinpoint" weft weave --optimized "$aspects/fault_witness.ko"

contexts=(task softirq interrupt)
kinds=("" "an endless loop" "one in a function's function" "one that logs" \
	"one that calls the kernel" "one with preemption off and DF set" \
	"one with interrupts switched off" "what ends by itself")
parameters=/sys/module/budget_loop/parameters
budget_ms=10
fault() { fault_of budget_loop "$1"; }
figures() { awk '{ n += $2 + $3 + $4 + $5 } END { print n }' /dev/nesting; }
task_calls() { awk '{ n += $2 } END { print n }' /dev/nesting; }
# set_up KIND CONTEXT OPTION...: weaves budget_loop with the given options and lets its advice do,
# in CONTEXT, what KIND of the array above says.
set_up() {
	local kind=$1 context=$2
	shift 2
	weft weave "$@" "$aspects/budget_loop.ko" >/dev/null || return
	echo $context >$parameters/context
	echo 0 >$parameters/began
	echo 0 >$parameters/rounds
	echo $kind >$parameters/kind
}
call() { taskset -c 0 bash -c "echo $1 >/dev/nesting"; }
# provoke KIND CONTEXT OPTION...: calls set_up() and then hits the advice until weft.ko has left it,
# at most for a minute: a timer of the module nesting may be late on a slow machine.
provoke() {
	local end=$((SECONDS + 60))
	set_up "$@" || return
	until [ "$(figure budget_loop faults)" -gt 0 ]; do
		call 200 || return
		[ $SECONDS -lt $end ] || { echo "it was not left"; return 1; }
	done
	await in_state budget_loop faulted
}
# Prints how many microseconds of the guest's clock the advice had run when it was left.
lasted() {
	echo $((($(fault time_ns) + $(fault left_after_ns) - $(cat $parameters/began)) / 1000))
}

contexts_of=("" "0 1 2" 2 "0 1" 0 1 "0 1")
for kind in 1 2 3 4 5 6; do
	for context in ${contexts_of[kind]}; do
		name="${kinds[kind]}, in ${contexts[context]}"
		check "$name: it is left, and the aspect is unwoven" \
			provoke $kind $context --budget=${budget_ms}ms
		same "$name: it says why" "$(fault kind) $(fault limit_ns) $(fault oops)" \
			"longer than its budget ${budget_ms}000000 false"
		took="${took-} $(lasted)"
		check "$name: not before its budget is over" \
			test "$(fault taken_ns)" -ge ${budget_ms}000000 -a \
			"$(lasted)" -ge ${budget_ms}000
		check "$name: it goes" weft unweave budget_loop
	done
	echo "us on the guest's clock until ${kinds[kind]} was left:$took"
	took=
done
same "interrupts are as they were" "$(dmesg | grep -c 'with interrupts otherwise')" 0
same "no call was lost to the other aspect" \
	"$(figure fault_witness hits) hits, $(figure fault_witness missed) missed" \
	"$(figures) hits, 0 missed"

# How long advice ran is counted in rounds of its loop, because the guest's clock goes on while the
# host runs something else. `most` is the highest number of rounds that was seen in a millisecond:
# the pace of the undisturbed processor. Host and emulator also delay timer interrupts, so only the
# best of several runs shows how late weft.ko is.
set_up 7 0 --budget=0
echo 1000 >$parameters/us
call 300
most=$(cat $parameters/most)
check "the rounds of a millisecond: $most" weft unweave budget_loop
# in_time KIND CONTEXT: provokes the advice up to 12 times with a budget of 1 ms, until one run was
# left after at most twice `most` rounds. /tmp/percent gets the rounds of each run, in percent of
# `most`.
in_time() {
	local i rounds
	: >/tmp/percent
	for i in {1..12}; do
		provoke $1 $2 --budget=1ms || return
		rounds=$(cat $parameters/rounds)
		echo "after $((100 * rounds / most)) % of it" >>/tmp/percent
		weft unweave budget_loop >/dev/null
		[ $rounds -eq 0 ] || [ $rounds -gt $((2 * most)) ] || return 0
	done
	return 1
}
for context in 0 1 2; do
	check "within twice its budget, in ${contexts[context]}" in_time 1 $context
	cat /tmp/percent
done
check "within twice its budget, with interrupts switched off" in_time 6 0
cat /tmp/percent

check "woven once more" provoke 1 0
same "without an option, weft.ko's budget counts" "$(fault limit_ns)" 1000000
same "it names the author's file" "$(fault file)" budget_loop.xml
loop=$(grep -n 'while (rdtsc' "$WEFT_TOP/tests/vm/aspects/budget_loop.xml" | cut -d: -f1)
check "and a line of the loop" grep -qx "$loop\|$((loop + 1))" <(fault line)
check "list says it in words" \
	grep -q 'longer than its budget, 1.* ms instead of 1 ms' <(weft list)
check "so does doctor" grep -q 'budget_loop of budget_loop.xml:.*longer than its budget' \
	<(weft doctor)
check "and the log" grep -q 'budget_loop: longer than its budget (1[0-9]* us instead of 1000 us)' \
	<(dmesg)
check "unweave says so" test "$(weft unweave budget_loop | grep -c 'had faulted')" = 1

# ---- advice that ends within its budget is not left ----
# stays US CALLS OPTION...: advice runs US microseconds at each of CALLS calls; checks that it
# counted all of them and was not left.
stays() {
	local us=$1 calls=$2 before
	shift 2
	set_up 7 0 "$@" || return
	echo $us >$parameters/us
	before=$(task_calls)
	call $calls
	[ $(($(task_calls) - before)) = $calls ] &&
		[ "$(figure budget_loop faults) $(state budget_loop)" = "0 woven" ] &&
		weft unweave budget_loop
}
check "advice that takes two thirds of its budget stays" \
	stays $((budget_ms * 667)) 60 --budget=${budget_ms}ms
check "without a budget, three of them do no harm" stays $((budget_ms * 3000)) 10 --budget=0

# ---- advice on a CPU that is the only one online ----
cpu1=/sys/devices/system/cpu/cpu1/online
check "CPU 1 goes" eval "echo 0 >$cpu1"
check "a CPU alone leaves advice" provoke 1 0
weft unweave budget_loop >/dev/null
set_up 1 0
check "CPU 1 comes" eval "echo 1 >$cpu1"
# Hits the advice on CPU 1 until the aspect has faulted there.
on_cpu1() {
	taskset -c 1 bash -c 'echo 20 >/dev/nesting'
	await in_state budget_loop faulted
}
check "and leaves advice, too" on_cpu1
same "which ran there" "$(fault cpu)" 1
weft unweave budget_loop >/dev/null
check "with interrupts off again" provoke 6 0
weft unweave budget_loop >/dev/null

# ---- an aspect that takes more than its share is unwoven ----
set_up 7 0 --share=10% --budget=0
echo 300 >$parameters/us
hog() {
	local end=$((SECONDS + 60))
	until [ "$(figure budget_loop faults)" -gt 0 ]; do
		call 500
		[ $SECONDS -lt $end ] || return
	done
	await in_state budget_loop faulted
}
check "advice that takes nearly all of a CPU is unwoven" hog
same "it says why" "$(fault kind) $(fault limit_ns) $(fault oops)" \
	"more than its share of a CPU 100000000 false"
between "and what it took" "$(fault taken_ns)" 100000000 110000000
check "list says it in words" \
	grep -q 'more than its share of a CPU, 10. ms of a second instead of 100 ms' <(weft list)
check "it goes" weft unweave budget_loop
set_up 7 0 --share=50% --budget=0
echo 1000 >$parameters/us
# One process makes all the hits and waits by a builtin of bash, because the emulator takes longer
# to start another process than to run the advice.
taskset -c 0 bash -c 'for ((i = 0; i < 100; i++)); do
	echo 1 >/dev/nesting
	read -t 0.02 <> <(:)
done'
same "advice that takes less of it stays" \
	"$(figure budget_loop faults) $(state budget_loop)" "0 woven"
check "it goes" weft unweave budget_loop

# ---- traffic over advice that never ends gets right results ----
check "advice that never ends" weft weave --optimized "$aspects/budget_traffic.ko"
same "its limits are those of its XML" \
	"$(figure budget_traffic budget_ns) $(figure budget_traffic share_percent)" "100000 0"
weft unweave budget_traffic >/dev/null
echo Y >/sys/module/weft/parameters/keep_faulted
check "woven with others" weft weave --optimized --budget=200us --share=20 \
	"$aspects/budget_traffic.ko"
same "the options come first" \
	"$(figure budget_traffic budget_ns) $(figure budget_traffic share_percent)" "200000 20"
end=$((SECONDS + 120)) # Two minutes are enough on slow machines.
while [ "$(figure budget_traffic faults)" -lt 300 ] && [ $SECONDS -lt $end ]; do
	for cpu in 0 1; do
		taskset -c $cpu traffic 20 >/tmp/traffic$cpu 2>&1 || echo $cpu >/tmp/trouble &
	done
	wait
done
same "traffic has no trouble" "$(cat /tmp/trouble /tmp/traffic* 2>/dev/null | grep -v '^[0-9]')" ""
check "many were left ($(figure budget_traffic faults))" \
	test "$(figure budget_traffic faults)" -ge 300
check "the aspects go" weft unweave --all
refuses "a budget that is too small" 2 "not a budget: write a time from 100us" \
	weft weave --budget=99us "$aspects/budget_loop.ko"
refuses "a share that is too large" 2 "not a share: write a percentage" \
	weft weave --share=101% "$aspects/budget_loop.ko"
check "text restored" restored
weft read >/dev/null
rmmod nesting
check "weft.ko unloads" rmmod weft
finish
