#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Tests around-advice while ftrace's function tracer traces all functions. The tracer and
# around-advice keep bits in the same word of the task (runtime/execution.h), and neither may lose
# the other's bits. If the bits of around-advice were lost, advice that calls traced functions and
# then faults would not be ended, and a call by advice of its own function would be a hit instead of
# a miss.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/../provoke-around.sh"
load_weft
insmod "$O/vm/probed/probed.ko" || exit 1
calls_traced=16 # the kind of fault whose advice calls a traced function before it faults
echo >$tracing/set_ftrace_filter
echo function >$tracing/current_tracer
same "all functions are traced" \
	"$(cat $tracing/current_tracer) $(grep -c 'all functions' $tracing/set_ftrace_filter)" \
	"function 1"
for context in 0 1 2 3; do
	for when in 0 1; do
		name="in context $context, when $when"
		check "$name: the kernel lives, the aspect is unwoven" \
			provoke_around $calls_traced $context $when
		same "$name: nobody is inside" "$(figure fault_around inside)" 0
		check "$name: it goes" weft unweave fault_around
	done
done
read -r calls wrong </dev/probed
same "what was hit had its results" $wrong 0

# Advice calls the function that it is around.
check "advice that calls its function" weft weave --optimized "$aspects/around.ko"
before=$(figure around missed)
perl -e '$0 = "maker"; open F, "<", "/proc/self/maps"; 1 while <F>'
at_least "its own calls are missed" $(($(figure around missed) - before)) 1
check "it goes" weft unweave around
echo nop >$tracing/current_tracer
echo >$tracing/trace
check "all goes" weft unweave --all
finish
