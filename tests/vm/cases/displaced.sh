#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Tests jumps over several instructions, and springboards. Shadows are at every instruction of some
# functions that the traffic runs through. For each shadow, programs/optimistic-splices.c asks for
# the longest displaced range that might be possible; weft.ko must refuse the ranges that are not
# possible. Hits are compared with the kernel's own count. The end of the case holds splices up
# while they are traps that wait to become jumps: a program occupies one CPU and lets no other task
# run there. As long as it does so, these splices must stay traps.
. "$(dirname "$0")/lib.sh"
load_weft
# In the guest only the program traffic calls these functions.
functions="sock_wfree inet_accept unix_dgram_sendmsg udp_sendmsg"
traffic 20 >/dev/null
kernel-text /tmp/before >/dev/null
optimistic-splices "$aspects/every_count.ko" /tmp/every_count.ko >/dev/null
optimistic-splices "$aspects/every_clobber.ko" /tmp/every_clobber.ko blind >/dev/null
for aspect in every_second every_third; do
	optimistic-splices "$aspects/$aspect.ko" /tmp/$aspect.ko >/dev/null
done

# nth FUNCTION N: prints the offset of the Nth instruction of FUNCTION, from the listing that
# objdump made on the host. Instruction 1 is the call of ftrace.
nth() {
	local start at
	read -r start at < <(awk -v f="<$1>:" -v n="$2" '
		/>:$/ { in_it = $2 == f; if (in_it) start = $1; next }
		in_it && !--n { sub(/:$/, "", $1); print start, $1 }' "$O/vm/flow.listing")
	printf '0x%x\n' $((16#$at - 16#$start))
}

# ---- splices of all kinds at every instruction, under traffic ------------------------------------
traffic_on 1000
for aspect in every_count every_clobber; do
	weft weave --optimized /tmp/$aspect.ko >/tmp/summary 2>&1 ||
		echo "$aspect: $(cat /tmp/summary)" >>/tmp/trouble
	head -n 2 /tmp/summary
	jumps=$(summary /tmp/summary jump) springboards=$(summary /tmp/summary springboard)
	traps=$(summary /tmp/summary trap)
	if [ "${jumps:-0}" -ge 1000 ] && [ "${springboards:-0}" -ge 2 ] &&
		[ "${traps:-0}" -ge 1 ]; then
		pass "$aspect: woven by all kinds"
	else
		fail "$aspect" "$(head -n 2 /tmp/summary)"
	fi
	same "$aspect: all has optimized" "$(figure $aspect optimizing)" 0
	same "$aspect: the text is what the splices make of it" \
		"$(kernel-text --splices /tmp/before | cut -d' ' -f2)" 0
	traffic 100 >/dev/null || echo "$aspect: traffic failed" >>/tmp/trouble
	at_least "$aspect: hits" "$(figure $aspect hits)" 100000
	weft unweave $aspect >/tmp/said 2>&1
	check "$aspect: restored" grep -qE '^text restored: ([1-9][0-9]*) of \1 bytes' /tmp/said
done
targets=$(sed -nE 's/^  no jump over several instructions for .*branch-target ([0-9]+).*/\1/p' \
	/tmp/summary)
at_least "weft.ko sees branch targets within displaced instructions" "$targets" 30 \
	"$(head -n 2 /tmp/summary)"
traffic_off 100
same "traffic all the time" "$(cat /tmp/trouble 2>/dev/null)" ""
check "text restored" restored

# ---- plans with wrong displaced ranges and slots are refused -------------------------------------
insmod "$aspects/every_count.ko"
verdicts mutated-plan every_count 1000
rmmod every_count
weft read >/dev/null

# ---- hits at the second and the third instruction of functions are exact -------------------------
for function in $functions; do echo "p:weft_test/$function $function" >>$tracing/kprobe_events; done
for aspect in every_second every_third; do
	weft weave --optimized /tmp/$aspect.ko >/tmp/summary 2>&1
	same "$aspect: no traps" "$(summary /tmp/summary trap)" 0
done
same "they share displaced ranges" "$(kernel-text --splices /tmp/before)" "4 0"
echo 1 >$tracing/events/weft_test/enable
traffic 300 >/dev/null
counted=$(awk '{ n += $2 + $3 } END { print n }' $tracing/kprobe_profile)
for aspect in every_second every_third; do
	same "$aspect: hits equal the kprobes' count" \
		"$(($(figure $aspect hits) + $(figure $aspect missed)))" "$counted"
done
at_least "and there were some" "$counted" 900
echo 0 >$tracing/events/weft_test/enable
echo >$tracing/kprobe_events
weft unweave --all >/dev/null
check "text restored" restored

# ---- splices over several instructions while they are still traps --------------------------------
give_way
first=$(nth udp_sendmsg 3)
probe() {
	echo "p:weft_test/probe udp_sendmsg+$1" >$tracing/kprobe_events &&
		echo 1 >$tracing/events/weft_test/enable
}
unprobe() { echo 0 >$tracing/events/weft_test/enable; echo >$tracing/kprobe_events; }
taskset -cp 0 $$ >/dev/null

stall
weft weave /tmp/every_second.ko >/dev/null
same "a jump is a trap as long as somebody may be in it" \
	"$(state every_second) $(figure every_second optimizing)" "optimizing 4"
same "and its bytes say so" "$(kernel-text --splices /tmp/before)" "4 0"
at_least "which is hit" "$(hits_during every_second)" 30
weft weave /tmp/every_third.ko >/dev/null
same "another aspect joins it" "$(kernel-text --splices /tmp/before)" "4 0"
for aspect in every_second every_third; do
	at_least "$aspect is hit" "$(hits_during $aspect)" 30
done
check "a kprobe cannot be put on the trap" \
	bash -c "! echo p:weft_test/probe udp_sendmsg+$first >$tracing/kprobe_events" 2>/dev/null
weft unweave every_second >/dev/null 2>&1 &
await in_state every_second retiring
same "the first goes, the other stays" \
	"$(state every_second) $(state every_third)" "retiring optimizing"
same "in the text" "$(kernel-text --splices /tmp/before)" "4 0"
at_least "it is hit still" "$(hits_during every_third)" 30
refuses "a module whose splices optimize cannot be removed" 1 'in use' rmmod every_third
go_on
wait $!
check "then it is optimized" optimized every_third
at_least "and is hit" "$(hits_during every_third)" 30
same "as a jump" "$(kernel-text --splices /tmp/before)" "4 0"
check "where a kprobe may be put" probe $first
check "and both go on" taskset -c 0 traffic 30
check "but none behind its first byte" \
	bash -c "! echo p:weft_test/inside udp_sendmsg+$((first + 1)) >>$tracing/kprobe_events" \
	2>/dev/null
weft unweave every_third >/dev/null 2>&1 &
await in_state every_third retiring
same "the unweave waits for the kprobe" "$(state every_third)" retiring
unprobe
wait $!
check "text restored" restored

stall
weft weave --bound /tmp/every_second.ko >/dev/null &
bound=$!
await in_state every_second optimizing
kill -9 $bound
wait $bound 2>/dev/null
same "a bound one goes with its process while it is optimized" "$(state every_second)" retiring
weft weave --optimized /tmp/every_third.ko >/dev/null &
await in_state every_third optimizing
kill -9 $!
wait $! 2>/dev/null
same "a weaver killed while it waits leaves it woven" "$(state every_third)" optimizing
go_on
check "and it is optimized" optimized every_third
weft unweave --all >/dev/null
check "text restored" restored

# ---- kprobes on displaced instructions and on slots ----------------------------------------------
place() {
	echo "p:weft_test/probe $1" >$tracing/kprobe_events &&
		echo 1 >$tracing/events/weft_test/enable
} 2>/dev/null
stall
weft weave /tmp/every_second.ko >/dev/null
# Tries to set a kprobe on the second displaced instruction of each function. The kernel must refuse
# it: when the splice becomes a jump over several instructions, no CPU runs that instruction any
# more, and the kprobe would never be hit.
for function in $functions; do
	place "$function+$(nth $function 4)"
done
same "no kprobe on a displaced instruction while its splice is a trap" \
	"$(cat $tracing/kprobe_events)" ""
go_on
check "so all of them optimize" optimized every_second
at_least "and are hit" "$(hits_during every_second)" 30
same "the text is what the splices make of it" "$(kernel-text --splices /tmp/before)" "4 0"
weft unweave every_second >/dev/null

weft weave --optimized "$aspects/slots.ko" >/dev/null
for slot in $(kernel-text --slots slots); do place "$slot" && break; done
check "a kprobe on a slot" grep -q weft_test $tracing/kprobe_events
weft unweave slots >/dev/null 2>&1 &
await in_state slots retiring
sleep 1
same "the unweave waits for it" "$(state slots)" retiring
unprobe
wait $!
check "text restored" restored
weft weave --optimized "$aspects/slots.ko" >/dev/null
stall
weft unweave slots >/dev/null 2>&1 &
await in_state slots retiring
check "a kprobe on a slot that nothing leads to any more" place "$slot"
go_on
sleep 1
same "the retirement waits for it" "$(state slots)" retiring
unprobe
wait $!
check "and frees it" retired slots
check "text restored" restored
weft unweave --all >/dev/null 2>&1
weft read >/dev/null
check "weft.ko unloads" rmmod weft
finish
