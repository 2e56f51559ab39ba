#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Aspects are loaded, woven, read, unwoven and removed, plans are refused, and weavers are killed.
# The case fails if kmemleak then finds memory that nothing points to, or if the kernel's text is
# not restored.
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
	# This weave fails: the aspect is woven already.
	weft weave "$aspects/once.ko" >/dev/null 2>&1
	weft weave "$aspects/clobber.ko" >/dev/null 2>&1 &
	sleep 0.05
	kill -9 $! 2>/dev/null
	wait $! 2>/dev/null
	weft unweave --all >/dev/null 2>&1
	weft read >/dev/null
	rmmod weft
}
# What the first round leaves allocated may be memory that the kernel itself keeps.
round
sleep 6
echo scan >$leaks
echo clear >$leaks
for n in 1 2 3; do round || echo "round $n" >>/tmp/trouble; done
same "weft.ko comes and goes" "$(cat /tmp/trouble 2>/dev/null)" ""
# kmemleak reports nothing younger than five seconds, and may miss a pointer that is in a register
# during the scan, so it scans more than once.
sleep 6
echo scan >$leaks
sleep 1
echo scan >$leaks
same "nothing is left behind" "$(cat $leaks)" ""
finish
