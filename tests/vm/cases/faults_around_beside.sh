#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Around-advice that faults at every second hit, of functions that are in use, in every context and
# inside of another aspect's, while everything else happens to them: the aspects are woven and
# unwoven, kprobes and kretprobes come and go at the functions, so do the tracers of ftrace and a
# live patch, a CPU goes offline and online, tasks fork and end. What was hit must have its results.
. "$(dirname "$0")/lib.sh"
seconds=${WEFT_STRESS_SECONDS:-20}
load_weft
insmod "$O/vm/probed/probed.ko" || exit 1
traffic 20 >/dev/null # The first traffic switches jump labels of the kernel on, for good.
kernel-text /tmp/before >/dev/null
echo Y >/sys/module/weft/parameters/keep_faulted

# keep_on COMMAND...: repeats COMMAND until /tmp/enough exists, whatever it says.
keep_on() { until [ -e /tmp/enough ]; do "$@"; done >/dev/null 2>&1; }
probe_some() {
	local at
	for at in "p:weft_test/a in4_pton" "r:weft_test/b in4_pton" "r:weft_test/c vfs_read" \
		"p:weft_test/d in4_pton+0x$((RANDOM % 8 + 5))" "r:weft_test/e kernel_clone"; do
		echo "$at" >>$tracing/kprobe_events
	done
	echo 1 >$tracing/events/weft_test/enable
	sleep 0.6 # The kernel optimises kprobes after a while.
	echo 0 >$tracing/events/weft_test/enable
	echo >$tracing/kprobe_events
}
trace_some() {
	for tracer in function function_graph nop; do
		echo $tracer >$tracing/current_tracer
		sleep 0.2
	done
}
# The live patch puts a function that returns 0 in the place of in4_pton(), so nobody may compare
# what that returns meanwhile: the lock keeps call_some() out.
patch_some() {
	exec 9>/tmp/patching
	flock 9
	insmod "$O/vm/nesting/replaced.ko"
	sleep 0.3
	echo 0 >/sys/kernel/livepatch/replaced/enabled
	await rmmod replaced
	exec 9>&-
}
# The kernel warns if a live patch looks at a task's stack while the task is in a function with a
# kretprobe, so these two take turns.
probe_and_patch() {
	probe_some
	patch_some
}
hotplug_some() {
	echo 0 >/sys/devices/system/cpu/cpu1/online
	sleep 0.2
	echo 1 >/sys/devices/system/cpu/cpu1/online
	sleep 0.5
}
call_some() {
	for context in 0 1 2 3; do
		flock /tmp/patching taskset -c 0 bash -c "echo 2 $context >/dev/probed"
	done
}
fork_some() {
	perl -e 'for (1 .. 5) { if (!fork) { select undef, undef, undef, 0.01; exit 7 } }
		while (wait > 0) { exit 1 if $? != 7 << 8 }
		exit(getppid != $ARGV[0])' $BASHPID || echo "a child ended otherwise" >>/tmp/trouble
	[ "$(wc -l </proc/filesystems)" = "$filesystems" ] || echo "lost lines" >>/tmp/trouble
}
filesystems=$(wc -l </proc/filesystems)

echo 'in4_pton vfs_read kernel_clone show_map' >$tracing/set_ftrace_filter
traffic 100000000 2000 >/tmp/traffic 2>>/tmp/trouble &
traffic=$!
jobs=()
for work in probe_and_patch trace_some hotplug_some call_some fork_some; do
	keep_on $work &
	jobs+=($!)
done
# note WEFT'S-STATUS FILE: adds what weft has said to what went wrong. Not if a task was inside for
# long (10), nor if a kprobe or ftrace was just writing where the aspect's splices are.
note() {
	case $1 in 0 | 10) return ;; esac
	grep -qE 'text changed while weaving|are not the original ones|resource busy' "$2" ||
		cat "$2" >>/tmp/trouble
}
faults=0
until [ -e /tmp/enough ]; do
	weft weave --optimized "$aspects/arounds_outer.ko" >/tmp/outer 2>&1
	note $? /tmp/outer
	weft weave --optimized "$aspects/fault_arounds.ko" >/tmp/inner 2>&1
	note $? /tmp/inner
	sleep 1.$((RANDOM % 3))
	n=$(figure fault_arounds faults)
	faults=$((faults + ${n:-0}))
	weft unweave --all >/tmp/unwoven 2>&1
	note $? /tmp/unwoven
	retired fault_arounds
	[ $SECONDS -lt "$seconds" ] || touch /tmp/enough
done
wait "${jobs[@]}"
check "traffic goes on" kill $traffic
at_least "there were many faults" "$faults" 100
echo "$faults faults"
read -r calls wrong </dev/probed
at_least "and many calls" "$calls" 100
same "all of which had their results" "$wrong" 0
same "nothing went wrong meanwhile" "$(sort /tmp/trouble 2>/dev/null | uniq -c)" ""
echo 1 >/sys/devices/system/cpu/cpu1/online 2>/dev/null
echo nop >$tracing/current_tracer
echo >$tracing/set_ftrace_filter
weft unweave --all >/dev/null 2>&1
check "text restored" restored
await retired fault_arounds
same "nobody is left inside" "$(state fault_arounds)" none
finish
