#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Tests advice that runs once at each joinpoint. The blocks of a function that the library's aspect
# `coverage` reports as executed must be those at which kprobes were hit. When the advice has run,
# its splice must be taken out of the text while the aspect stays woven: also beside another
# aspect's splice, under a kprobe, under traffic on two CPUs, and however soon the aspect is
# unwoven.
. "$(dirname "$0")/lib.sh"
load_weft

# look: reads the aspect's present report. Writes a line "OFFSET HIT" to /tmp/blocks for each block
# of udp_sendmsg().
look() {
	weft report --json coverage >"$json"
	grep -o '"symbol":"udp_sendmsg","offset":[0-9]*,[^}]*"hit":[a-z]*' "$json" |
		sed 's/.*offset":\([0-9]*\),.*"hit":/\1 /' >/tmp/blocks
	all=$(grep -o '"hit":[tf]' "$json" | wc -l) hit=$(grep -o '"hit":t' "$json" | wc -l)
}
# Waits until the splices of all hit blocks are out of the text.
until_out() { await is_out; }
is_out() {
	look
	[ "$(figure coverage splices)" = $((all - hit)) ]
}
# Waits until no byte of the text differs from the original except in splices that wait for a hit. A
# splice that could not be taken out is tried again twice a second.
until_restored() { await differ 0 0; }
# differ LEAST MOST: succeeds if between LEAST and MOST bytes differ that belong to no splice.
differ() {
	read -r spliced others < <(kernel-text --splices /tmp/before)
	[ "$others" -ge "$1" ] && [ "$others" -le "$2" ] || { echo "$others bytes"; return 1; }
}

active udp >/dev/null
traffic 20 >/dev/null
kernel-text /tmp/before >/dev/null
check "weave" weft weave "$aspects/coverage.ko"
look
equal "all blocks wait" "$(figure coverage splices)" "$all"
same "none is hit" "$hit" 0
active udp >/dev/null
check "what was hit goes out of the text" until_out
look
between "blocks that were hit" "$hit" 10 $((all - 10))
same "each is counted once" "$(metric blocks | value count)" "$hit"
cp /tmp/blocks /tmp/hit
check "nothing else differs in the text" until_restored
read -r spliced _ < <(kernel-text --splices /tmp/before)
# There may be fewer splices than blocks without a hit, since several blocks may share a splice.
between "what waits is in the text" "$spliced" $(((all - hit) * 9 / 10)) $((all - hit))
hits=$(figure coverage hits)
active udp >/dev/null
same "nothing more is executed" "$(figure coverage hits)" "$hits"
look
check "and nothing else was hit" cmp /tmp/hit /tmp/blocks
check "in words" \
	bash -c "weft report coverage | grep -x 'hit, and taken out: $hit of $all joinpoints'"
check "as a page" weft report --html /tmp/page coverage
same "its summary calls none of them refused" \
	"$(sed -n 's/^<tr>\(<td>[0-9]*<\/td>\)\{5\}<td>\([0-9]*\).*/\2/p' /tmp/page)" \
	$(($(figure coverage joinpoints) - all))
check "unweave" weft unweave coverage
look
check "readable afterwards" cmp /tmp/hit /tmp/blocks
await in_state coverage gone

# Weaves beside another aspect's splices, with traffic on both CPUs, and unweaves before and after
# weft.ko first looks for hits (kmod/once.c).
check "weave another" weft weave "$aspects/entry_udp_sendmsg.ko"
traffic 100000 1000 >/dev/null &
one=$!
traffic 100000 1000 >/dev/null &
two=$!
wrong=
for pause in 0 0.08 0.12 0.2 0.4; do
	weft weave "$aspects/coverage.ko" >/dev/null || fail "weave under traffic" "exit $?"
	sleep $pause
	weft unweave coverage >/dev/null || fail "unweave under traffic" "exit $?"
	look
	[ "$(metric blocks | value count)" = "$hit" ] ||
		wrong="$wrong $pause: $(metric blocks | value count) for $hit"
done
kill $one $two
wait
same "of two CPUs one counts" "$wrong" ""
before=$(figure entry_udp_sendmsg hits)
check "weave" weft weave "$aspects/coverage.ko"
active udp >/dev/null
check "out" until_out
active udp >/dev/null
same "the other aspect's advice runs on" $(($(figure entry_udp_sendmsg hits) - before)) 40
check "unweave" weft unweave --all
check "text restored" restored
weft read >/dev/null

