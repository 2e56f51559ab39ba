#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Aspects that are loaded, woven, read, unwoven and gone, refused plans and killed weavers leave no
# memory behind that nothing points to (kmemleak), and the kernel's text is restored.
. "$(dirname "$0")/../cases/lib.sh"
leaks=/sys/kernel/debug/kmemleak
needs_kernel_file $leaks kmemleak
round() {
	local aspect
	load_weft
	for aspect in log_skb_destructor once metrics_seven registers; do
		weft weave "$aspects/$aspect.ko" >/dev/null
	done
	traffic 20 >/dev/null
	weft read >/dev/null
	weft weave "$aspects/once.ko" >/dev/null 2>&1 # fails: it is woven already
	weft weave "$aspects/clobber.ko" >/dev/null 2>&1 &
	sleep 0.05
	kill -9 $! 2>/dev/null
	wait $! 2>/dev/null
	weft unweave --all >/dev/null 2>&1
	weft read >/dev/null
	rmmod weft
}
# What the first round leaves behind may be the kernel's own, to be kept.
round
sleep 6
echo scan >$leaks
echo clear >$leaks
for n in 1 2 3; do round || echo "round $n" >>/tmp/trouble; done
same "weft.ko comes and goes" "$(cat /tmp/trouble 2>/dev/null)" ""
# kmemleak reports nothing younger than five seconds, and misses a pointer that is in a register at
# the moment.
sleep 6
echo scan >$leaks
sleep 1
echo scan >$leaks
same "nothing is left behind" "$(cat $leaks)" ""
finish
