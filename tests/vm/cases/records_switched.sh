#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Tests records that are written while a kernel thread is switched out. The thread then has no
# memory, not even a borrowed one, but the writer of records looks at the task's memory to find out
# which user the record belongs to.
. "$(dirname "$0")/lib.sh"
load_weft
check "weave" weft weave --optimized "$aspects/switched.ko"
traffic 200 >/dev/null
sleep 1 # Threads of the kernel run meanwhile.
at_least "records of threads without memory" "$(weft read switched | grep -c 'no memory')" 10
check "published" weft publish switched
traffic 50 >/dev/null
sleep 1
same "none of them is a user's" "$(setpriv --reuid 1001 --regid 1001 --clear-groups \
	weft read switched 2>/dev/null | grep -c 'no memory')" 0
check "unweave" weft unweave switched
finish
