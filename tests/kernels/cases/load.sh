#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Loads weft.ko on the kernel as shipped, sends it a request, and unloads it. The case fails if one
# of these fails, or if the kernel's text differs afterwards.
. "$(dirname "$0")/../../vm/cases/lib.sh"
uname -r
traffic 20 >/dev/null
kernel-text /tmp/before >/dev/null
load_weft
pass "weft.ko loads"
same "the memory for its code can be written" "$(dmesg | grep -c 'weft: .*cannot be written')" 0
check "weft list" weft list
same "nothing is woven" "$(weft list --json | wc -l)" 0
check "weft.ko unloads" rmmod weft
check "the kernel's text is as before" restored
finish
