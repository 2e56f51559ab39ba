#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# vm.sh: --icount
#
# Compares what a hit in a program costs: nothing woven, a bare uprobe whose handler only counts
# (tests/vm/probed/bare_uprobe.c), the kernel's uprobe event, a counter of weft's, and advice in C.
# The guest's clock counts instructions, one a nanosecond; the program measures its own processor
# time. weft may cost ten percent more than the bare uprobe. The case loads the weft.ko that is
# shipped, which has no checks for debugging.
. "$(dirname "$0")/lib.sh"
weft_ko=$O/kmod/weft.ko
shop=$O/vm/shop/shop sales=2000
tracing=/sys/kernel/tracing
mount -t tracefs tracefs $tracing 2>/dev/null
load_weft
entry=0x$(nm "$shop" | sed -n 's/^0*\([0-9a-f]*\) T sell$/\1/p')

# cost: prints the nanoseconds of processor time that the sales take: the least of five runs.
cost() {
	for i in 1 2 3 4 5; do
		SHOP_TIME=1 "$shop" $sales
	done | sort -n | head -n 1
}
"$shop" $sales >/dev/null
none=$(cost)
check "a bare uprobe" insmod "$O/vm/probed/bare_uprobe.ko" path="$shop" offset=$entry
bare=$(cost)
same "its hits" "$(cat /sys/module/bare_uprobe/parameters/hits)" $((5 * sales))
rmmod bare_uprobe
echo "p:shop/sell $shop:$entry" >$tracing/uprobe_events
echo 1 >$tracing/events/shop/sell/enable
event=$(cost)
echo 0 >$tracing/events/shop/sell/enable
echo >$tracing/uprobe_events
check "a counter" bash -c "weft weave '$aspects/processes_count.ko' >/tmp/said"
counter=$(cost)
weft report --json processes_count >"$json"
same "its hits" "$(metric sales | value count)" $((5 * sales))
weft unweave processes_count >/dev/null
check "advice in C" bash -c "weft weave '$aspects/processes_body.ko' >/tmp/said"
body=$(cost)
same "its hits" "$(figure processes_body hits)" $((5 * sales))
weft unweave processes_body >/dev/null
hit() { echo $((($1 - none) / sales)); }
echo "instructions a hit: bare uprobe $(hit $bare), uprobe event $(hit $event)," \
	"weft's counter $(hit $counter), advice in C $(hit $body)"
between "a counter costs a bare uprobe and ten percent at most" "$(hit $counter)" 1 \
	$(($(hit $bare) * 110 / 100))
between "so does advice in C" "$(hit $body)" 1 $(($(hit $bare) * 110 / 100))
check "weft.ko unloads" bash -c 'weft report --reset processes_count; rmmod weft'
finish
