#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Aspects are woven and unwoven under traffic while the kernel itself rewrites its text: the
# preemption mode changes, the function tracer comes and goes, CPUs go offline and online. The case
# fails if a weave fails, if the traffic reports an error, or if the text at the end is not what it
# was.
. "$(dirname "$0")/lib.sh"
load_weft
preempt=/sys/kernel/debug/sched/preempt
traffic 20 >/dev/null
kernel-text /tmp/before >/dev/null
mode=$(sed 's/.*(\(.*\)).*/\1/' $preempt)
for aspect in log_skb_destructor sock_state entry_sock_wfree entry_udp_sendmsg; do
	weft weave "$aspects/$aspect.ko" >/dev/null
done
traffic 100000000 2000 >/tmp/traffic 2>/tmp/trouble &
for other in full none voluntary; do
	echo $other >$preempt
	sleep 0.3
done
for round in 1 2; do
	echo 0 >/sys/devices/system/cpu/cpu1/online
	sleep 0.2
	echo 1 >/sys/devices/system/cpu/cpu1/online
	sleep 0.2
done
echo 'vfs_* sock_wfree udp_sendmsg' >$tracing/set_ftrace_filter
for tracer in function function_graph nop; do
	echo $tracer >$tracing/current_tracer
	sleep 0.3
done
echo >$tracing/set_ftrace_filter
echo full >$preempt
for round in 1 2 3; do
	weft unweave log_skb_destructor >/dev/null
	weft weave "$aspects/log_skb_destructor.ko" >/dev/null ||
		echo "cannot weave again" >>/tmp/trouble
done
echo "$mode" >$preempt
kill %1
wait %1 || echo "traffic failed" >>/tmp/trouble
same "traffic goes on while the kernel changes itself" "$(cat /tmp/trouble)" ""
same "all CPUs are back" "$(nproc)" $cpus
at_least "and hits were made" "$(figure entry_udp_sendmsg hits)" 200 "$(weft list)"
check "unweave" weft unweave --all
check "text restored" restored
weft read >/dev/null
check "weft.ko unloads" rmmod weft
finish
