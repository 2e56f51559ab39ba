#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Compares weft's hits with the kernel's own count of the same executions, by kprobe events at the
# same functions. A kprobe is on ftrace's bytes at the entry, weft's splice right after these. Only
# the traffic calls these functions, so reading the counts does not change them.
. "$(dirname "$0")/lib.sh"
load_weft
functions="udp_sendmsg unix_dgram_sendmsg inet_accept sock_wfree"

for function in $functions; do
	weft weave "$aspects/entry_$function.ko" >/dev/null ||
		fail "weave entry_$function" "exit $?"
	echo "p:weft_test/$function $function" >>$tracing/kprobe_events
done
echo 1 >$tracing/events/weft_test/enable
counted() { awk -v f="$1" '$1 == f { print $2 + $3 }' $tracing/kprobe_profile; }

traffic 300 >/dev/null
for function in $functions; do
	hits=$(figure entry_$function hits)
	same "$function: hits + missed equal the kprobe's count" \
		"$((hits + $(figure entry_$function missed)))" "$(counted $function)"
	at_least "$function was hit" "$hits" 30
	same "$function: hits = records + lost" "$hits" \
		"$(($(figure entry_$function records) + $(figure entry_$function lost)))"
done

unprobe() { echo 0 >$tracing/events/weft_test/enable; echo >$tracing/kprobe_events; }
unprobe
check "unweave" weft unweave --all

# ---- advice attached before jump labels and a static call, which are the kernel's patch sites ----
kernel-text /tmp/before >/dev/null
functions=$(sed -nE 's/.*symbol="([^"]*)".*/\1/p' "$aspects/attached_before.xml")
weft weave --optimized "$aspects/attached_before.ko" >/tmp/summary
same "what others own is spliced up to" \
	"$(sed -nE '1s/.*(matched [0-9]+).*(trap .*)/\1 \2/p' /tmp/summary)" \
	"matched $(wc -w <<<"$functions") trap 0 + refused 0"
label=$(sed -nE 's/.*symbol="(udp_queue_rcv_one_skb)" offset="([^"]*)".*/\1+\2/p' \
	"$aspects/attached_before.xml")
weft explain "$label" >/tmp/explained
same "explained: whose it is, and for which advice" \
	"$(grep -cE '^(owner: a jump label|attached before: its own bytes stay)' /tmp/explained)" 2
for function in $functions; do echo "p:weft_test/$function $function" >>$tracing/kprobe_events; done
echo 1 >$tracing/events/weft_test/enable
# Switches the jump label right after one of the displaced ranges on and off while CPUs run there.
traffic 1000 >/dev/null &
for ((i = 0; i < 20; i++)); do
	echo $((i % 2)) >$tracing/events/tcp/tcp_rcv_space_adjust/enable
done
wait $!
counted=$(awk '{ n += $2 + $3 } END { print n }' $tracing/kprobe_profile)
same "hits + missed equal the kprobes' count" \
	"$(($(figure attached_before hits) + $(figure attached_before missed)))" "$counted"
at_least "and there were some" "$counted" 3000
echo 0 >$tracing/events/tcp/tcp_rcv_space_adjust/enable
unprobe
check "unweave" weft unweave --all
check "text restored" restored
finish
