#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Hits against an independent count of the same executions in the same run: kprobe events (the kernel's own profile of them)
# on the same functions, which sit on ftrace's bytes at the entry, where weft's splices come right after. The functions are
# ones that only the traffic calls, so that looking at the figures does not change them.
. "$(dirname "$0")/lib.sh"
load_weft
functions="udp_sendmsg unix_dgram_sendmsg inet_accept sock_wfree"

for function in $functions; do
	weft weave "$aspects/entry_$function.ko" >/dev/null || fail "weave entry_$function" "exit $?"
	echo "p:weft_test/$function $function" >>$tracing/kprobe_events
done
echo 1 >$tracing/events/weft_test/enable
counted() { awk -v f="$1" '$1 == f { print $2 }' $tracing/kprobe_profile; }

traffic 300 >/dev/null
for function in $functions; do
	hits=$(figure entry_$function hits)
	same "$function: hits + missed equal the kprobe's count" \
		"$((hits + $(figure entry_$function missed)))" "$(counted $function)"
	if [ "$hits" -ge 30 ]; then pass "$function was hit ($hits)"; else fail "$function" "only $hits hits"; fi
	same "$function: hits = records + lost" "$hits" \
		"$(($(figure entry_$function records) + $(figure entry_$function lost)))"
done

echo 0 >$tracing/events/weft_test/enable
echo >$tracing/kprobe_events
check "unweave" weft unweave --all
finish
