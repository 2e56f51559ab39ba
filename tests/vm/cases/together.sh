#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Two aspects at once, on the same joinpoint, unwoven in either order; a third that comes when one of them has left.
. "$(dirname "$0")/lib.sh"
load_weft
traffic 20 >/dev/null
kernel-text /tmp/before >/dev/null

hits_during() { # NAME: hits that the next traffic makes
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
	same "$order: both see every execution" "$(figure entry_first records)" "$(figure entry_first hits)"
	kernel-text /tmp/both >/dev/null
	same "$order: one splice for both" "$(kernel-text /tmp/before /tmp/both | grep -c ' -> cc$')" 1
	weft unweave entry_$leaves >/tmp/said
	check "$order: the text stays spliced for the other" grep -q 'spliced for other aspects' /tmp/said
	if [ "$(hits_during entry_$stays)" -ge 30 ]; then pass "$order: the other goes on"; else fail "$order" "no hits"; fi
	check "$order: a newcomer joins" weft weave "$aspects/entry_$leaves.ko"
	if [ "$(hits_during entry_$leaves)" -ge 30 ]; then pass "$order: and is hit"; else fail "$order" "no hits"; fi
	if [ "$(hits_during entry_$stays)" -ge 30 ]; then pass "$order: beside the other"; else fail "$order" "no hits"; fi
	check "$order: unweave all" weft unweave --all
	kernel-text /tmp/after >/dev/null
	check "$order: text restored" kernel-text /tmp/before /tmp/after
done

weft read >/dev/null
weft weave "$aspects/entry_first.ko" >/dev/null && weft weave "$aspects/entry_second.ko" >/dev/null
traffic 5 >/dev/null
weft read entry_first >/tmp/first; weft read entry_second >/tmp/second
# One execution: the aspect woven first logs first, on the same CPU and thread.
same "advice runs in the order of weaving" "$(weft unweave --all >/dev/null; head -q -n 1 /tmp/first /tmp/second |
	awk '{ print $1, NR }' | sort -n | awk '{ printf "%s ", $2 }')" "1 2 "
finish
