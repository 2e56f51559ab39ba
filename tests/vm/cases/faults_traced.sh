#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Two tracers are on page_fault_oops(), and both run on top of a fault in advice. ftrace allows only
# a few nested calls of a tracer, so weft.ko is not notified of the fault. The kernel then reports
# an oops, and has to go on.
#
# vm.sh: --allow-splat
. "$(dirname "$0")/lib.sh"
load_weft
parameters=/sys/module/fault_odd/parameters
check "weave" weft weave --optimized "$aspects/fault_odd.ko"
mkdir $tracing/instances/second
for tracer in $tracing $tracing/instances/second; do
	printf '%s\n' vfs_read page_fault_oops stack_trace_save >$tracer/set_ftrace_filter
	echo 1 >$tracer/options/func_stack_trace
	echo function >$tracer/current_tracer
done
echo 'p:weft_test/saved stack_trace_save' >$tracing/kprobe_events
echo 1 >$tracing/events/weft_test/enable
echo 6 >$parameters/where
cat /proc/uptime
check "the kernel lives, the aspect is unwoven" await in_state fault_odd faulted
check "the log has an oops" bash -c 'dmesg | grep -q "Oops: "'
echo 0 >$tracing/events/weft_test/enable
echo >$tracing/kprobe_events
for tracer in $tracing $tracing/instances/second; do
	echo nop >$tracer/current_tracer
	echo 0 >$tracer/options/func_stack_trace
	echo >$tracer/set_ftrace_filter
done
rmdir $tracing/instances/second
check "it goes" weft unweave --all
finish
