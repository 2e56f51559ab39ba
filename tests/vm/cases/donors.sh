#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Tests springboards that get their slot from a donor, which is another splice whose displaced range
# has room for the slot after its own jump. Donors that have advice of their own are tested too.
# Hits are compared with the kernel's own count. Every byte of springboards and donors is compared
# with what it should be, also while the donors are still traps and while they are removed. The case
# fails if a byte or a count differs.
. "$(dirname "$0")/lib.sh"
load_weft
give_way
taskset -cp 0 $$ >/dev/null
traffic 20 >/dev/null
kernel-text /tmp/before >/dev/null
springboards=$aspects/donors_springboards.ko donors=$aspects/donors_donors.ko
n=$(weft points "$O/vm/aspects/donors_springboards.xml" --json | wc -l)
unweave() {
	weft unweave "$1" 2>&1 | grep -oE '^text restored: .*' |
		sed -E 's/: ([1-9][0-9]*) of \1 bytes.*/: all/'
}

# ---- springboards and donors after they have optimized -------------------------------------------
weft weave --optimized "$springboards" >/tmp/summary 2>&1
check "all are springboards ($n)" \
	grep -q "matched $n = call 0 + jump 0 + springboard $n + trap 0 + refused 0" /tmp/summary
at_least "and they are enough" "$n" 5
same "every byte is what springboards and donors make of it" \
	"$(kernel-text --splices /tmp/before)" "$n 0"
check "traffic goes on, over donors and springboards" traffic 200
at_least "they are hit" "$(figure donors_springboards hits)" 1000
same "unwoven" "$(unweave donors_springboards)" "text restored: all"
check "text restored" restored

# ---- a springboard that only a call returns to is hit as often as the call is made ---------------
offset=$(sed -n 's/.*offset="\([0-9]*\)".*/\1/p' "$aspects/donors_first.xml")
listing=$(objdump -d --prefix-addresses --disassemble=__tcp_transmit_skb "$WEFT_KERNEL/vmlinux")
call=$(grep -B 1 "<__tcp_transmit_skb+$(printf 0x%x "$offset")>  *[a-z]" <<<"$listing" |
	sed -nE '1s/.*\+(0x[0-9a-f]+)> call .*/\1/p')
same "nothing else leads there" \
	"$(grep -c " j.*<__tcp_transmit_skb+$(printf 0x%x "$offset")>" <<<"$listing")" 0
echo "p:weft_test/before __tcp_transmit_skb+$call" >$tracing/kprobe_events
weft weave --optimized "$aspects/donors_first.ko" >/tmp/summary 2>&1
check "one springboard" grep -q "springboard 1 + trap 0" /tmp/summary
echo 1 >$tracing/events/weft_test/enable
before=$(figure donors_first hits)
taskset -c 1 traffic 300 >/dev/null &
traffic 300 >/dev/null
wait $!
counted=$(awk '{ n += $2 + $3 } END { print n }' $tracing/kprobe_profile)
same "hits equal the kprobe's count" \
	"$(($(figure donors_first hits) - before + $(figure donors_first missed)))" "$counted"
at_least "and there were some" "$counted" 500
echo 0 >$tracing/events/weft_test/enable
echo >$tracing/kprobe_events
same "unwoven" "$(unweave donors_first)" "text restored: all"

# ---- plans that repeat one element a hundred thousand times are checked fast ---------------------
weft weave --optimized "$aspects/donors_first.ko" >/dev/null 2>&1
verdicts repeats donors_first 100000 15
rmmod donors_first

# ---- advice in the donors themselves -------------------------------------------------------------
for first in springboards donors; do
	weft weave --optimized "$springboards" >/dev/null 2>&1
	weft weave --optimized "$donors" >/tmp/summary 2>&1
	same "advice in donors joins them" \
		"$(figure donors_donors splices) $(figure donors_donors optimizing)" "$n 0"
	same "in the text" "$(kernel-text --splices /tmp/before)" "$n 0"
	check "traffic goes on" traffic 50
	at_least "they are hit" "$(figure donors_donors hits)" 100
	weft unweave donors_$first >/tmp/said 2>&1
	check "the $first go first, without the donors" grep -qE \
		'^text restored: ([0-9]+) of \1 bytes identical .*for other aspects' /tmp/said
	left=$([ $first = donors ] && echo springboards || echo donors)
	before=$(figure donors_$left hits)
	check "traffic goes on" traffic 50
	at_least "the others are hit" "$(($(figure donors_$left hits) - before))" 100
	same "and go, too" "$(unweave donors_$left)" "text restored: all"
	check "text restored" restored
done
weft weave --optimized "$donors" >/dev/null 2>&1
weft weave --optimized "$springboards" >/tmp/summary 2>&1
check "a splice that is there is no donor" grep -q "springboard 0 + trap $n" /tmp/summary
check "traffic goes on" traffic 50
weft unweave --all >/dev/null
check "text restored" restored

# ---- springboards and donors before they optimize, and while they are removed --------------------
stall
weft weave "$springboards" >/dev/null
same "traps as long as somebody may be in a donor" \
	"$(state donors_springboards) $(figure donors_springboards optimizing)" "optimizing $n"
same "and the bytes say so" "$(kernel-text --splices /tmp/before)" "$n 0"
at_least "they are hit" "$(hits_during donors_springboards)" 100
weft weave "$donors" >/dev/null
same "advice joins donors that optimize" "$(kernel-text --splices /tmp/before)" "$n 0"
weft unweave donors_springboards >/dev/null 2>&1 &
await in_state donors_springboards retiring
at_least "and stays when the springboards go" "$(hits_during donors_donors)" 30
go_on
wait $!
check "it is optimized" optimized donors_donors
check "traffic goes on" traffic 50
weft unweave --all >/dev/null
check "text restored" restored

stall
weft weave --bound "$springboards" >/dev/null &
bound=$!
await in_state donors_springboards optimizing
kill -9 $bound
wait $bound 2>/dev/null
same "a bound one goes with its process while it is optimized" \
	"$(state donors_springboards)" retiring
go_on
weft unweave --all >/dev/null 2>&1
retired donors_springboards
check "text restored" restored
rmmod donors_springboards

# ---- a kprobe can be set on a donor, but not on its slot -----------------------------------------
address=$(sed -n 's/.*symbol="__tcp_transmit_skb" offset="\([0-9]*\)".*/\1/p' \
	"$O/vm/aspects/donors_donors.xml" | head -n 1)
probe="echo p:weft_test/probe __tcp_transmit_skb"
weft weave --optimized "$springboards" >/dev/null 2>&1
check "no kprobe on the slot, where no instruction of the kernel's is" \
	bash -c "! $probe+$((address + 5)) >$tracing/kprobe_events"
check "one on the donor" bash -c "$probe+$address >$tracing/kprobe_events"
echo 1 >$tracing/events/weft_test/enable
check "both go on" traffic 50
weft unweave donors_springboards >/dev/null 2>&1 &
await in_state donors_springboards retiring
check "traffic goes on" traffic 50
same "the unweave waits for the kprobe" "$(state donors_springboards)" retiring
echo 0 >$tracing/events/weft_test/enable
echo >$tracing/kprobe_events
wait $!
check "text restored" restored
weft read >/dev/null 2>&1
check "weft.ko unloads" rmmod weft
finish
