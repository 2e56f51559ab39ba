#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The part of crash-dump.sh that runs in the guest: weaves all kinds of splices and advice, writes
# what weft lists and what the kernel reads of its own text to /share, and runs code over the
# splices until the guest is ended.
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
