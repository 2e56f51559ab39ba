#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Tests two aspects that are woven at the same joinpoint and unwoven in either order. After one of
# them was unwoven, it is woven once more beside the other. The case fails if an aspect loses hits
# or if the text is not restored.
. "$(dirname "$0")/lib.sh"
load_weft
traffic 20 >/dev/null
kernel-text /tmp/before >/dev/null

# hits_during ASPECT: makes some traffic and prints how many hits the aspect had from it.
hits_during() {
	local before
	before=$(figure "$1" hits)
	traffic 30 >/dev/null
	echo $(($(figure "$1" hits) - before))
}

for order in "first second" "second first"; do
	read -r leaves stays <<<"$order"
	check "$order: weave both" weft weave "$aspects/entry_first.ko"
	check "$order: weave both" weft weave "$aspects/entry_second.ko"
	traffic 30 >/dev/null
	first=$(figure entry_first hits) second=$(figure entry_second hits)
	traffic 30 >/dev/null
	first=$(($(figure entry_first hits) - first))
	second=$(($(figure entry_second hits) - second))
	same "$order: both see every execution" "$first" "$second"
	at_least "$order: and there were some" "$first" 30
	same "$order: one splice for both" "$(kernel-text --splices /tmp/before)" "1 0"
	weft unweave entry_$leaves >/tmp/said
	check "$order: the text stays spliced for the other" \
		grep -q 'spliced for other aspects' /tmp/said
	at_least "$order: the other goes on" "$(hits_during entry_$stays)" 30
	check "$order: a newcomer joins" weft weave "$aspects/entry_$leaves.ko"
	at_least "$order: and is hit" "$(hits_during entry_$leaves)" 30
	at_least "$order: beside the other" "$(hits_during entry_$stays)" 30
	check "$order: unweave all" weft unweave --all
	check "$order: text restored" restored
done

# At each execution, the advice that was woven first must log first. Both use the same clock, so the
# times of their first records show the order. first_of ASPECT ASPECT: weaves the aspects in this
# order; prints the one whose first record is older.
first_of() {
	local aspect
	weft read >/dev/null
	for aspect; do weft weave "$aspects/$aspect.ko" >/dev/null; done
	traffic 1 >/dev/null
	for aspect; do weft read $aspect | head -n 1 | awk -v a="$aspect" '{ print $1, a }'; done |
		sort -n >/tmp/order
	weft unweave --all >/dev/null
	[ "$(cut -d' ' -f1 /tmp/order | uniq | wc -l)" = 2 ] || echo "equal times"
	head -n 1 /tmp/order | cut -d' ' -f2
}
same "advice runs in the order of weaving" "$(first_of entry_first entry_second)" entry_first
same "the other way round, too" "$(first_of entry_second entry_first)" entry_second
finish
