#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Lets allocations that weft.ko makes for an aspect, from the load of its module to its unweaving,
# fail one at a time. Each time either nothing may be woven, and weft says that there is not enough
# memory, or weft.ko must do without the allocation. Afterwards the text must be the original, the
# aspect's module must be removable, and the next weave must succeed. To save time the case tries
# only one in WEFT_STARVED_STEP allocations; which ones depends on WEFT_SEED.
. "$(dirname "$0")/lib.sh"
load_weft buffer_kb=4 # With 4 KiB each ring is one page.
traffic 20 >/dev/null
starving=/sys/module/starving/parameters
text=$(cat /sys/module/weft/sections/.text)
size=0x$(readelf -SW "$weft_ko" | sed 's/^ *\[ *//; s/\]//' | awk '$2 == ".text" { print $6 }')
insmod "$O/vm/modules/starving.ko" start="$text" size="$size" comm=weft || exit 1
# The dump is taken after loading starving.ko, so that it has the calls by which that module watches
# allocations.
kernel-text /tmp/before >/dev/null
step=${WEFT_STARVED_STEP:-16}

# weaves: weaves the aspect, reads its report and its state, unweaves it, and hits its advice once.
# Prints "COMMAND STATUS" of the first command that fails, or nothing.
weaves() {
	local command
	for command in weave report list unweave; do
		case $command in
		weave) weft weave "$aspects/starved.ko" ;;
		list) weft list ;;
		*) weft $command starved ;;
		esac >/tmp/said.$command 2>&1 || { echo "$command $?"; return; }
		[ $command = weave ] && cat /proc/self/comm >/dev/null
	done
}
gone() {
	rmmod starved 2>/dev/null
	! [ -d /sys/module/starved ]
}
echo 0 >$starving/fail
same "woven" "$(weaves)" ""
calls=$(cat $starving/calls)
check "it goes" await gone
at_least "allocations" "$calls" 30

tried=0
for ((n = 1 + ${WEFT_SEED:-1} % step; n <= calls; n += step)); do
	echo $n >$starving/fail
	ended=$(weaves)
	who=$(cat $starving/failed)
	echo 0 >$starving/fail
	[ -n "$who" ] || break # Only the first weave made so many allocations.
	tried=$((tried + 1))
	case $ended in
	"" | *" 13") ;;
	*) echo "allocation $n, $who: $ended: $(cat /tmp/said.${ended% *})" >>/tmp/trouble ;;
	esac
	printf '%-5d %s: %s\n' $n "$who" "${ended:-all is well}"
	# If the report or the list failed, the aspect is still woven.
	weft unweave starved >/tmp/unwoven 2>&1
	await gone || echo "allocation $n, $who: the aspect stays: $(state starved)" >>/tmp/trouble
	restored >/tmp/text || echo "allocation $n, $who: text is not its own" >>/tmp/trouble
done
same "one in $step of $calls allocations failed" "$(cat /tmp/trouble 2>/dev/null)" ""
at_least "that many" $tried $(((calls - 30) / step))
check "text restored" restored
same "woven as before" "$(weaves)" ""
check "and gone" await gone
check "text restored" restored
rmmod starving
check "weft.ko unloads" await rmmod weft
finish
