#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Tests splices in a loadable module that comes and goes. The module (tests/vm/modules/shapes.c)
# computes everything twice and compares the results, counts what it runs, and calls one of its
# functions a known number of times in its init function. The aspects' tables are written by
# tests/vm/module-aspect.sh. The case fails if the module computes something else, if a hit is lost,
# or if its text is not the original afterwards.
. "$(dirname "$0")/lib.sh"
rounds=${WEFT_MODULE_ROUNDS:-6}
shapes=$WEFT_MODULES/shapes.ko other=$WEFT_MODULES/other/shapes.ko
every=$aspects/shapes_every.ko clobber=$aspects/shapes_clobber.ko
tracing=/sys/kernel/tracing
mount -t tracefs tracefs $tracing 2>/dev/null
load_weft

# traffic TIMES: makes the module run its functions.
traffic() {
	echo "$1" >/dev/shapes
}
runs() { cat /sys/module/shapes/parameters/runs; }
text() { module-text shapes "$shapes"; }
# spliced ASPECT: prints how many splices the aspect has in all; `figure` would print those of its
# last section only.
spliced() {
	weft list --json | grep "^{\"aspect\":\"$1\"," |
		sed -E 's/.*"joinpoints":[0-9]*,"accesses":\{[^}]*\},"splices":([0-9]*),.*/\1/'
}
# part ASPECT SECTION: prints state, splices and refused shadows of the aspect's part in SECTION.
part() {
	local number=':([0-9]*)'

	weft list --json | grep "^{\"aspect\":\"$1\"," | sed -nE \
"s/.*\"section\":\"$2\",\"state\":\"([a-z]*)\",\"splices\"$number,\"refused\"$number.*/\1 \2 \3/p"
}
splat() { dmesg | grep -cE 'BUG:|WARNING:|Oops|weft: splice at'; }

# ---- an aspect in a module that is loaded already ----
insmod "$shapes"
traffic 3 # If the kernel writes the module's static keys and calls at all, it does so now.
before=$(text)
check "weave at every instruction" bash -c "weft weave $every >/tmp/said"
at_least "most of them" "$(spliced shapes_every)" 150
check "the module computes the same, as traps" traffic 50
await in_state shapes_every woven
check "and as jumps" traffic 50
at_least "hits" "$(figure shapes_every hits)" 10000
check "another aspect, which clobbers registers, shares them" \
	bash -c "weft weave $clobber >/tmp/said"
check "the module computes the same" traffic 50
weft unweave shapes_every >/tmp/unweave
check "it does after the first has gone" traffic 50
weft unweave shapes_clobber >/tmp/unweave
check "every byte is back, says weft" grep -qE '^text restored: ([1-9][0-9]*) of \1 bytes' \
	/tmp/unweave
same "and /proc/kcore" "$(text)" "$before"

check "weave at the entry of one" bash -c "weft weave $aspects/shapes_exact.ko >/tmp/said"
echo 'p:seen shapes:shapes_tail' >$tracing/kprobe_events
echo 1 >$tracing/events/kprobes/seen/enable
start=$(runs)
traffic 100
same "hits are the module's own count" "$(figure shapes_exact hits)" "$(($(runs) - start))"
same "and a kprobe's" "$(sed -nE 's/^ *seen +([0-9]+) .*/\1/p' $tracing/kprobe_profile)" \
	"$(figure shapes_exact hits)"
echo 0 >$tracing/events/kprobes/seen/enable
: >$tracing/kprobe_events
weft unweave shapes_exact >/dev/null

# ---- an aspect in the kernel and in the module ----
check "kernel and module in one weave" bash -c "weft weave $aspects/shapes_both.ko >/tmp/said"
same "a splice in each" "$(spliced shapes_both) $(part shapes_both .text)" "2 woven 1 0"
rmmod shapes
same "the module goes, the kernel's splice stays" \
	"$(state shapes_both) $(spliced shapes_both) $(part shapes_both .text)" \
	"woven 1 gone 0 0"
insmod "$shapes"
same "what was not asked to wait is not woven when the module is back" \
	"$(part shapes_both .text)" "loaded 0 0"
