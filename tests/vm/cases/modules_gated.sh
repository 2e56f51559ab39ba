#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Tests what happens while a module is on its way in or out, where tests/vm/modules/gate.c stops it.
# A module on its way in is stopped before weft.ko is notified of it, or after weft.ko has woven it
# and before its init function runs. A module on its way out is stopped after its exit function,
# before weft.ko is notified, or after weft.ko has unwoven it and before its text goes. The case
# fails if weft.ko reports a wrong state, or loses a hit or a part.
. "$(dirname "$0")/lib.sh"
shapes=$O/vm/modules/shapes.ko other=$O/vm/modules/other/shapes.ko gate=$O/vm/modules/gate.ko
early=$aspects/shapes_early.ko exact=$aspects/shapes_exact.ko
tracing=/sys/kernel/tracing
mount -t tracefs tracefs $tracing 2>/dev/null
load_weft

set_gate() { echo "$2" >"/sys/module/gate/parameters/$1"; }
is_held() { [ "$(cat /sys/module/gate/parameters/held)" = Y ]; }
# hold WAY COMMAND...: starts COMMAND and waits until the gate has stopped it. WAY is coming or
# going.
hold() {
	set_gate "$1" Y
	"${@:2}" >/tmp/held 2>&1 &
	holding=$!
	await is_held
}
# let_go WAY: opens the gate; returns the status of the command that hold() started.
let_go() {
	set_gate "$1" N
	wait $holding
}
# part ASPECT: prints state and splices of the aspect's part in the module, and how many shadows
# wait for the module.
part() {
	local number='([0-9]*)' section='.*"section":"\.text","state":"([a-z]*)"'

	weft list --json | grep "^{\"aspect\":\"$1\"," |
		sed -nE "s/.*\"pending\":$number$section,\"splices\":$number.*/\\2 \\3, \\1 wait/p"
}
traffic() { echo 3 >/dev/shapes; }
pending() { weft weave --pending "$1" >/tmp/said; }

# ---- a module on its way in, before weft.ko is notified ----
insmod "$gate" name=shapes
pending "$early"
hold coming insmod "$shapes"
same "one that comes, and weft.ko does not know it" "$(part shapes_early)" "pending 0, 1 wait"
refuses "a weave does not find it" 10 'module shapes is not loaded' weft weave "$exact"
check "but may wait for it, too" pending "$exact"
kill -KILL $holding
let_go coming
check "who loads it is killed: it is there" await test -e /sys/module/shapes
same "and woven, all of its calls are hits" "$(part shapes_early) $(figure shapes_early hits)" \
	"woven 1, 0 wait 7"
same "so is the one that came later" "$(part shapes_exact)" "woven 1, 0 wait"
check "it computes" traffic

# ---- a module on its way out, before weft.ko is notified ----
hold going rmmod shapes
same "one that goes, and weft.ko does not know it" "$(part shapes_early)" "woven 1, 0 wait"
check "it can be unwoven" weft unweave shapes_exact
refuses "and not be woven any more" 10 'module shapes is not loaded' weft weave "$exact"
let_go going
same "then it is gone" "$(part shapes_early)" "pending 0, 1 wait"
rmmod gate

# ---- a module on its way in or out, after weft.ko was notified ----
insmod "$gate" name=shapes last=Y
hold coming insmod "$shapes"
same "one that comes is woven, and its init waits" "$(part shapes_early)" "woven 1, 0 wait"
check "it can be unwoven" weft unweave shapes_early
check "and wait again" pending "$early"
same "as it does" "$(part shapes_early)" "pending 0, 1 wait"
let_go coming
# The first seven calls of the function were made before the aspect was woven again, and are no
# hits.
same "until it is there" "$(part shapes_early) $(figure shapes_early hits)" "woven 1, 0 wait 0"
check "it computes" traffic

hold going rmmod shapes
same "one that goes is not woven any more" "$(part shapes_early)" "pending 0, 1 wait"
check "what waits for it can be unwoven" weft unweave shapes_early
check "and wait again" pending "$early"
let_go going
same "nothing of it is left" "$(part shapes_early)" "pending 0, 1 wait"

