#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Tests jumps over several instructions in functions whose entry ftrace does not own: bodies of
# trace events, functions marked notrace, and lib/. weft.ko writes such a jump only if it knows that
# the function was compiled from C, which only the aspect's own table may say. All instructions of
# these functions run under traffic, hits are compared with two counts that do not come from weft,
# and every byte is checked. Plans and tables that call other functions C must not be believed.
. "$(dirname "$0")/lib.sh"
load_weft
event=$tracing/events/sched/sched_process_fork
traffic 20 >/dev/null
kernel-text /tmp/before >/dev/null
uuids() {
	for ((i = 0; i < $1; i++)); do
		dd if=/proc/sys/kernel/random/uuid of=/dev/null bs=99 count=1 2>/dev/null
	done
}
no_entry=$(sed -n 's/.*symbol="\([^"]*\)".*/\1/p' "$O/vm/aspects/every_notrace.xml" | sort -u |
	while read -r function; do
		grep -qw "$function" $tracing/available_filter_functions && echo "$function"
	done)
same "ftrace owns none of them" "$no_entry" ""

# ---- traffic goes on over splices at every instruction -------------------------------------------
echo 1 >$tracing/events/sched/enable
kernel-text /tmp/enabled >/dev/null
traffic_on 1000
weft weave --optimized "$aspects/every_notrace.ko" >/tmp/summary 2>&1 ||
	echo "weave: $(cat /tmp/summary)" >>/tmp/trouble
jumps=$(summary /tmp/summary jump) traps=$(summary /tmp/summary trap)
if [ "${jumps:-0}" -ge 1000 ] && [ "${traps:-99}" -le $((jumps / 100)) ]; then
	pass "woven by jumps ($jumps, $traps traps)"
else
	fail "woven" "$(head -n 2 /tmp/summary)"
fi
same "no displaced instruction is a branch target" \
	"$(sed -nE 's/^  no jump over several instructions for .*branch-target ([0-9]+).*/\1/p' \
		/tmp/summary)" ""
same "all has optimized" "$(figure every_notrace optimizing)" 0
same "the text is what the splices make of it" \
	"$(kernel-text --splices /tmp/enabled | cut -d' ' -f2)" 0
traffic 50 >/dev/null || echo "traffic failed" >>/tmp/trouble
at_least "hits" "$(figure every_notrace hits)" 100000
weft unweave every_notrace >/tmp/said 2>&1
check "restored" grep -qE '^text restored: ([1-9][0-9]*) of \1 bytes' /tmp/said
traffic_off 50
echo 0 >$tracing/events/sched/enable
same "traffic all the time" "$(cat /tmp/trouble 2>/dev/null)" ""
check "text restored" restored

# ---- hits of a trace event's body and of a function of lib/ are exact ----------------------------
weft weave --optimized "$aspects/every_fork.ko" >/tmp/summary 2>&1
check "the body of sched_process_fork, by a jump" \
	grep -q 'jump 1 + springboard 0 + trap 0 + refused 0' /tmp/summary
weft weave --optimized "$aspects/every_uuid.ko" >/tmp/summary 2>&1
check "and a function of lib/" grep -q 'jump 1 + springboard 0 + trap 0 + refused 0' /tmp/summary
echo >$tracing/trace
echo 1 >$event/enable
taskset -c 1 traffic 300 >/dev/null &
uuids 100
traffic 200 >/dev/null
wait $!
echo 0 >$event/enable
equal "the event's hits are those that the trace has" \
	"$(($(figure every_fork hits) + $(figure every_fork missed)))" \
	"$(grep -c ' sched_process_fork: ' $tracing/trace)"
equal "one for each read of a UUID" \
	"$(($(figure every_uuid hits) + $(figure every_uuid missed)))" 100
weft unweave --all >/dev/null
check "text restored" restored

# ---- weft.ko accepts only ranges that the aspect's table has -------------------------------------
weft weave "$aspects/every_assembler.ko" >/tmp/summary 2>&1
n=$(summary /tmp/summary matched)
check "assembler has traps, and one reason" \
	grep -qE "no jump over several instructions for $n: branch-target $n\$" /tmp/summary
weft unweave --all >/dev/null
insmod "$aspects/every_claimed.ko"
read -r taken known others <<<"$(claims "$aspects/every_claimed.ko" | tee /tmp/claims | tail -n 1)"
equal "a plan gets each range that the table has" "$taken" "$known"
same "and no other" "$others $(grep -c FAILED /tmp/claims)" "0 0"
verdicts mutated-plan every_claimed 300
rmmod every_claimed
weft read >/dev/null
claims "$aspects/every_claimed.ko" /tmp/every_claimed.ko
insmod /tmp/every_claimed.ko
same "a table that is wrong about a function says nothing of C" \
	"$(claims /tmp/every_claimed.ko)" "0 $known 0"
rmmod every_claimed
weft read >/dev/null
check "nor is one of another kernel let in" bash -c "! insmod $aspects/other_kernel.ko 2>/dev/null"
check "which the log says" \
	bash -c "dmesg | grep -q 'weft: log_skb_destructor: made for another build of the kernel'"
check "text restored" restored
check "weft.ko unloads" rmmod weft
finish