check "unweave" bash -c "weft unweave shapes_both >/tmp/unweave"
rmmod shapes
refuses "an aspect of a module that is not there" 10 'module shapes is not loaded.*--pending' \
	weft weave "$aspects/shapes_both.ko"
same "then nothing is woven, in the kernel neither" "$(state shapes_both)" none

# ---- an aspect that waits for the module to be loaded ----
check "it may wait" bash -c "weft weave --pending $aspects/shapes_early.ko >/tmp/said"
check "and says so" grep -q '1 shadow pending' /tmp/said
same "weft list, too" "$(part shapes_early .text)" "pending 0 0"
insmod "$shapes"
same "woven before init runs: all of its calls are hits" "$(figure shapes_early hits)" 7
same "by the list" "$(part shapes_early .text)" "woven 1 0"
rmmod shapes
same "the exit function's call is one more" "$(figure shapes_early hits)" 8
same "it waits again" "$(part shapes_early .text)" "pending 0 0"
insmod "$shapes" fails=1 2>/dev/null
same "a module whose init fails" "$(figure shapes_early hits) $(part shapes_early .text)" \
	"15 pending 0 0"
insmod "$other"
same "another build is not woven" "$(figure shapes_early hits) $(part shapes_early .text)" \
	"15 other 0 0"
check "the log names it" \
	bash -c 'dmesg | grep -q "shapes_early: the module shapes .* another build"'
refuses "and a weave is refused by name" 7 'the module shapes that is loaded is another build' \
	weft weave --pending "$aspects/shapes_exact.ko"
rmmod shapes
insmod "$shapes"
same "the build that it was made for is" "$(figure shapes_early hits)" 22
weft unweave shapes_early >/dev/null
rmmod shapes

# ---- an aspect in two sections of the module ----
# All shadows of the second section are refused. A part that was woven by a plan must not be woven
# once more.
both_parts() { echo "$(part shapes_parts .text) $(part shapes_parts .static_call.text)"; }
insmod "$shapes"
check "two sections of a module that is there" \
	bash -c "weft weave --pending $aspects/shapes_parts.ko >/tmp/said"
same "of one every shadow is refused" "$(grep -c 'refused __SCT__.*: static-call' /tmp/said)" 1
same "the other is woven once" \
	"$(spliced shapes_parts) $(both_parts)" "1 woven 1 0 loaded 0 0"
start=$(runs)
traffic 10
same "each execution is one hit" "$(figure shapes_parts hits)" "$(($(runs) - start))"
rmmod shapes
insmod "$shapes"
same "what is refused when it comes counts for its section alone" \
	"$(spliced shapes_parts) $(both_parts)" "1 woven 1 0 loaded 0 1"
weft unweave shapes_parts >/dev/null
rmmod shapes

# ---- an aspect in the module's init and exit functions ----
check "init text, pending" bash -c "weft weave --pending $aspects/shapes_init.ko >/tmp/said"
insmod "$shapes"
same "exit text is woven" "$(part shapes_init .exit.text | cut -d' ' -f1)" woven
at_least "init text is not: all of its shadows are refused" \
	"$(part shapes_init .init.text | sed -n 's/^other 0 //p')" 5
check "which weft list says" grep -q 'init text' <<<"$(weft list)"
weft unweave shapes_init >/dev/null
weft weave --verbose "$aspects/shapes_init.ko" >/tmp/said
at_least "in a loaded module it is refused" "$(grep -c 'refused init_module.*not-text' /tmp/said)" 5
weft unweave shapes_init >/dev/null

# ---- aspects' tables with a wrong location, and aspects for other modules, are refused ----
for forged in anchor beyond before; do
	weft weave "$aspects/shapes_$forged.ko" >/tmp/said 2>&1
	same "a table with a wrong $forged" \
		"$? $(grep -c 'refused shapes_tail+.*: not-text' /tmp/said)" "11 1"
done
refuses "a module of another name" 10 'module .* is not loaded' weft weave "$aspects/shapes_none.ko"
refuses "a joinpoint behind its part" 6 'a part without a build-id or a size' \
	weft weave "$aspects/shapes_size.ko"
check "and weft.ko does not take it either" bash -c "! insmod $aspects/shapes_size.ko 2>/dev/null"
check "nor one of the kernel's that lies where modules are" \
	bash -c "! insmod $aspects/shapes_reach.ko 2>/dev/null"
