#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Tests a kprobe that has outlived its module. When a module is unloaded, a kprobe in it stays
# registered until its owner removes it, and another module may be loaded at the same address. The
# kprobe has written no int3 to this second module, but the kprobe still holds the instruction that
# the first module had there, a nop. The second module has a jump there (tests/vm/modules/alike.h).
# weft must decode the jump, because the instruction that the jump leads to must not be displaced.
# The case fails if weft takes the kprobe's nop for the present instruction and displaces it.
. "$(dirname "$0")/lib.sh"
modules=$WEFT_MODULES
mount -t tracefs tracefs $tracing 2>/dev/null
load_weft
place() { cat "/sys/module/$1/sections/.text"; }
# The jump's offset from the beginning of the second module's text.
jump=0x$(objdump -d "$modules/alike_two.ko" | awk '/<alike_function>:/ { in_it = 1 }
	in_it && $2 == "e9" { sub(/:/, "", $1); print $1; exit }')
called() {
	echo "$1" >/sys/module/alike_two/parameters/call
	cat /sys/module/alike_two/parameters/call
}

for attempt in 1 2 3 4 5; do
	insmod "$modules/alike_one.ko" || exit 1
	first=$(place alike_one)
	printf 'p:left %#x\n' $((first + jump)) >$tracing/kprobe_events
	echo 1 >$tracing/events/kprobes/left/enable
	rmmod alike_one
	insmod "$modules/alike_two.ko"
	[ "$(place alike_two)" != "$first" ] || break
	echo 0 >$tracing/events/kprobes/left/enable
	: >$tracing/kprobe_events
	rmmod alike_two
done
same "the second module lies where the first one was" "$(place alike_two)" "$first"
before=$(module-text alike_two "$modules/alike_two.ko")
plain=$(called 100)
weft weave --optimized "$aspects/shapes_alike.ko" >/tmp/said 2>&1
cat /tmp/said
at_least "splices" "$(figure shapes_alike splices)" 2
same "it computes the same" "$(called 100)" "$plain"
same "and goes on" "$(called 7)" 10
weft unweave shapes_alike >/dev/null 2>&1
same "its text is its own" "$(module-text alike_two "$modules/alike_two.ko")" "$before"
echo 0 >$tracing/events/kprobes/left/enable
: >$tracing/kprobe_events
rmmod alike_two
weft read >/dev/null 2>&1
check "weft.ko unloads" await rmmod weft
finish
