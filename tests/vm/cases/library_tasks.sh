#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Tests the library's aspects for tasks, memory and time. The numbers of each are compared with what
# the kernel or another tool counts in the same run: tracepoints that tracefs counts, kprobes,
# getrusage, /proc, ftrace's function profiler, strace. The case fails if a number differs, or if a
# time is outside of what the other tool allows.
. "$(dirname "$0")/lib.sh"
load_weft

# tracefs counts only tasks of a program with a unique name. Numbers that cannot be limited so are
# read before and after.
for function in mutex_lock mutex_unlock vfs_read copy_process; do
	echo "p:weft_test/$function $function"
done >$tracing/kprobe_events
counting weft_test/mutex_lock common_pid 'COMM == "active-locks"'
counting weft_test/mutex_unlock common_pid 'COMM == "active-locks"'
counting weft_test/vfs_read common_pid 'COMM == "active-locks"'
counting kmem/mm_page_alloc order 'COMM == "active-faults"'
counting kmem/mm_page_free order 'COMM == "active-faults"'
counting sched/sched_switch prev_comm
counting signal/signal_generate sig
counting timer/hrtimer_expire_entry function.sym

# Compares page faults with getrusage.
observe page_faults active faults
equal "page_faults: as getrusage has them" "$(count time active-faults)" "$(told faults)"

# Compares pages with the allocator's own tracepoints, by order.
pages_of() {
	sed -n '/hitcount:/s/.*order: *\([0-9]*\).*hitcount: *\([0-9]*\).*/\1 \2/p' \
		"$tracing/events/kmem/$1/hist" |
		awk '{ sum += $2 * 2 ^ $1 } END { print sum + 0 }'
}
allocated=$(pages_of mm_page_alloc) freed=$(pages_of mm_page_free)
observe pages active faults
equal "pages: allocated, as mm_page_alloc has it" \
	"$(sum 'allocated by' active-faults)" "$(($(pages_of mm_page_alloc) - allocated))"
equal "pages: freed, as mm_page_free has it" \
	"$(sum 'freed by' active-faults)" "$(($(pages_of mm_page_free) - freed))"

# Compares task switches and waits for a CPU with the scheduler's tracepoint, /proc/PID/schedstat
# and getrusage, while another task wants the same CPU. The scheduler reads its clock a little
# earlier than weft does.
taskset -c 0 bash -c 'while :; do :; done' &
hog=$!
observe switches taskset -c 0 active sched
equal "switches: put off, as sched_switch has it" "$(count 'put off' active-sched)" \
	"$(counted sched/sched_switch 'prev_comm: active-sched ')"
between "switches: preempted" \
	"$(count preempted active-sched)" "$(told inner-involuntary)" "$(told outer-involuntary)"
slack=$(($(told times) * 300000))
between "switches: times on the CPU" "$(sum 'at a stretch' active-sched)" \
	"$(($(told inner-running) * 9 / 10 - slack))" "$(($(told outer-running) * 11 / 10 + slack))"
observe run_queue taskset -c 0 active sched
between "run_queue: how often" \
	"$(count 'waiting for a CPU' active-sched)" "$(told inner-times)" "$(told outer-times)"
slack=$(($(told times) * 300000))
between "run_queue: how long" "$(sum 'waiting for a CPU' active-sched)" \
	"$(($(told inner-waiting) * 9 / 10 - slack))" "$(($(told outer-waiting) * 11 / 10 + slack))"

