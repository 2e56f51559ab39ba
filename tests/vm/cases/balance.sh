#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Tests `weft weave --check`. Advice that does not give back what it takes (a lock, preemption and
# so on) must be named in the report, in every context, and weft.ko must give back what was taken:
# the task goes on, and the kernel's log has no splat. Advice that gives everything back must not be
# reported, and its hits must be exact. Faults in advice are handled as they are without --check.
. "$(dirname "$0")/lib.sh"
load_weft
insmod "$O/vm/nesting/nesting.ko" || exit 1
traffic 20 >/dev/null # The first traffic switches jump labels of the kernel on, for good.

contexts=(task softirq interrupt NMI)
# fault ASPECT KEY: prints the value of KEY in the fault of ASPECT, from the `weft list --json` that
# the last provoke() has saved.
fault() {
	sed -n "s/.*\"aspect\":\"$1\".*\"fault\":{//p" /tmp/faults |
		sed -n "s/.*\"$2\":\(\"[^\"]*\"\|[^\",}]*\).*/\1/p" | tr -d '"'
}
figures() { awk '{ n += $2 + $3 + $4 + $5 } END { print n }' /dev/nesting; }
parameters=/sys/module/unbalanced/parameters
# provoke ASPECT KIND CONTEXT: weaves ASPECT with --check and makes its advice misbehave in the way
# with the number KIND, in the context with the number CONTEXT. Hits it until `weft list` shows a
# fault, at most for a minute: a timer of the module nesting may be late on a slow machine.
provoke() {
	local end=$((SECONDS + 60))
	weft weave --check "$aspects/$1.ko" >/dev/null || return
	echo "$3" >/sys/module/$1/parameters/context
	echo "$2" >/sys/module/$1/parameters/kind
	until [ "$(figure $1 faults)" -gt 0 ]; do
		taskset -c 0 bash -c 'echo 200 >/dev/nesting' || return
		[ $SECONDS -lt $end ] || { echo "it did not come"; return 1; }
	done
	await in_state $1 faulted && weft list --json >/tmp/faults
}

# ---- advice that gives everything back is not reported ----

check "balanced: woven" weft weave --check --optimized "$aspects/unbalanced.ko"
before=$(figures)
for cpu in 0 1; do taskset -c $cpu bash -c 'echo 500 >/dev/nesting'; done
same "balanced: nothing is told" "$(state unbalanced), $(figure unbalanced faults) faults" \
	"woven, 0 faults"
same "balanced: hits are exact" \
	"$(figure unbalanced hits) hits, $(figure unbalanced missed) missed" \
	"$(($(figures) - before)) hits, 0 missed"
check "balanced: unwoven" weft unweave unbalanced

# ---- advice that does not give one thing back is reported ----

locks=preemption
[ ! -e /proc/lockdep ] || locks=locks
# wanted KIND CONTEXTS WORDS: checks that unbalanced advice of the number KIND is reported as WORDS
# in each of CONTEXTS, which are numbers of the array above.
wanted() {
	local context name
	for context in $2; do
		name="$3, in ${contexts[context]}"
		check "$name: the kernel lives, the aspect is unwoven" \
			provoke unbalanced $1 $context
		same "$name: told" "$(fault unbalanced kind)" "unbalanced: $3"
		check "$name: it goes" weft unweave unbalanced
	done
}
wanted 1 "0 1 2 3" preemption
wanted 2 0 preemption
wanted 3 0 softirqs
wanted 4 "0 2" interrupts
wanted 5 "0 3" RCU
wanted 6 "0 2" $locks
wanted 7 0 "page faults"
wanted 8 1 migration
wanted 9 "0 2" "the FPU"
if grep -qw smap /proc/cpuinfo; then wanted 10 0 "user access"; fi
wanted 11 "0 3" "the direction flag"
wanted 12 0 "an allocation scope"
wanted 13 0 "the task's state"
wanted 14 "0 2" "a return address"

# Pointers to a module's data and to a function are no return addresses: advice, or another CPU, may
# change them.
check "pointers on the stack: woven" weft weave --check --optimized "$aspects/unbalanced.ko"
echo 15 >$parameters/kind
taskset -c 0 bash -c 'echo 20 >/dev/nesting'
at_least "they are overwritten" "$(cat $parameters/cleared)" 20
same "and not put back" "$(state unbalanced), $(figure unbalanced faults) faults" \
	"woven, 0 faults"
check "it goes" weft unweave unbalanced

check "woven once more" provoke unbalanced 1 0
same "it names the author's file" "$(fault unbalanced file)" unbalanced.xml
same "and line" "$(fault unbalanced line)" \
	"$(grep -n 'stack = (unsigned' "$WEFT_TOP/tests/vm/aspects/unbalanced.xml" | cut -d: -f1)"
same "the joinpoint" "$(fault unbalanced symbol)" in4_pton
same "by how much" "$(fault unbalanced preempts)" 1
same "once" "$(figure unbalanced faults)" 1
check "list says so" grep -q 'faulted 1 time: unbalanced: preemption$' <(weft list)
check "so does doctor" grep -q 'unbalanced of unbalanced.xml:.*unbalanced: preemption' \
	<(weft doctor)
check "and the kernel's log" \
	grep -q 'unbalanced: unbalanced: preemption in its advice, at unbalanced.xml:' <(dmesg)
check "it goes" weft unweave unbalanced

# Without --check, unbalanced advice is not noticed.
check "not watched: woven" weft weave --optimized "$aspects/unbalanced.ko"
echo 12 >$parameters/kind
echo 5 >/dev/nesting
same "not watched: nothing is told" "$(state unbalanced), $(figure unbalanced faults) faults" \
	"woven, 0 faults"
check "not watched: unwoven" weft unweave unbalanced

# ---- faults in advice that was woven with --check ----

for context in 0 3; do
	check "a fault, in ${contexts[context]}" provoke fault_any 1 $context
	same "a fault, in ${contexts[context]}: told" "$(fault fault_any kind)" "page fault (#PF)"
	check "a fault, in ${contexts[context]}: it goes" weft unweave fault_any
done
echo Y >/sys/module/weft/parameters/keep_faulted
check "advice that faults at each hit" weft weave --check --optimized "$aspects/fault_traffic.ko"
for cpu in 0 1; do
	taskset -c $cpu traffic 200 >/tmp/traffic$cpu 2>&1 || echo $cpu >/tmp/trouble &
done
wait
same "traffic over faults has no trouble" \
	"$(cat /tmp/trouble /tmp/traffic* 2>/dev/null | grep -v '^[0-9]')" ""
weft list --json >/tmp/list
both() { sed -n "s/.*\"aspect\":\"fault_traffic\".*\"$1\":\([0-9]*\).*/\1/p" /tmp/list; }
check "1,000 faults in a row ($(both faults))" test "$(both faults)" -ge 1000
same "each hit was one" "$(both faults)" "$(both hits)"
check "it goes" weft unweave --all
rmmod nesting
check "weft.ko unloads" rmmod weft
finish
