#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Tests around-advice of some 600 calls, which is woven and unwoven under traffic: by jumps and by
# traps, alone and with a second aspect at one of the same calls, while the function tracer comes
# and goes. The traffic fails if one of its system calls fails, so it notices a call with a wrong
# argument or result. WEFT_STRESS_SECONDS says for how many seconds.
. "$(dirname "$0")/lib.sh"
load_weft
traffic 20 >/dev/null
kernel-text /tmp/before >/dev/null
echo 'vfs_read kfree mutex_unlock sock_wfree' >$tracing/set_ftrace_filter
: >/tmp/trouble
traffic 100000000 200 >/tmp/traffic 2>>/tmp/trouble &
end=$((SECONDS + ${WEFT_STRESS_SECONDS:-20})) rounds=0 hits=0
while ((SECONDS < end || rounds < 4)); do
	how=$( ((rounds % 3 == 2)) && echo --traps || echo --optimized)
	weft weave $how "$aspects/around_many.ko" >/dev/null || echo "no weave" >>/tmp/trouble
	((rounds % 2)) && echo function >$tracing/current_tracer
	weft weave "$aspects/around_calls_inner.ko" >/dev/null || echo "no second" >>/tmp/trouble
	sleep 0.3
	echo nop >$tracing/current_tracer
	hits=$((hits + $(figure around_many hits)))
	if ((rounds % 2)); then
		weft unweave around_many >/dev/null && weft unweave around_calls_inner >/dev/null
	else
		weft unweave around_calls_inner >/dev/null && weft unweave around_many >/dev/null
	fi || echo "no unweave" >>/tmp/trouble
	await is_retired around_many || echo "somebody stays inside" >>/tmp/trouble
	((rounds++))
done
echo >$tracing/set_ftrace_filter
kill %1
wait %1 || echo "traffic failed" >>/tmp/trouble
same "traffic goes on while calls get around-advice and lose it" "$(cat /tmp/trouble)" ""
at_least "rounds were made" "$rounds" 4
at_least "and hits" "$hits" 1000
check "unweave" weft unweave --all
check "text restored" restored
weft read >/dev/null
check "weft.ko unloads" rmmod weft
finish
