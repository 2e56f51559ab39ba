#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Tests around-advice that faults at every second hit: of functions that are called all the time, in
# every context, and inside another aspect's around-advice. Meanwhile the aspects are woven and
# unwoven; kprobes, kretprobes, ftrace's tracers and a live patch come and go at the functions; a
# CPU goes offline and online; tasks fork and end. The callers must get the functions' own results.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/../beside-around.sh"
seconds=${WEFT_STRESS_SECONDS:-20}
load_weft
insmod "$O/vm/probed/probed.ko" || exit 1
traffic 20 >/dev/null # The first traffic switches jump labels of the kernel on, for good.
kernel-text /tmp/before >/dev/null
echo Y >/sys/module/weft/parameters/keep_faulted

probe_some() {
	probe_at "p:weft_test/a in4_pton" "r:weft_test/b in4_pton" "r:weft_test/c vfs_read" \
		"p:weft_test/d in4_pton+0x$((RANDOM % 8 + 5))" "r:weft_test/e kernel_clone"
}
# The live patch puts a function that returns 0 in the place of in4_pton(), so meanwhile its results
# must not be compared: call_some() takes the same lock.
patch_alone() {
	exec 9>/tmp/patching
	flock 9
	patch_some
	exec 9>&-
}
# The kernel warns if a live patch looks at a task's stack while the task is in a function with a
# kretprobe, so kprobes and the live patch are set in turn, never together.
probe_and_patch() {
	probe_some
	patch_alone
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

begin_beside probe_and_patch trace_some hotplug_some call_some fork_some
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
end_beside
at_least "there were many faults" "$faults" 100
echo "$faults faults"
read -r calls wrong </dev/probed
at_least "and many calls" "$calls" 100
same "all of which had their results" "$wrong" 0
weft unweave --all >/dev/null 2>&1
check "text restored" restored
await retired fault_arounds
same "nobody is left inside" "$(state fault_arounds)" none
finish
