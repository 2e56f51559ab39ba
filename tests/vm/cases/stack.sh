#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Tests advice where little of the stack is left, in tasks, softirqs and interrupts. A hit of advice
# that may use much stack must be counted as missed, with the reason; advice that needs little must
# run there. The case fails if anything on the stack is overwritten.
. "$(dirname "$0")/lib.sh"
load_weft
insmod "$O/vm/nesting/deep.ko" || exit 1
check "advice that needs little" weft weave --optimized "$aspects/fault_witness.ko"
check "advice that may use 4096 bytes" weft weave --optimized "$aspects/stack_deep.ko"

# How much stack is left varies: at each system call the kernel moves its stack down by a random
# number of bytes, up to 1 KB.
contexts=(task softirq interrupt)
figures() {
	echo "$(figure stack_deep hits) $(figure stack_deep missed)" \
		"$(figure stack_deep no_stack)"
}
hits=0 missed=0
for context in 0 1 2; do
	name=${contexts[context]}
	taskset -c 0 bash -c "echo 0 $context 50 >/dev/deep"
	hits=$((hits + 50))
	same "$name, much left" "$(figures)" "$hits $missed $missed"
	taskset -c 0 bash -c "echo 6000 $context 50 >/dev/deep"
	hits=$((hits + 50))
	same "$name, enough left" "$(figures)" "$hits $missed $missed"
	taskset -c 0 bash -c "echo 12000 $context 50 >/dev/deep"
	missed=$((missed + 50))
	same "$name, little left" "$(figures)" "$hits $missed $missed"
	same "$name: advice that needs little runs" \
		"$(figure fault_witness hits) $(figure fault_witness missed)" "$((hits + missed)) 0"
done
check "list says why" grep -q "NO STACK: $missed hits of those missed found too little" <(weft list)
check "unweave" weft unweave --all
rmmod deep
check "weft.ko unloads" rmmod weft
finish
