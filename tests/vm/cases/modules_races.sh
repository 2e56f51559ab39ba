#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Tests a woven module together with others who write to its text. Then modules come and go while
# several processes weave, unweave and run them, in random order. Whatever the order, the module's
# results must be the same, its text must be the original in the end, and the kernel must print
# nothing.
. "$(dirname "$0")/lib.sh"
rounds=$((${WEFT_MODULE_ROUNDS:-6} / 3))
shapes=$O/vm/modules/shapes.ko gate=$O/vm/modules/gate.ko
tracing=/sys/kernel/tracing
mount -t tracefs tracefs $tracing 2>/dev/null
load_weft

traffic() { echo "$1" >/dev/shapes; }
place() { cat /sys/module/shapes/sections/.text; }
text() { module-text shapes "$shapes"; }
# part ASPECT: prints state, splices and refused shadows of the aspect's part in the module's .text.
part() {
	local number='([0-9]*)' section='.*"section":"\.text","state":"([a-z]*)"'

	weft list --json | grep "^{\"aspect\":\"$1\"," |
		sed -nE "s/$section,\"splices\":$number,\"refused\":$number.*/\1 \2 \3/p"
}

# ---- ftrace and kprobes change the module's text, too ----
insmod "$shapes"
traffic 3
before=$(text)
echo ':mod:shapes' >$tracing/set_ftrace_filter
echo function >$tracing/current_tracer
check "weave what is traced" bash -c "weft weave $aspects/shapes_every.ko >/tmp/said"
check "it computes" traffic 20
echo nop >$tracing/current_tracer
check "traced no more" traffic 20
echo function >$tracing/current_tracer
check "unwoven while it is traced" bash -c "weft unweave shapes_every >/tmp/said"
echo nop >$tracing/current_tracer
same "its text is its own" "$(text)" "$before"
verdicts text-pokes --gone "weft weave $aspects/shapes_exact.ko && echo 5 >/dev/shapes && \
	weft unweave shapes_exact"

# The module is unloaded while its functions are traced.
echo function >$tracing/current_tracer
weft weave "$aspects/shapes_every.ko" >/tmp/said
check "woven and traced, it goes" rmmod shapes
echo nop >$tracing/current_tracer
echo >$tracing/set_ftrace_filter
weft unweave shapes_every >/tmp/said

# A kprobe that waits for the module is set before weft.ko is notified that the module is loaded.
echo 'p:first shapes:shapes_early+5' >$tracing/kprobe_events 2>/dev/null
weft weave --pending "$aspects/shapes_early.ko" >/tmp/said
weft weave --pending "$aspects/shapes_exact.ko" >/tmp/said
echo 1 >$tracing/events/kprobes/first/enable
insmod "$shapes"
same "where a kprobe waited it stays, and all of its hits are its own" \
	"$(part shapes_early) $(sed -nE 's/^ *first +([0-9]+) .*/\1/p' $tracing/kprobe_profile)" \
	"loaded 0 1 7"
same "another aspect is woven" "$(part shapes_exact)" "woven 1 0"
check "it computes" traffic 20
rmmod shapes
echo 0 >$tracing/events/kprobes/first/enable
: >$tracing/kprobe_events

# ---- several aspects wait for the module, and one of them cannot be woven ----
check "one that needs what is refused may wait" \
	bash -c "weft weave --pending $aspects/shapes_required.ko >/tmp/said"
insmod "$shapes"
same "nothing of it is woven" "$(part shapes_required | cut -d ' ' -f 1,2)" "loaded 0"
check "which is told" bash -c \
	'dmesg | grep -q "shapes_required: cannot be woven in the module shapes"'
check "by weft list, too" grep -q 'a shadow was refused that the aspect cannot do without' \
	<<<"$(weft list)"
same "the others are" "$(part shapes_early) $(part shapes_exact)" "woven 1 0 woven 1 0"

# ---- the module is loaded again, at another address ----
was=$(place)
rmmod shapes
insmod "$gate" name=nobody
insmod "$shapes"
if [ "$(place)" = "$was" ]; then
	echo "skip   it came back to where it was"; skipped=$((skipped + 1))
else
	same "at another place it is woven again" "$(part shapes_exact)" "woven 1 0"
fi
check "it computes" traffic 20
weft unweave --all >/tmp/said
rmmod shapes
rmmod gate

# ---- the module is unloaded by force while it is in use ----
if zgrep -q '^CONFIG_MODULE_FORCE_UNLOAD=y' /proc/config.gz 2>/dev/null ||
	grep -q '^CONFIG_MODULE_FORCE_UNLOAD=y' "$WEFT_KERNEL/.config"; then
	insmod "$shapes" used=Y
	weft weave "$aspects/shapes_every.ko" >/tmp/said
	check "one in use computes" traffic 20
	check "and goes by force" rmmod -f shapes
	same "with its splices" "$(part shapes_every)" "gone 0 0"
	weft unweave shapes_every >/tmp/said
else
	echo "skip   this kernel knows no rmmod -f"; skipped=$((skipped + 1))
fi

# ---- modules and aspects come and go at once, in random order ----
waits() { weft weave --pending "$aspects/shapes_early.ko" && weft unweave shapes_early; }
every() { weft weave "$aspects/shapes_every.ko" && weft unweave shapes_every; }
runs() {
	echo 3 2>/dev/null | dd of=/dev/shapes conv=nocreat,notrunc status=none 2>/tmp/dd
	! grep -q 'Input/output' /tmp/dd
}
for work in waits every runs; do
	again $work &
	working+=($!)
done
for ((round = 1; round <= rounds; round++)); do
	await insmod "$shapes"
	echo 1 >/sys/module/shapes/parameters/flip
	sleep 0.$((round % 4))
	await rmmod shapes
done 2>/tmp/rounds
: >/tmp/enough
wait "${working[@]}"
same "$rounds modules that come and go in no order" "$(cat /tmp/trouble 2>/dev/null)" ""
weft unweave --all >/tmp/said 2>&1
insmod "$shapes"
traffic 3
same "its text is its own" "$(text)" "$before"
same "no splat" "$(dmesg | grep -cE 'BUG:|WARNING:|Oops|weft: splice at')" 0
rmmod shapes
weft read >/dev/null 2>&1
check "weft.ko unloads" await rmmod weft
finish
