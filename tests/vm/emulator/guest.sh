#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The part of stale.sh that runs in the guest: both CPUs work while the kernel rewrites some jump
# labels of its scheduler, again and again.
. "$(dirname "$0")/../cases/lib.sh"
key=/proc/sys/kernel/sched_schedstats # A write to this file switches a jump label.
work() { while :; do taskset -c "$1" traffic 100 >/dev/null 2>&1; done; }

grep -c . /proc/modules | sed 's/$/ modules loaded/'
for cpu in 0 1; do work $cpu & done
for ((round = 1; ; round++)); do
	for on in 1 0 1 0 1 0 1 0 1 0; do echo $on >$key; done
	echo "rewritten $((round * 10)) times"
done
