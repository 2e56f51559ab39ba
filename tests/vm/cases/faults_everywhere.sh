#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Advice faults many times, in each kind and each context, on both CPUs, at random instructions of
# functions that only the module tests/vm/probed calls. The module compares the functions' results
# with those from before anything was woven, and another aspect at the same joinpoints must lose no
# count. $WEFT_FAULTS is the number of faults of each kind in each context; make bench-faults sets
# it to 10,000.
. "$(dirname "$0")/lib.sh"
load_weft keep_faulted=Y
kernel-text /tmp/before >/dev/null
insmod "$O/vm/probed/probed.ko" || exit 1

contexts=(task softirq interrupt NMI)
kinds=("" "a read of NULL" "a wild write" "a read of a user pointer" "a division by zero" "BUG()" \
	"a call of NULL" "a non-canonical address" "in a function's function" \
	"with preemption off and DF set" "a call of what is no text" \
	"a memcpy() in the kernel" "a strlen() in the kernel")
parameters=/sys/module/fault_places/parameters

# call CPU "TIMES CONTEXT": lets the module probed run the functions so often, on that CPU.
call() { taskset -c "$1" bash -c "echo $2 >/dev/probed"; }
check "another aspect at each instruction" weft weave --optimized "$aspects/fault_beside.ko"
call 0 "1 0"
each=$(figure fault_beside hits)
check "its joinpoints are hit ($each)" test "$each" -ge 1000
check "the one that faults" weft weave --optimized "$aspects/fault_places.ko"
# Lets one hit in so many fault that a single call makes about $WEFT_FAULTS faults.
echo $((each / WEFT_FAULTS + 1)) >$parameters/one_in

# provoke KIND CONTEXT: calls until there were $WEFT_FAULTS more faults of that kind.
provoke() {
	local end=$((SECONDS + 300)) until=$(($(figure fault_places faults) + WEFT_FAULTS)) cpu=0
	echo "$2" >$parameters/context
	echo "$1" >$parameters/kind
	until [ "$(figure fault_places faults)" -ge $until ]; do
		call $cpu "1 $2" || return
		cpu=$((1 - cpu))
		[ $SECONDS -lt $end ] || { echo "only $(figure fault_places faults)"; return 1; }
	done
	echo 0 >$parameters/kind
}
for kind in ${!kinds[*]}; do
	[ "$kind" != 0 ] || continue
	for context in ${!contexts[*]}; do
		check "${kinds[kind]}, in ${contexts[context]}" provoke $kind $context
	done
done
read -r calls wrong </dev/probed
same "the results are right" $wrong 0
echo "$(figure fault_places faults) faults in $calls calls"
rounds=$((calls / 24))
same "the other aspect counted each hit" \
	"$(figure fault_beside hits) hits, $(figure fault_beside missed) missed" \
	"$((rounds * each)) hits, 0 missed"
same "and so did the one that faults" \
	"$(figure fault_places hits) hits, $(figure fault_places missed) missed" \
	"$(((rounds - 1) * each)) hits, 0 missed"
check "the aspects go" weft unweave --all
check "text restored" restored
finish