# Compares locks, and the metrics of a function, with kprobes at the entries and with the function
# profiler. The profiler's times include the advice and some time of its own.
echo mutex_lock vfs_read >$tracing/set_ftrace_filter
# timed NAME METRIC FUNCTION: fails unless METRIC's time and the profiler's time of FUNCTION agree
# within a tenth, plus 50 us for each call.
timed() {
	local hits time slack
	read -r hits time < <(profile "$3")
	slack=$((time / 10 + hits * 50000))
	between "$1, as the profiler has $hits calls in $time ns" \
		"$(sums "$2")" $((time - slack)) $((time + slack))
	between "$1: the tolerance is small against it" $slack 1 $((time / 2))
}
# Stops the other task, because a task that gives way to it in mutex_lock()'s might_sleep() would
# spend time in mutex_lock() without waiting for a lock.
kill -STOP $hog
observe locks profiled active locks
kill -CONT $hog
timed "locks: waiting, nearly all that mutex_lock() takes" waiting mutex_lock
equal "locks: taken" "$(count taken active-locks)" "$(counted weft_test/mutex_lock)"
equal "locks: given back" "$(count 'given back' active-locks)" "$(counted weft_test/mutex_unlock)"
reads=$(counted weft_test/vfs_read)
begun=${EPOCHREALTIME/./}
echo 0 >$tracing/options/sleep-time
observe function_metrics profiled taskset -c 0 bash -c \
	'begun=${EPOCHREALTIME/./}; active locks; echo took $((${EPOCHREALTIME/./} - begun))'
outer=$((${EPOCHREALTIME/./} - begun))
equal "function_metrics: calls" \
	"$(count calls active-locks)" "$(($(counted weft_test/vfs_read) - reads))"
timed "function_metrics: virtual time" 'virtual time' vfs_read
between "function_metrics: less than four fifths of the wall time, with somebody else on the CPU" \
	"$(sum 'virtual time' active-locks)" 1 "$(($(sum 'wall time' active-locks) * 4 / 5))"
kill $hog
equal "function_metrics: in it" "$(count inside active-locks)" "$(count calls active-locks)"
# The sum divided by the average is the time for which the aspect was woven, here in microseconds.
woven=$(row inside active-locks | sed 's/.*"sum":\([0-9]*\).*"average":\([0-9.]*\).*/\1 \2/' |
	awk '{ printf "%.0f", $1 / $2 / 1000 }')
between "function_metrics: the average is over the time that it was woven, us" \
	"$woven" "$(told took)" "$outer"

# Compares the values of a member with those in /proc/PID/stat.
observe priority bash -c \
	'for i in 3 7 19; do renice -n $i $$ >/dev/null; cut -d" " -f18 /proc/$$/stat; done'
same "priority: values" \
	"$(weft read priority | sed -n 's/.*: bash-.* to \(.*\), .* in set_user_nice$/\1/p')" \
	"$(awk '{ print $1 + 100 }' "$said")"

# Compares signals with the tracepoint signal_generate and with the program's clock.
observe signals active signals
equal "signals: sent, as signal_generate has it" \
	"$(count sent 10)" "$(counted signal/signal_generate 'sig: 10 ')"
equal "signals: sent by the program" "$(count senders active-signals)" "$(told sent)"
between "signals: pending" "$(sum pending 10)" "$(told inner)" "$(told outer)"

# Compares futexes with strace and the program's clock, and timers with the tracepoint
# hrtimer_expire_entry.
observe futexes strace -f -c -o /tmp/strace -e trace=futex active futex
equal "futexes: as strace counts them" \
	"$(count asleep active-futex)" "$(awk '$NF == "futex" { print $4 }' /tmp/strace)"
between "futexes: asleep" "$(sum asleep active-futex)" "$(told inner)" "$(told outer)"
observe timers active timers
equal "timers: as hrtimer_expire_entry has them" "$(count late timerfd_tmrproc)" \
	"$(counted timer/hrtimer_expire_entry timerfd_tmrproc)"

# The program pulsar forks 160 times and reads its clock before and after each fork. Four sleeps
# separate the bursts of forks. The records must have the forks in their order and at these times.
counting sched/sched_switch prev_pid,next_pid 'prev_comm=="pulsar" || next_comm=="pulsar"'
observe pulsar pulsar 300
weft read pulsar >/tmp/pulsar
pid=$(sed -n 's/.* pulsar-\([0-9]*\) .*: fork 0$/\1/p' /tmp/pulsar)
equal "pulsar: off the CPU, as sched_switch has it" \
	"$(grep -c ': off$' /tmp/pulsar)" "$(counted sched/sched_switch "prev_pid: $pid,")"
