#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Tests tracepoints as pointcuts. With weft alone at a tracepoint the hits are compared with what a
# program itself reports, and then, with trace events enabled too, with the kernel's count of these
# events. In the end no tracepoint may be enabled.
. "$(dirname "$0")/lib.sh"
load_weft
json=/tmp/json
# A tracepoint that was enabled and disabled again differs from one that never was, so all are used
# once before the text is saved.
counting raw_syscalls/sys_enter id
counting sched/sched_process_fork parent_pid
counting sched/sched_process_exec pid
uncounting() {
	local event trigger
	for event in raw_syscalls/sys_enter sched/sched_process_{fork,exec}; do
		trigger=$tracing/events/$event/trigger
		grep -o '^hist:keys=[a-z_]*' $trigger | sed 's/^/!/' >/tmp/trigger
		[ ! -s /tmp/trigger ] || cat /tmp/trigger >$trigger
	done
}
uncounting
kernel-text /tmp/before >/dev/null

# of_the_program LABEL: runs the program and compares the calls that it reports with weft's report.
of_the_program() {
	read -r _ reads _ preads < <(measured calls)
	weft report --json tracepoints >$json
	same "$1: read() by its number" "$(count calls 0)" "$reads"
	same "$1: pread64() by its number" "$(count calls 17)" "$preads"
	same "$1: a function of the same aspect" "$(metric read | value count)" $((reads + preads))
}

check "weave" weft weave "$aspects/tracepoints.ko"
of_the_program "alone"
check "unweave" weft unweave tracepoints
weft read tracepoints >/dev/null
check "nothing is enabled any more" restored

check "weave again" weft weave "$aspects/tracepoints.ko"
counting raw_syscalls/sys_enter id 'comm == "caller"'
of_the_program "beside an event"
equal "the event's own count of read()" "$(counted raw_syscalls/sys_enter 'id: 0 ')" "$reads"
uncounting
weft unweave tracepoints >/dev/null
weft read tracepoints >/dev/null
check "nothing is enabled any more, after both" restored

# One shell runs seven programs, and does nothing else. The event counts the forks of this shell
# alone, by its pid, which it prints. weft counts the forks of all processes, and others may fork
# meanwhile: at least seven.
check "weave for processes" weft weave "$aspects/tracepoints.ko"
counting sched/sched_process_exec pid
counting sched/sched_process_fork parent_pid
bash -c 'echo $$; for i in 1 2 3 4 5 6 7; do /bin/true; done; wait' >/tmp/shell
weft report --json tracepoints >$json
read -r shell </tmp/shell
same "the event: forks of the shell" "$(counted sched/sched_process_fork "parent_pid: $shell ")" 7
at_least "forks, all of them" "$(count processes "$(metric processes |
	grep -o '"__traceiter_sched_process_fork[^"]*"' | tr -d \")")" 7
same "all in the flow of kernel_clone()" \
	"$(metric 'not cloned' | grep -c '"count":[1-9]')" 0
at_least "which are counted there" "$(metric cloned | value count)" 7
weft read tracepoints >/tmp/records
equal "executions of a program, by name" "$(grep -c '/bin/true: process' /tmp/records)" 7
same "each by a process of that number" \
	"$(grep '/bin/true: process' /tmp/records | grep -cvE 'process ([0-9]+) was \1$')" 0
uncounting
weft unweave tracepoints >/dev/null

# Runs one-liners at tracepoints, and one that must be refused.
weft count tracepoint:sys_enter --by '$(id)' --comm caller --json -o $json -- \
	measured calls >/tmp/calls 2>/dev/null
read -r _ reads _ </tmp/calls
same "weft count tracepoint:sys_enter" "$(count tracepoint:sys_enter 0)" "$reads"
refuses "a tracepoint does not last" 2 'does not last' weft time tracepoint:sys_enter -- true
check "the text is what it was" restored
check "weft.ko unloads" rmmod weft
finish
