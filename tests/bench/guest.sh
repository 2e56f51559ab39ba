#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Runs in the guest that counts instructions: measures what one hit costs in addition to the bare
# function, with weft's splices and with the kernel's own probes.
set -eu
. "$(dirname "$0")/../vm/cases/lib.sh"
. "$(dirname "$0")/goals.sh"
. "$(dirname "$0")/hit-rows.sh"
load_weft
tracing=/sys/kernel/tracing
function=__x64_sys_getppid
measure_bare

# metric_row NAME ASPECT [GOAL]: prints the cost of a hit of a metric without C code.
metric_row() {
	local aspect=bench_$2 figure
	weft weave --optimized "$aspects/$aspect.ko" >/dev/null
	# The first hits on each CPU create the metric's row there, and are not measured.
	hit-cost 20 >/dev/null
	figure=$(cost)
	weft report --json $aspect | grep -q '"count":[1-9]' || {
		echo "nothing was counted"
		exit 1
	}
	weft unweave $aspect >/dev/null
	weft report --reset $aspect >/dev/null
	row "$1" "$figure" $unit ${3:+at-most $3}
}

# state_row NAME ASPECT OPTION...: prints the cost of a hit of an aspect that checks which task or
# object it is for, or that keeps a value for each task.
state_row() {
	local name=$1 aspect=bench_$2 figure
	shift 2
	weft weave --optimized "$@" "$aspects/$aspect.ko" >/dev/null
	figure=$(cost)
	[ "$(figure $aspect hits)" -ge $((rounds * 20)) ] || { echo "no hits"; exit 1; }
	weft unweave $aspect >/dev/null
	row "$name" "$figure" $unit
}

# probe_row NAME ARGUMENT...: prints the cost of a kprobe of rivals.ko. The kernel decides whether
# the kprobe is OPTIMIZED, FTRACE or an int3; the row's name says which.
probe_row() {
	local name=$1 kind
	shift
	insmod "$O/bench/rivals/rivals.ko" kind=kprobe symbol=$function "$@"
	sleep 1 # The kernel optimizes a kprobe in the background.
	kind=$(grep -oE 'OPTIMIZED|FTRACE' /sys/kernel/debug/kprobes/list | head -n 1 |
		grep . || echo int3)
	row "$name ($kind)" "$(cost)" $unit
	rmmod rivals
}

# event_row NAME OFFSET: prints the cost of a kprobe event at OFFSET in the function.
event_row() {
	echo "p:weft_bench/hit $function+$2" >$tracing/kprobe_events
	echo 1 >$tracing/events/weft_bench/hit/enable
	row "$1" "$(cost)" $unit
	echo 0 >$tracing/events/weft_bench/hit/enable
	echo >$tracing/kprobe_events
}