# ---- modules that the kernel or another module refuses while they are loaded ----
set_gate refuses Y
check "one that somebody refuses after weft.ko has woven it" bash -c "! insmod $shapes 2>/dev/null"
same "is not woven" "$(part shapes_early) $(figure shapes_early hits)" "pending 0, 1 wait 0"
set_gate refuses N
check "one with a parameter that it does not take" \
	bash -c "! insmod $shapes fails=perhaps 2>/dev/null"
same "is not woven" "$(part shapes_early) $(figure shapes_early hits)" "pending 0, 1 wait 0"
check "one that fails" bash -c "! insmod $shapes fails=1 2>/dev/null"
same "was" "$(part shapes_early) $(figure shapes_early hits)" "pending 0, 1 wait 7"
for round in 1 2; do
	insmod "$other"
	rmmod shapes
done
same "another build is told of each time" \
	"$(dmesg | grep -c 'shapes_early: the module shapes .* another build')" 2
insmod "$shapes"
check "the next one is woven, and computes" traffic
same "with hits" "$(part shapes_early) $(figure shapes_early hits)" "woven 1, 0 wait 14"

# ---- the module's own text changes ----
# Jump labels and static calls are switched all the time while everything around them is woven,
# unwoven and run.
for round in 1 2 3; do
	: >/tmp/flipping
	while [ -e /tmp/flipping ]; do echo 1 >/sys/module/shapes/parameters/flip; done &
	flipping=$!
	for aspect in every clobber; do
		weft weave "$aspects/shapes_$aspect.ko" >/tmp/said ||
			echo "weave $aspect" >>/tmp/trouble
		echo 20 >/dev/shapes || echo "wrong with $aspect" >>/tmp/trouble
	done
	for aspect in every clobber; do
		weft unweave shapes_$aspect >/tmp/said ||
			echo "unweave $aspect" >>/tmp/trouble
		echo 20 >/dev/shapes || echo "wrong without $aspect" >>/tmp/trouble
	done
	rm /tmp/flipping
	wait $flipping
done
same "jump labels and static calls that change" "$(cat /tmp/trouble 2>/dev/null)" ""

# ---- advice that runs once is hit in a module's exit function ----
# The exit function is hit right before the module goes, before weft.ko has looked for hits
# (kmod/once.c).
# ever: prints how many advices have run once, as "N of M".
ever() {
	weft report shapes_ever --json |
		sed -nE 's/.*"once":([0-9]+),"hit":([0-9]+),.*/\2 of \1/p'
}
# taken_out N: succeeds if the HTML page says that N splices were taken out. A shadow whose splice
# is neither taken out nor woven was refused.
taken_out() {
	weft report shapes_ever --html /tmp/page >/tmp/said
	grep -q "$1 .* run once and .* taken out" /tmp/page
}
weft unweave --all >/dev/null
check "weave advice that runs once" pending "$aspects/shapes_ever.ko"
same "it has not run" "$(ever)" "0 of 2"
traffic
same "then it has, but in the exit function" "$(ever)" "1 of 2"
rmmod shapes
same "that has run when the module is gone" "$(ever)" "2 of 2"
check "and counts as taken out" await taken_out 2
insmod "$shapes"
same "what has run stays known, and is not woven again" \
	"$(ever) $(figure shapes_ever splices)" "2 of 2 0"
check "it computes" traffic

# ---- a splice under a kprobe when the aspect and then the module goes ----
# Advice that runs once is taken out while its aspect stays woven. A kprobe over the splice keeps
# the splice in the text until the module goes, and weft.ko cannot be unloaded before that, even if
# the aspect is gone.
weft unweave --all >/dev/null
weft weave --optimized "$aspects/shapes_once.ko" >/dev/null
echo 'p:over shapes:shapes_switch+5' >$tracing/kprobe_events
echo 1 >$tracing/events/kprobes/over/enable
check "advice that runs once" traffic
is_out() { [ "$(figure shapes_once splices)" = 0 ]; }
check "is taken out" await is_out
check "its aspect goes" weft unweave shapes_once
check "weft.ko stays for a splice under a kprobe" bash -c "! rmmod weft 2>/dev/null"
check "the module goes" rmmod shapes
weft read >/dev/null 2>&1
check "and then weft.ko can" await rmmod weft
echo 0 >$tracing/events/kprobes/over/enable
: >$tracing/kprobe_events
finish
