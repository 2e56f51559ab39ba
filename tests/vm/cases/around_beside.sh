#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Tests around-advice of functions that are called all the time. Meanwhile the aspects are woven and
# unwoven; kprobes, kretprobes, ftrace's tracers and a live patch come and go at the functions; a
# CPU goes offline and online; tasks fork, end, get signals and are killed inside the advice; and
# rmmod tries to remove the aspects' modules. The kernel and the traffic must go on. At the end each
# call must be a hit, and the text must be restored.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/../beside-around.sh"
seconds=${WEFT_STRESS_SECONDS:-20}
load_weft
insmod "$O/vm/nesting/nesting.ko" || exit 1
traffic 20 >/dev/null # The first traffic switches jump labels of the kernel on, for good.
kernel-text /tmp/before >/dev/null
# unweave_all: unweaves all aspects, and waits until no task is inside advice. The process that
# reads this case's output may be inside until the case prints something, so it prints.
unweave_all() {
	weft unweave --all >/dev/null 2>&1
	echo "unwoven"
	for aspect in arounds arounds_outer; do retired $aspect; done
}
for aspect in arounds arounds_outer; do
	check "each function can have it" weft weave --optimized "$aspects/$aspect.ko"
done
unweave_all

# ---- what goes on meanwhile ----------------------------------------------------------------------

probe_all() {
	probe_at "p:weft_test/a in4_pton" "r:weft_test/b in4_pton" "r:weft_test/c vfs_read" \
		"p:weft_test/d vfs_read+$1" "p:weft_test/e do_nanosleep+$1"
}
probe_some() { for offset in 0x5 0x7 0xb 0x12; do probe_all $offset; done; }
# Tasks that sleep and read in the advised functions, get signals there, and are killed.
signal_some() {
	perl -MTime::HiRes=usleep -e '
		for (1 .. 6) {
			$pid = fork; last unless defined $pid;
			push @pids, $pid and next if $pid;
			setpgrp; $SIG{ALRM} = sub { }; pipe($r, $w);
			if (fork) { sysread($r, $b, 1) while 1 }
			while (1) { usleep(20000); syswrite($w, "x"); fork or exit }
		}
		for (1 .. 60) {
			kill((qw(ALRM STOP CONT ALRM))[rand 4], $pids[rand @pids]); usleep(3000) }
		# Kills the process and its group: it may not have made its group yet.
		kill("KILL", $_), kill("-KILL", $_) for @pids; 1 while wait > 0'
}
call_some() {
	taskset -c $1 bash -c 'echo 200 >/dev/nesting'
	setsid cat /proc/self/maps
}
unload_some() { rmmod arounds arounds_outer; sleep 0.1; }
# The kernel warns if a live patch looks at a task's stack while the task is in a function with a
# kretprobe, so kprobes and the live patch are set in turn, never together.
probe_and_patch() {
	probe_some
	patch_some
}

begin_beside probe_and_patch trace_some hotplug_some signal_some "call_some 0" "call_some 1" \
	unload_some
# comes_and_goes HOW ASPECT: weaves the aspect and unweaves it, again and again.
comes_and_goes() {
	local n=0
	until [ -e /tmp/enough ]; do
		weft weave $1 "$aspects/$2.ko" >/tmp/$2.said 2>&1 && n=$((n + 1))
		note $? /tmp/$2.said
		sleep 0.$((RANDOM % 3))
		weft unweave $2 >/tmp/$2.said 2>&1
		note $? /tmp/$2.said
	done
	echo $n >/tmp/$2.times
}
comes_and_goes --optimized arounds &
jobs+=($!)
comes_and_goes --traps arounds_outer &
jobs+=($!)
sleep "$seconds"
touch /tmp/enough
end_beside
for aspect in arounds arounds_outer; do
	at_least "$aspect has come and gone" "$(cat /tmp/$aspect.times)" 1
done

# ---- afterwards ----------------------------------------------------------------------------------

unweave_all
check "the text is restored" restored
made() { awk '{ n += $2 + $3 + $4 + $5 } END { print n }' /dev/nesting; }
rmmod arounds_outer 2>/dev/null # The counts of the aspect go with its module.
before=$(made)
check "it can be woven again" weft weave --optimized "$aspects/arounds_outer.ko"
taskset -c 0 bash -c 'echo 300 >/dev/nesting'
weft report --json arounds_outer >"$json" 2>/dev/null
equal "each call is counted, before its around-advice" "$(count calls in4_pton)" \
	$(($(made) - before))
unweave_all
for aspect in arounds arounds_outer; do rmmod $aspect 2>/dev/null; done
weft read >/dev/null
check "nobody keeps weft.ko" rmmod weft
rmmod nesting
finish