# A kprobe sits on a splice that is to be taken out. That splice stays in the text, and runs no
# advice, until the kprobe is removed.
check "weave, all jumps" weft weave --optimized "$aspects/coverage.ko"
while read -r offset hit; do
	[ "$hit" = true ] || continue
	echo "p:weft_test/blocked udp_sendmsg+$offset" 2>/dev/null >>$tracing/kprobe_events && break
done </tmp/hit
echo 1 >$tracing/events/weft_test/enable
active udp >/dev/null
check "all others go out" until_out
same "the kprobe is hit" \
	"$(awk '$1 == "blocked" { print ($2 + $3 >= 20) }' $tracing/kprobe_profile)" 1
check "its splice is what differs, and its donor" await differ 1 48
hits=$(figure coverage hits)
active udp >/dev/null
same "and runs nothing" "$(figure coverage hits)" "$hits"
echo 0 >$tracing/events/weft_test/enable
echo >$tracing/kprobe_events
check "until the kprobe has gone" until_restored
check "unweave" weft unweave coverage

# Runs the same program with a kprobe at each block that had a hit.
while read -r offset _; do
	echo "p:weft_test/at_$offset udp_sendmsg+$offset"
done </tmp/hit >/tmp/events
while read -r event; do echo "$event" >>$tracing/kprobe_events; done </tmp/events 2>/dev/null
echo 1 >$tracing/events/weft_test/enable
active udp >/dev/null
echo 0 >$tracing/events/weft_test/enable
sed -n 's/^ *at_\([0-9]*\) *\([0-9]*\) .*/\1 \2/p' $tracing/kprobe_profile |
	awk '{ print $1, ($2 > 0 ? "true" : "false") }' | sort >/tmp/kprobes
echo >$tracing/kprobe_events
join -t' ' <(sort /tmp/hit) /tmp/kprobes >/tmp/both
between "blocks that kprobes can see, too" "$(wc -l </tmp/both)" $((all * 9 / 10)) "$all"
same "kprobes are hit in the same blocks" "$(awk '$2 != $3' /tmp/both)" ""

# Advice with a condition has run once only when the condition was true. A splice that still waits
# for that is taken out when the aspect is unwoven.
traffic 20 >/dev/null
weft run "$aspects/once.ko" -- sh -c 'traffic 20 >/dev/null; active udp; active udp' \
	>/tmp/said 2>/dev/null
same "one record, where the condition holds" \
	"$(grep -c ' active-udp-[0-9]* udp_sendmsg.*: 1 bytes$' /tmp/said)" 1
same "one row, for its task" "$(awk '$1 == "active-udp" { print $2, $3 }' /tmp/said)" "1 1"
check "whom nobody has hit is told" grep -x 'hit, and taken out: 2 of 3 joinpoints' /tmp/said

# Tests that weft.ko stops looking for hits when no further hit is possible. Two of the three
# advices are hit, and the time of the third is over before it was hit.
looks() { sed -n 's/^ *looks *\([0-9]*\) .*/\1/p' $tracing/kprobe_profile; }
echo 'p:weft_test/looks weft:look' >$tracing/kprobe_events
echo 1 >$tracing/events/weft_test/looks/enable
begun=${EPOCHREALTIME/./}
weft weave "$aspects/once.ko" >/dev/null
active udp >/dev/null
sleep 0.5
are_looking() { [ "$(looks)" -ge 1 ]; }
check "looks while advice waits" await are_looking
n=$(looks)
between "a tenth of a second apart" "$n" 1 $(((${EPOCHREALTIME/./} - begun) / 90000 + 1))
has_rested() {
	local before
	before=$(looks)
	sleep 1
	[ "$(looks)" = "$before" ]
}
check "none when its time is over" await has_rested
same "its splice is there" "$(figure once splices)" 1
check "which was not hit" \
	bash -c "weft report once | grep -x 'hit, and taken out: 2 of 3 joinpoints'"
echo 0 >$tracing/events/weft_test/looks/enable
echo >$tracing/kprobe_events
verdicts late once $tracing
weft unweave once >/dev/null
weft read once >/dev/null
weft report --reset once >/dev/null
weft report --reset coverage >/dev/null
same "nothing is left of it" "$(weft list)" "no aspects"
check "weft.ko unloads" rmmod weft
finish
