#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Tests advice after calls that are under an `if`, so that control may also reach the point after
# the call without the call. How often the calls were made and have returned is compared with
# kprobes in the same run. Some tasks sleep in such a call while the aspect is woven and unwoven.
# Other tasks are killed in a call that never returns, and their stacks are then used by new tasks.
# The case also fails if the stack of a sleeping task shows other callers than without weft, or if a
# live patch or an unweave has to wait for that task.
. "$(dirname "$0")/lib.sh"
load_weft
work=$(mktemp -d)
insmod "$O/vm/nesting/nesting.ko" || exit 1

# records TEXT [COMM]: prints how many of the aspect's records have TEXT. If COMM is given, only
# records of tasks with that name count.
records() { grep -c -e "${2:-}-[0-9]* .*: $1" "$work/read"; }
# timed METRIC COMM: prints how often METRIC has timed something in tasks named COMM.
json=$work/report
timed() { row "$1" "$2" | value count; }
# Closes files whose operations have no `release` function (tmpfs) and files that have one (pipes),
# in turn: the call through `release` is made for the latter only.
close_files() {
	(
		printf closer >/proc/self/comm
		for i in {1..200}; do : >"$work/file"; : | :; done
	)
}
# kill_tasks SIGNAL: starts 60 tasks and kills them by SIGNAL. They never return from get_signal().
# A task that dies of ABRT takes the branch `beside`. One that dies of KILL does not: the kernel
# decides that when the signal is sent. ABRT writes no core file, by the limit that is set below.
kill_tasks() {
	for i in {1..60}; do
		sleep 100 &
		kill -"$1" $!
		wait $! 2>/dev/null
	done
}

# The offsets of the members of struct file and struct file_operations are the demo kernel's. The
# event has the task's name, because ftrace itself may have forgotten which name a task had.
echo 'p:weft_test/end __fput release=+0x80(+0x28(%di)):x64 comm=$comm' >>$tracing/kprobe_events
echo 32768 >$tracing/buffer_size_kb
ulimit -c 0
for how in --optimized --traps; do
	check "weave ($how)" weft weave $how "$aspects/calls.ko"
	echo >$tracing/trace
	echo 1 >$tracing/events/weft_test/enable
	traffic 20 >/dev/null &
	close_files
	kill_tasks KILL
	kill_tasks ABRT
	close_files
	wait
	echo 0 >$tracing/events/weft_test/enable
	weft report --json calls >"$json"
	check "unweave ($how)" weft unweave --all
	weft read calls >"$work/read"
	grep ' end: .* comm="closer"$' $tracing/trace >"$work/ends"
	calls=$(grep -vc 'release=0x0 ' "$work/ends")
	skips=$(grep -c 'release=0x0 ' "$work/ends")
	at_least "files were closed without a call ($how)" "$skips" 400
	at_least "and with one ($how)" "$calls" 800
	same "advice before the call ($how)" "$(records calls closer)" "$calls"
	same "advice after it, as often ($how)" "$(records returned closer)" "$calls"
	same "it is timed as often ($how)" "$(timed release closer)" "$calls"
	same "of whatever task ($how)" "$(records returned)" "$(records calls)"
	at_least "tasks were killed ($how)" "$(records exits)" 120
	at_least "with what comes after that call ($how)" "$(records beside)" 60
	same "none of them came back ($how)" "$(records back)" 0
done
echo >$tracing/kprobe_events
kernel-text /tmp/before >/dev/null

# ---- tasks sleep in the call while the aspect is woven and unwoven -------------------------------

declare -A sleepers
sleeper() {
	sleep 1000 &
	sleepers[$1]=$!
}
stack() { cat "/proc/${sleepers[$1]}/stack"; }
await_asleep() {
	await grep -q nanosleep "/proc/${sleepers[$1]}/stack" || fail "$1 sleeps" "$(stack "$1")"
}

sleeper before
await_asleep before
stack before >"$work/stack"
check "weave many" weft weave --optimized "$aspects/calls_chain.ko"
check "weave" weft weave --optimized "$aspects/calls.ko"
sleeper while
await_asleep while
same "its stack is as without weft" "$(stack while)" "$(cat "$work/stack")"
same "and that of who came before" "$(stack before)" "$(cat "$work/stack")"
traffic 5 >/dev/null
patched woven
check "unweaving waits for no sleeper" weft unweave --all
check "and ends" retired calls
same "the stack when weft has gone" "$(stack while)" "$(cat "$work/stack")"

# Calls that began while the aspect was not woven, or in an earlier weave of it, must not be timed.
weft read calls >/dev/null
check "weave again" weft weave --optimized "$aspects/calls.ko"
kill "${sleepers[@]}"
for i in {1..20}; do sleep 0.01; done
weft report --json calls >"$json"
same "the sleeps of this weave are timed" "$(timed sleep sleep)" 20
check "unweave" weft unweave --all
weft read >/dev/null
check "text restored" restored
check "weft.ko unloads" rmmod weft
rm -r "$work"
finish
