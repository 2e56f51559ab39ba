#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Bounces whose slot is in a host, a window that moves out of the way: hits against the kernel's own count, every byte of both, hosts with
# advice of their own, and what may happen before they have settled and while they go.
. "$(dirname "$0")/lib.sh"
load_weft
give_way
taskset -cp 0 $$ >/dev/null
traffic 20 >/dev/null
kernel-text /tmp/before >/dev/null
bounces=$aspects/hosted_bounces.ko hosts=$aspects/hosted_hosts.ko
n=$(weft points "$O/vm/aspects/hosted_bounces.xml" --json | wc -l)
unweave() { weft unweave "$1" 2>&1 | grep -oE '^text restored: .*' | sed -E 's/: ([1-9][0-9]*) of \1 bytes.*/: all/'; }

# ---- settled ---------------------------------------------------------------------------------------------------------------
weft weave --settled "$bounces" >/tmp/ledger 2>&1
check "all are bounces ($n)" grep -q "matched $n = call 0 + jump 0 + bounce $n + trap 0 + refused 0" /tmp/ledger
if [ "$n" -ge 5 ]; then pass "and they are enough"; else fail "shadows" "only $n"; fi
same "every byte is what bounces and hosts make of it" "$(kernel-text --splices /tmp/before)" "$n 0"
check "traffic goes on, over hosts and bounces" traffic 200
if [ "$(figure hosted_bounces hits)" -ge 1000 ]; then pass "they are hit"; else fail "hits" "$(figure hosted_bounces hits)"; fi
same "unwoven" "$(unweave hosted_bounces)" "text restored: all"
check "text restored" restored

# ---- hits: a bounce that only a call returns to runs as often as the call ----------------------------------------------------------
offset=$(sed -n 's/.*offset="\([0-9]*\)".*/\1/p' "$aspects/hosted_first.xml")
listing=$(objdump -d --prefix-addresses --disassemble=__tcp_transmit_skb "$WEFT_KERNEL/vmlinux")
call=$(grep -B 1 "<__tcp_transmit_skb+$(printf 0x%x "$offset")>  *[a-z]" <<<"$listing" | sed -nE '1s/.*\+(0x[0-9a-f]+)> call .*/\1/p')
same "nothing else leads there" "$(grep -c " j.*<__tcp_transmit_skb+$(printf 0x%x "$offset")>" <<<"$listing")" 0
echo "p:weft_test/before __tcp_transmit_skb+$call" >$tracing/kprobe_events
weft weave --settled "$aspects/hosted_first.ko" >/tmp/ledger 2>&1
check "one bounce" grep -q "bounce 1 + trap 0" /tmp/ledger
echo 1 >$tracing/events/weft_test/enable
before=$(figure hosted_first hits)
taskset -c 1 traffic 300 >/dev/null &
traffic 300 >/dev/null
wait $!
counted=$(awk '{ n += $2 + $3 } END { print n }' $tracing/kprobe_profile)
same "hits equal the kprobe's count" "$(($(figure hosted_first hits) - before + $(figure hosted_first missed)))" "$counted"
if [ "$counted" -ge 500 ]; then pass "and there were some ($counted)"; else fail "counted" "$counted"; fi
echo 0 >$tracing/events/weft_test/enable
echo >$tracing/kprobe_events
same "unwoven" "$(unweave hosted_first)" "text restored: all"

# ---- plans that say the same thing a hundred thousand times -----------------------------------------------------------------------
weft weave --settled "$aspects/hosted_first.ko" >/dev/null 2>&1
verdicts repeats hosted_first 100000 15
rmmod hosted_first

# ---- advice in hosts -----------------------------------------------------------------------------------------------------------
for first in bounces hosts; do
	weft weave --settled "$bounces" >/dev/null 2>&1
	weft weave --settled "$hosts" >/tmp/ledger 2>&1
	same "advice in hosts joins them" "$(figure hosted_hosts splices) $(figure hosted_hosts settling)" "$n 0"
	same "in the text" "$(kernel-text --splices /tmp/before)" "$n 0"
	check "traffic goes on" traffic 50
	if [ "$(figure hosted_hosts hits)" -ge 100 ]; then pass "they are hit"; else fail "hits" "$(figure hosted_hosts hits)"; fi
	weft unweave hosted_$first >/tmp/said 2>&1
	check "the $first go first, without the hosts" grep -qE '^text restored: ([0-9]+) of \1 bytes identical .*for other aspects' /tmp/said
	left=$([ $first = hosts ] && echo bounces || echo hosts)
	before=$(figure hosted_$left hits)
	check "traffic goes on" traffic 50
	if [ "$(($(figure hosted_$left hits) - before))" -ge 100 ]; then pass "the others are hit"; else fail "hits" "none"; fi
	same "and go, too" "$(unweave hosted_$left)" "text restored: all"
	check "text restored" restored
done
weft weave --settled "$hosts" >/dev/null 2>&1
weft weave --settled "$bounces" >/tmp/ledger 2>&1
check "a window that is there is no host" grep -q "bounce 0 + trap $n" /tmp/ledger
check "traffic goes on" traffic 50
weft unweave --all >/dev/null
check "text restored" restored

# ---- before they settle, and while they go ---------------------------------------------------------------------------------------
stall
weft weave "$bounces" >/dev/null
same "traps as long as somebody may be in a host" "$(state hosted_bounces) $(figure hosted_bounces settling)" "settling $n"
same "and the bytes say so" "$(kernel-text --splices /tmp/before)" "$n 0"
if [ "$(hits_during hosted_bounces)" -ge 100 ]; then pass "they are hit"; else fail "settling" "no hits"; fi
weft weave "$hosts" >/dev/null
same "advice joins hosts that settle" "$(kernel-text --splices /tmp/before)" "$n 0"
weft unweave hosted_bounces >/dev/null 2>&1 &
await in_state hosted_bounces retiring
if [ "$(hits_during hosted_hosts)" -ge 30 ]; then pass "and stays when the bounces go"; else fail "settling" "no hits"; fi
go_on
wait $!
check "it settles" settled hosted_hosts
check "traffic goes on" traffic 50
weft unweave --all >/dev/null
check "text restored" restored

stall
weft weave --bound "$bounces" >/dev/null &
bound=$!
await in_state hosted_bounces settling
kill -9 $bound
wait $bound 2>/dev/null
same "a bound one goes with its process while it settles" "$(state hosted_bounces)" retiring
go_on
weft unweave --all >/dev/null 2>&1
retired hosted_bounces
check "text restored" restored
rmmod hosted_bounces

# ---- kprobes on a host and on its slot -------------------------------------------------------------------------------------------
address=$(sed -n 's/.*symbol="__tcp_transmit_skb" offset="\([0-9]*\)".*/\1/p' "$O/vm/aspects/hosted_hosts.xml" | head -n 1)
for at in 0 5; do
	weft weave --settled "$bounces" >/dev/null 2>&1
	check "a kprobe on byte $at of a host" bash -c "echo p:weft_test/probe __tcp_transmit_skb+$((address + at)) >$tracing/kprobe_events"
	echo 1 >$tracing/events/weft_test/enable
	check "both go on" traffic 50
	weft unweave hosted_bounces >/dev/null 2>&1 &
	await in_state hosted_bounces retiring
	check "traffic goes on" traffic 50
	same "the unweave waits for the kprobe" "$(state hosted_bounces)" retiring
	echo 0 >$tracing/events/weft_test/enable
	echo >$tracing/kprobe_events
	wait $!
	check "text restored" restored
done
weft read >/dev/null 2>&1
check "weft.ko unloads" rmmod weft
finish