equal "pulsar: on it" \
	"$(grep -c ': on$' /tmp/pulsar)" "$(counted sched/sched_switch "next_pid: $pid ")"
sed -n 's/^ *\([0-9]*\)\.\([0-9]*\) .*: fork \([0-9]*\)$/\3 \1\2/p' /tmp/pulsar >/tmp/forks
same "pulsar: forks" "$(cut -d' ' -f1 /tmp/forks)" "$(seq 0 159)"
same "pulsar: each when the program does it" \
	"$(paste -d' ' "$said" /tmp/forks | awk '$1 == $4 && $2 <= $5 && $5 <= $3' | wc -l)" 160
# The four sleeps between the bursts take 0.3 s each. If the machine stands still, there are more
# pauses of such a length, and the program's clock shows them too. So weft's number of long pauses
# must lie between two numbers from that clock. gaps BITS: prints these numbers for pauses of at
# least 2^BITS ns. The first one counts the pauses that are so long even from the reading after one
# fork to the reading before the next. The second one counts those that are so long from the reading
# before one fork to the reading after the next.
gaps() {
	awk -v least=$((1 << $1)) '
		NR > 1 { sure += $2 - after >= least; possible += $3 - before >= least }
		{ before = $2; after = $3 }
		END { print sure, possible }' "$said"
}
same "pulsar: five bursts, between the longest gaps" "32 64 96 128" \
	"$(awk 'NR > 1 && $2 - last >= 300000000 && $1 % 32 == 0 { print $1 }
		{ last = $2 }' /tmp/forks | paste -sd' ')"
same "pulsar: gaps" "$(metric gap | value count)" 159
long=$(metric gap | grep -o '\[[0-9]*,[0-9]*,[0-9]*\]' | tr -d '[]' |
	awk -F, '$1 >= 2 ^ 28 { n += $3 } END { print n + 0 }')
read -r sure possible < <(gaps 28)
between "pulsar: those of the sleeps ($long)" "$long" "$sure" "$possible"
between "pulsar: which are four, where nothing stands still" "$sure" 4 159

# Compares the forks of a process and the time from its birth to its exec with the scheduler's
# events, for a shell with a unique name.
ln -s /bin/bash /tmp/forker
for event in sched/sched_process_fork sched/sched_process_exec weft_test/copy_process; do
	echo 1 >$tracing/events/$event/enable
done
times() {
	local at='\([0-9]*\)\.\([0-9]*\)'
	sed -n "s/^.* $at: sched_process_fork: comm=forker .*child_pid=\([0-9]*\)\$/fork \1\2 \3/p
		s/^.* $at: sched_process_exec: filename=\/bin\/true pid=\([0-9]*\) .*/exec \1\2 \3/p
		s/^ *forker-.* $at: copy_process: .*/copy \1\2/p" $tracing/trace |
		awk '$1 == "copy" { begun = $2 }
			$1 == "fork" { forks++; born[$3] = $2; copying += $2 - begun }
			$1 == "exec" { execs++; waiting += $2 - born[$3] }
			END {
				print "forks", forks; print "copying", copying * 1000
				print "execs", execs; print "waiting", waiting * 1000
			}'
}
observe fork_to_exec /tmp/forker -c 'for i in 1 2 3 4 5 6 7 8 9 10; do /bin/true; done'
times >"$said"
equal "fork_to_exec: execs" "$(count time forker)" "$(told execs)"
between "fork_to_exec: time" "$(sum time forker)" "$(($(told waiting) / 2))" "$(told waiting)"
echo >$tracing/trace
observe between_lines /tmp/forker -c 'for i in 1 2 3 4 5 6 7 8 9 10; do /bin/true; done'
times >"$said"
equal "between_lines: forks" "$(count 'copying the process' forker)" "$(told forks)"
between "between_lines: time" "$(sum 'copying the process' forker)" \
	"$(($(told copying) / 2))" "$(($(told copying) * 13 / 10))"
for file in set_event kprobe_events set_ftrace_filter; do echo >$tracing/$file; done
finish
