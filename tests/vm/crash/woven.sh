#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The guest of crash-dump.sh: weaves all kinds of splices and advice, leaves what weft names and
# what the kernel itself reads of its text in /share, and runs over them until it is ended.
. "$WEFT_TOP/tests/vm/cases/lib.sh"
load_weft
traffic 20 >/dev/null
weft weave --optimized "$aspects/every_clobber.ko" >/dev/null 2>&1
weft weave --optimized "$aspects/donors_springboards.ko" >/dev/null 2>&1
weft weave --traps "$aspects/fault_any.ko" >/dev/null 2>&1
traffic 20 >/dev/null
weft list --bytes | awk 'NR > 1 { print $1, $2 }' >/share/named
kernel-text /share/text
grep ' weft_trampolines' /proc/kallsyms >/share/trampolines
sync
traffic_on 0
echo woven
sleep 1000
