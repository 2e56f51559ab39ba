#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Tests around-advice that faults at every second hit: of functions that are called all the time, in
# every context, and inside another aspect's around-advice. Meanwhile the aspects are woven and
# unwoven; kprobes, kretprobes, ftrace's tracers and a live patch come and go at the functions; a
# CPU goes offline and online; tasks fork and end. The callers must get the functions' own results.
. "$(dirname "$0")/lib.sh"
seconds=${WEFT_STRESS_SECONDS:-20}
load_weft
insmod "$O/vm/probed/probed.ko" || exit 1
traffic 20 >/dev/null # The first traffic switches jump labels of the kernel on, for good.
kernel-text /tmp/before >/dev/null
echo Y >/sys/module/weft/parameters/keep_faulted

# keep_on COMMAND...: repeats COMMAND until /tmp/enough exists, whether it succeeds or not.
keep_on() { until [ -e /tmp/enough ]; do "$@"; done >/dev/null 2>&1; }
probe_some() {
	local at
	for at in "p:weft_test/a in4_pton" "r:weft_test/b in4_pton" "r:weft_test/c vfs_read" \
		"p:weft_test/d in4_pton+0x$((RANDOM % 8 + 5))" "r:weft_test/e kernel_clone"; do
		echo "$at" >>$tracing/kprobe_events
	done
	echo 1 >$tracing/events/weft_test/enable
	sleep 0.6 # The kernel makes kprobes jumps some time after they were set.
	echo 0 >$tracing/events/weft_test/enable
	echo >$tracing/kprobe_events
}
trace_some() {
	for tracer in function function_graph nop; do
		echo $tracer >$tracing/current_tracer
		sleep 0.2
	done
}
# The live patch puts a function that returns 0 in the place of in4_pton(), so meanwhile its results
# must not be compared: call_some() takes the same lock.
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
# kretprobe, so kprobes and the live patch are set in turn, never together.
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
# note WEFT'S-STATUS FILE: adds weft's message to the list of what went wrong, with two exceptions:
# a task was inside for too long (status 10); a kprobe or ftrace was writing the text of the
# aspect's splices at that moment.
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