echo "guest instructions per hit above the bare function"
weft_row "weft, jump, counter" count jump --optimized 6
weft_row "weft, jump, C function with nothing in it" empty jump --optimized 20
weft_row "weft, jump, the same after the instruction" after jump --optimized
weft_row "weft, call, C function with nothing in it" call call --optimized 20
# joined_row NAME ASPECT: prints the cost of advice after a call under an `if`, and the cost that
# remains where the call is not made.
joined_row() {
	local way bare=$bare
	for way in called skipped; do
		bare=$(hit-cost $rounds $way)
		weft weave --optimized "$aspects/bench_$2.ko" >/dev/null
		hit-cost 20 $way >/dev/null
		row "$1, $way" "$(awk -v a="$(hit-cost $rounds $way)" -v b="$bare" \
			'BEGIN { printf "%.1f", a - b }')" $unit
		case $way-$(figure bench_$2 hits) in
		called-0 | skipped-[1-9]*) echo "wrong hits, $way"; exit 1 ;;
		esac
		weft unweave bench_$2 >/dev/null
		weft report --reset bench_$2 >/dev/null 2>&1 || true
	done
}
joined_row "weft, call and jump, C function with nothing in it after a call under an if" joined
joined_row "weft, call and jump, <elapsed> of a call under an if" joined_elapsed
weft_row "weft, jump, around-advice that calls the function" around jump --optimized 35
weft_row "weft, jump, around-advice that does not" around_skip jump --optimized
weft_row "weft, call, around-advice of a call that makes it" around_call call --optimized 35
weft_row "weft, call, around-advice of a call that does not" around_call_skip call --optimized
# through_row NAME ASPECT [GOAL]: prints the cost of a hit of around-advice of a call through a
# member.
through_row() {
	local bare=$bare
	bare=$(hit-cost $rounds seek)
	weft weave --optimized "$aspects/bench_$2.ko" >/dev/null
	hit-cost 20 seek >/dev/null
	row "$1" "$(awk -v a="$(hit-cost $rounds seek)" -v b="$bare" \
		'BEGIN { printf "%.1f", a - b }')" $unit ${3:+at-most $3}
	[ "$(figure bench_$2 hits)" -ge $((rounds * 20)) ] || { echo "no hits"; exit 1; }
	weft unweave bench_$2 >/dev/null
}
through_row "weft, around-advice of a call through a member that makes it" around_through 35
through_row "weft, around-advice of a call through a member that does not" around_through_skip 15
weft_row "weft, trap, C function with nothing in it" trap trap --traps 130
# Makes no more records than the buffer holds, since a lost record costs less.
rounds=150 weft_row "weft, jump, weft_log with three values" log jump --optimized 110
weft weave --optimized --after 10min "$aspects/bench_empty.ko" >/dev/null
row "weft, jump, advice that waits for its start time" "$(cost)" $unit
weft unweave bench_empty >/dev/null
metric_row "weft, jump, <counter>" counter 6
# Weaves so many counters that they take all per-CPU memory that a single instruction can address.
weft weave "$aspects/flow_counters.ko" >/dev/null
metric_row "weft, jump, <counter> after the first 256" counter 6
weft unweave flow_counters >/dev/null
weft report --reset flow_counters >/dev/null
metric_row "weft, jump, <histogram>" histogram 40
metric_row "weft, call and jump, <elapsed>: a start and its end" elapsed 120
metric_row "weft, jump, <counter by=\"comm\">" count_comm 45
metric_row "weft, jump, <counter by=\"comm, \$rax\">" count_two 60
metric_row "weft, jump, <counter by=\"stack\">, three functions" count_stack 250
# deep_cost: prints what a hit costs in a function that is called 16 functions deep, or deeper.
deep_cost() {
	awk -v a="$(hit-cost $rounds deep)" -v b="$deep_bare" 'BEGIN { printf "%.1f", a - b }'
}
hit-cost $rounds deep >/dev/null
deep_bare=$(hit-cost $rounds deep)
weft weave --optimized "$aspects/bench_count_deep.ko" >/dev/null
hit-cost $rounds deep >/dev/null
row "weft, <counter by=\"stack\">, 16 functions" "$(deep_cost)" $unit at-most 250
weft report --json bench_count_deep | grep -q '"count":[1-9]' || { echo "no hits"; exit 1; }
weft unweave bench_count_deep >/dev/null
weft report --reset bench_count_deep >/dev/null
state_row "weft, jump, <counter pid=...> for another process" pid
state_row "weft, jump, <counter comm=...> for another name" comm
state_row "weft, jump, <counter> woven with --pid of another process" filtered --pid 1
state_row "weft, jump, \$task(n)++" task
state_row "weft, jump, <counter> with a <cflow> that is not active" flow
state_row "weft, jump, <counter> with an <xflow> whose object carries no tag" tag

insmod "$O/bench/rivals/rivals.ko" kind=ring
row "the kernel's ring buffer: reserve and commit 64 bytes" \
	"$(dmesg | sed -n 's/.*rivals: ring //p')" $unit
rmmod rivals
rmmod weft # While weft.ko is loaded, an int3 of a kprobe runs weft.ko's hook first.

echo 0 >/proc/sys/debug/kprobes-optimization
probe_row "kprobe with nothing in it, int3" offset=5
echo 1 >/proc/sys/debug/kprobes-optimization
probe_row "kprobe with nothing in it, where the kernel may optimise" offset=18
probe_row "kprobe with nothing in it, at the entry" offset=0
insmod "$O/bench/rivals/rivals.ko" kind=direct symbol=$function
row "ftrace direct call, argument registers kept, nothing in it" "$(cost)" $unit
rmmod rivals

mkfifo /tmp/hold
fentry __do_sys_getppid </tmp/hold >/tmp/fentry &
exec 5>/tmp/hold
until [ -s /tmp/fentry ]; do sleep 0.1; done
row "BPF fentry, program with nothing in it" "$(cost)" $unit
exec 5>&-
wait

# bpftrace_row NAME FUNCTION ACTION COST: prints the cost of a bpftrace kprobe; the function COST
# measures it.
bpftrace_row() {
	local i pid

	BPFTRACE_LOG_RB=0 bpftrace -e "BEGIN { printf(\"ready\n\"); } kprobe:$2 { $3 }" \
		>/tmp/bpftrace 2>&1 &
	pid=$!
	for ((i = 0; i < 300; i++)); do
		grep -q ready /tmp/bpftrace && break
		sleep 0.1
	done
	sleep 1
	if grep -q ready /tmp/bpftrace; then
		row "$1" "$($4)" $unit
	else
		echo "bpftrace does not start: $(head -n 2 /tmp/bpftrace)"
	fi
	kill -INT $pid && wait $pid || true
}
if command -v bpftrace >/dev/null; then
	# bpftrace knows the function by an alias in the symbol table.
	bpftrace_row "bpftrace kprobe, one assignment" $function '@n = 1;' cost
	bpftrace_row "bpftrace kprobe, @[kstack] = count()" $function '@[kstack] = count();' cost
	bpftrace_row "bpftrace kprobe, @[kstack(16)] = count(), 16 functions" \
		udp_queue_rcv_one_skb '@[kstack(16)] = count();' deep_cost
else
	echo "bpftrace is not installed"
fi

echo 0 >/proc/sys/debug/kprobes-optimization
event_row "kprobe event, record in the trace buffer, int3" 5
event_row "kprobe event, record in the trace buffer, at the entry" 0
end
