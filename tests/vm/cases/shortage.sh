#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# One of weft.ko's allocations fails in each round (tests/vm/modules/shortage.c): while an aspect is
# loaded, woven, read and unwoven, and while a module is loaded for which an aspect waits. The case
# fails if a command that failed has left something behind, or if anything else is affected.
. "$(dirname "$0")/lib.sh"
shapes=$O/vm/modules/shapes.ko ever=$aspects/shapes_ever.ko
parameters=/sys/module/shortage/parameters
load_weft
text=$(cat /sys/module/weft/sections/.text)
insmod "$O/vm/modules/shortage.ko" start="$text" \
	end="$(printf '%#x' $((text + $(cat /sys/module/weft/coresize))))"
size=0x$(readelf -SW "$shapes" | sed 's/^ *\[ *//; s/\]//' | awk '$2 == ".text" { print $6 }')

# each STEP COMMAND: runs COMMAND again and again. In the first run its first allocation fails, and
# in each further run one that comes STEP allocations later than in the run before, until COMMAND
# makes fewer allocations. Sets `rounds` to how often an allocation failed.
each() {
	local step=$1 n
	shift
	rounds=0
	for ((n = 1; ; n += step)); do
		echo 0 >$parameters/calls
		echo $n >$parameters/nth
		"$@" >/tmp/said 2>&1
		echo 0 >$parameters/nth
		weft unweave --all >/tmp/said 2>&1
		rmmod shapes_ever 2>/dev/null
		[ "$(cat $parameters/failed)" = 1 ] || break
		rounds=$((rounds + 1))
		[ ! -e /dev/shapes ] || echo 1 >/dev/shapes || echo "round $n" >>/tmp/trouble
	done
}
weave() {
	weft weave --optimized "$ever" && echo 1 >/dev/shapes && weft report shapes_ever &&
		weft unweave shapes_ever
}
come() {
	insmod "$shapes" && echo 1 >/dev/shapes && weft list && rmmod shapes
}
waits_and_comes() {
	rmmod shapes 2>/dev/null
	weft weave --pending "$ever" || return
	come
}

kernel-text /tmp/before
insmod "$shapes"
echo 3 >/dev/shapes
before=$(module-text shapes "$size")
each 5 weave
at_least "a weave, with an allocation that fails in each" $rounds 8
same "the module's text is its own" "$(module-text shapes "$size")" "$before"
each 7 waits_and_comes
at_least "a module that comes, likewise" $rounds 5
rmmod shapes 2>/dev/null
same "it computes the same" "$(cat /tmp/trouble 2>/dev/null)" ""
check "the kernel's text is its own" restored
check "nothing holds weft.ko" await bash -c "weft read >/dev/null 2>&1; rmmod weft"
finish
