#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Checks that KCSAN is switched on and watches what weft.ko reads and writes. Without that, the
# absence of its reports in the other cases would prove nothing.
. "$(dirname "$0")/../cases/lib.sh"
told=/sys/kernel/debug/kcsan
needs_kernel_file $told KCSAN
of() { sed -n "s/^$1: //p" $told; }
same "it is on" "$(of enabled)" 1
load_weft
before=$(of setup_watchpoints)
for round in 1 2 3; do
	weft weave "$aspects/log_skb_destructor.ko" >/dev/null
	traffic 20 >/dev/null
	weft unweave log_skb_destructor >/dev/null
done
# KCSAN's watchpoints are all in weft.ko, since nothing else is instrumented in this kernel.
at_least "it watches weft.ko" $(($(of setup_watchpoints) - before)) 1000
weft read >/dev/null
check "weft.ko unloads" rmmod weft
finish
