#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Tests the start and end blocks of an aspect. They must run once for each weave, the start block
# before the first hit and the end block after the last, however the weave ends. If a start block
# returns an error, nothing may be woven. The end block logs how many hits the advice itself has
# counted, which must be as many as weft.ko counts.
. "$(dirname "$0")/lib.sh"
load_weft
module=$aspects/blocks.ko
out=/tmp/records

are_hit() { [ "$(figure blocks hits)" -gt "$1" ]; }
records() { grep -c ": $1" $out; }

# This process reads, and so hits the advice, while the aspect is woven and unwoven.
dd if=/dev/zero of=/dev/null bs=1 2>/dev/null &
reader=$!
for round in 1 2; do
	check "weave $round" weft weave "$module"
	await are_hit 100
	hits=$(figure blocks hits)
	check "unweave $round" weft unweave blocks
	total=$(figure blocks hits)
	weft read >$out
	same "$round: the start block's record is the first" \
		"$(head -n 1 $out | grep -c ' start: ready 1$')" 1
	same "$round: the end block's is the last" \
		"$(tail -n 1 $out | sed 's/.* end: //')" "seen $total"
	same "$round: nothing between them" "$(wc -l <$out)" 2
	if [ "$total" -ge "$hits" ] && [ "$hits" -gt 100 ]; then
		pass "$round: there were hits"
	else
		fail "hits" "$hits, then $total"
	fi
done

kernel-text /tmp/before >/dev/null
nice -n 7 weft weave "$module" 2>/tmp/said
same "a start block that refuses" $? 10
same "is quoted" "$(tail -n 1 /tmp/said)" \
	"weft: blocks: its <start> block returned -16 (Device or resource busy), \
so it was not woven"
check "nothing was changed" restored
same "nothing is left" "$(weft list)" "no aspects"

weft weave --bound "$module" >/dev/null &
owner=$!
await in_state blocks woven
kill -9 $owner
wait $owner 2>/dev/null
await in_state blocks loaded
weft unweave --all >/dev/null
weft read >$out
same "killed: the end block ran" "$(records 'seen [0-9]*$')" 1
same "killed: once, and last" "$(tail -n 1 $out | grep -c ' end: seen')" 1
kill $reader
wait $reader 2>/dev/null

weft weave "$aspects/blocks_undone.ko" 2>/tmp/said
same "a weave that fails behind the start block" $? 12
weft read >$out
same "what it did was done" "$(records 'registered 0$')" 1
same "and undone" "$(tail -n 1 $out | grep -c ' end: unregistered$')" 1
same "by the kernel's own list" "$(grep -c sock_wfree /sys/kernel/debug/kprobes/list 2>/dev/null)" 0
check "weft.ko unloads" rmmod weft
finish