check "and says so" bash -c 'dmesg | grep -q "shapes_reach: damaged table of parts"'
insmod "$aspects/shapes_both.ko"
verdicts forged-plan shapes_both --parts
rmmod shapes_both
check "with all this the module computes the same" traffic 20

# ---- the module is unloaded in the middle of a weave ----
# The aspect's start block waits until the parameter `open` is set.
weft weave "$aspects/shapes_gated.ko" >/tmp/gated 2>&1 &
weaving=$!
await in_state shapes_gated starting
rmmod shapes
echo Y >/sys/module/shapes_gated/parameters/open
wait $weaving
same "a module that goes in the middle of a weave" "$?" 12
check "is told" grep -q 'nothing was changed: weave it again' /tmp/gated
insmod "$shapes"
traffic 3

# A kprobe over a splice keeps the splice in the text until the module is unloaded.
weft weave --optimized "$aspects/shapes_jump.ko" >/dev/null
# The splice is right after ftrace's call; a kernel with IBT has an endbr64 before that call.
landing=$(objdump -d --disassemble=shapes_switch "$shapes" | grep -m 1 -c endbr64)
echo "p:over shapes:shapes_switch+$((5 + 4 * landing))" >$tracing/kprobe_events
echo 1 >$tracing/events/kprobes/over/enable
traffic 3
weft unweave shapes_jump >/dev/null 2>&1
same "a kprobe holds up the retirement" "$(state shapes_jump)" retiring
rmmod shapes
await in_state shapes_jump loaded
same "which ends when the module goes" "$(state shapes_jump)" loaded
echo 0 >$tracing/events/kprobes/over/enable
: >$tracing/kprobe_events
weft unweave shapes_jump >/dev/null 2>&1

# ---- many rounds of loading, weaving, unweaving and unloading under traffic ----
rm -f /tmp/trouble /tmp/busy_rounds
weft weave --pending "$aspects/shapes_early.ko" >/dev/null
for ((round = 1; round <= rounds; round++)); do
	insmod "$shapes" || { echo "round $round: insmod" >>/tmp/trouble; break; }
	weft unweave shapes_early >/dev/null
	before=$(text)
	weft weave --pending "$aspects/shapes_early.ko" >/dev/null
	: >/tmp/busy
	while [ -e /tmp/busy ]; do
		if echo 5 | dd of=/dev/shapes conv=nocreat,notrunc status=none 2>/tmp/dd; then
			echo $round >>/tmp/busy_rounds
		elif grep -q 'Input/output' /tmp/dd; then
			echo "round $round: EIO" >>/tmp/trouble
		fi
	done &
	busy=$!
	for aspect in every clobber; do
		weft weave "$aspects/shapes_$aspect.ko" >/tmp/said 2>&1 ||
			echo "round $round: $(cat /tmp/said)" >>/tmp/trouble
	done
	if ((round % 2)); then
		for aspect in every clobber; do
			weft unweave shapes_$aspect >/tmp/said 2>&1 ||
				echo "round $round: $(cat /tmp/said)" >>/tmp/trouble
		done
		weft unweave shapes_early >/dev/null
		[ "$(text)" = "$before" ] || echo "round $round: text differs" >>/tmp/trouble
		weft weave --pending "$aspects/shapes_early.ko" >/dev/null
	fi
	await grep -qsx $round /tmp/busy_rounds
	await rmmod shapes
	rm /tmp/busy
	wait $busy 2>/dev/null
	if ! ((round % 2)); then
		for aspect in every clobber; do
			weft unweave shapes_$aspect >/tmp/said 2>&1 ||
				echo "round $round: $(cat /tmp/said)" >>/tmp/trouble
		done
	fi
done
same "$rounds rounds of load, weave, unweave, unload" "$(cat /tmp/trouble 2>/dev/null)" ""
same "in each of which the module has run" "$(sort -u /tmp/busy_rounds | wc -l)" "$rounds"
weft unweave shapes_early >/dev/null
same "no splat" "$(splat)" 0
weft list | grep -q . && weft read >/dev/null 2>&1
check "weft.ko unloads" rmmod weft
finish
