#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Records that are written while a kernel thread is switched out: it has no memory then, not even a
# borrowed one, and the writer looks into the task's memory to learn whose the record is.
. "$(dirname "$0")/lib.sh"
load_weft
check "weave" weft weave --optimized "$aspects/switched.ko"
traffic 200 >/dev/null
sleep 1 # threads of the kernel run
at_least "records of threads without memory" "$(weft read switched | grep -c 'no memory')" 10
check "published" weft publish switched
traffic 50 >/dev/null
sleep 1
same "none of them is a user's" "$(setpriv --reuid 1001 --regid 1001 --clear-groups \
	weft read switched 2>/dev/null | grep -c 'no memory')" 0
check "unweave" weft unweave switched
finish
