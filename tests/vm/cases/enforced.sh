#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# alone: after it the guest accepts only signed modules
#
# The kernel begins to enforce module signatures while weft.ko is loaded. The case checks what the
# kernel refuses from then on, and how weft reports the refusal. That the kernel loads modules which
# are signed with a trusted key can only be tested in a kernel that trusts the tests' key, which is
# what make check-signatures does.
. "$(dirname "$0")/lib.sh"
enforce=/sys/module/module/parameters/sig_enforce
unsigned=$aspects/entry_first.ko stranger=$O/vm/stranger/entry_first.ko
load_weft
echo Y >$enforce
same "the kernel enforces signatures" "$(cat $enforce)" Y
refuses "an aspect without a signature" 8 'not signed, and .*mokutil --import' \
	weft weave "$unsigned"
refuses "an aspect signed with a stranger's key" 8 'a key that this kernel does not trust' \
	weft weave "$stranger"
check "weft.ko unloads" rmmod weft
refuses "weft.ko without a signature" 1 'Key was rejected' insmod "$weft_ko"
refuses "no weft.ko is installed" 9 'weft.ko is not loaded' weft weave "$unsigned"
# `weft weave` loads weft.ko from the folder of installed modules.
install -D -m 644 "$weft_ko" "/lib/modules/$(uname -r)/updates/weft.ko"
depmod 2>/dev/null
refuses "the one that is installed has no signature" 9 'cannot be loaded: .modprobe weft.' \
	weft weave "$unsigned"
weft doctor >/tmp/doctor 2>&1
same "doctor names the key" \
	"$(grep -A 1 '^missing  signatures' /tmp/doctor | grep -c 'mokutil --import')" 1
finish
