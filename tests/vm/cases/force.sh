#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# alone: leaves an end block that never returns
#
# Tests rmmod -f of an aspect's module while the aspect is woven, while it is starting, while a
# kprobe is on its splice, and while its end block never returns. The module's text must stay in
# memory as long as a CPU or task may run in it.
. "$(dirname "$0")/lib.sh"
load_weft
out=/tmp/records
block() { echo "p:blocking $1" >$tracing/kprobe_events && echo 1 >$tracing/events/kprobes/enable; }
unblock() { echo 0 >$tracing/events/kprobes/enable && : >$tracing/kprobe_events; }
# The first kprobe and the first traffic make the kernel switch jump labels on, for good; this
# changes the kernel's text.
block do_nanosleep && unblock
traffic 20 >/dev/null
kernel-text /tmp/before >/dev/null

if ! zgrep -q '^CONFIG_MODULE_FORCE_UNLOAD=y' /proc/config.gz 2>/dev/null &&
	! grep -q '^CONFIG_MODULE_FORCE_UNLOAD=y' "$WEFT_KERNEL/.config"; then
	echo "skip   this kernel knows no rmmod -f"; skipped=1
	finish
	exit
fi
are_hit() { [ "$(figure blocks hits)" -gt 100 ]; }
gone() { ! grep -q "^$1 " /proc/modules; }

readers=()
for cpu in 0 1; do
	taskset -c $cpu dd if=/dev/zero of=/dev/null bs=1 2>/dev/null &
	readers+=($!)
done
for round in {1..5}; do
	weft weave "$aspects/blocks.ko" >/dev/null || fail "weave $round" $?
	await are_hit
	rmmod -f blocks || fail "rmmod -f $round" $?
	gone blocks || fail "its module $round" "is there"
	weft read >$out
	same "$round: the end block has run, with hits" \
		"$(tail -n 1 $out | grep -c ' end: seen [1-9]')" 1
done
check "the text is the kernel's own" restored
kill "${readers[@]}"
wait "${readers[@]}" 2>/dev/null

weft weave "$aspects/slow_blocks.ko" >/tmp/said 2>&1 &
weaver=$!
await in_state slow_blocks starting
# rmmod waits for the start block, which waits until `go` is written.
{ sleep 1; echo 1 >/sys/module/slow_blocks/parameters/go; } &
check "one that is starting" rmmod -f slow_blocks
wait $weaver
check "is gone" gone slow_blocks
check "and its text is the kernel's own" restored

# The kprobe keeps the splice in the text, so the splice still leads to its trampoline.
blocked=entry_udp_sendmsg
weft weave "$aspects/$blocked.ko" >/dev/null
address=$(weft list --bytes | awk -v a=$blocked '$4 == a { print $1 }')
check "a kprobe on a splice" block "$address"
rmmod -f $blocked &
remover=$!
check "one with a kprobe on its splice begins to go" await in_state $blocked retiring
sleep 2
if gone $blocked; then fail "its module" "is gone"; else pass "its module stays"; fi
traffic 20 >/dev/null
check "others are woven beside it" weft weave "$aspects/entry_sock_wfree.ko"
check "and unwoven" weft unweave entry_sock_wfree
unblock
wait $remover
check "without the kprobe it goes" gone $blocked
traffic 20 >/dev/null
weft read >/dev/null
check "and its text is the kernel's own" restored

weft weave "$aspects/endless_end.ko" >/dev/null
rmmod -f endless_end &
await in_state endless_end ending
check "one that never ends: the text is the kernel's own" restored
sleep 1
if gone endless_end; then fail "its module" "is gone"; else pass "and its module stays"; fi
check "others are woven" weft weave "$aspects/entry_sock_wfree.ko"
traffic 20 >/dev/null
check "and unwoven" weft unweave entry_sock_wfree
check "the log says why" \
	grep -q 'weft: endless_end: unloaded by force, so its module waits' <<<"$(dmesg)"
finish
