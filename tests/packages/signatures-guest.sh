#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The part of signatures.sh that runs in the guest; $SIGNED has the modules.
. "$(dirname "$0")/../vm/cases/lib.sh"

same "the kernel enforces signatures" "$(cat /sys/module/module/parameters/sig_enforce)" Y
refuses "weft.ko without a signature" 1 'Key was rejected' insmod "$SIGNED/unsigned-weft.ko"
# `weft weave` loads weft.ko from the folder of installed modules.
install_weft() {
	install -D -m 644 "$1" "/lib/modules/$(uname -r)/updates/weft.ko"
	depmod 2>/dev/null
}
refuses "no weft.ko is installed" 9 'weft.ko is not loaded' weft weave "$SIGNED/trusted.ko"
install_weft "$SIGNED/unsigned-weft.ko"
refuses "the one that is installed has no signature" 9 'cannot be loaded: .modprobe weft.' \
	weft weave "$SIGNED/trusted.ko"
same "doctor names the key" "$(weft doctor | grep -A 1 '^missing  signatures' |
	grep -c 'mokutil --import')" 1
install_weft "$SIGNED/weft.ko"
refuses "an aspect without a signature" 8 'not signed, and .*mokutil --import' \
	weft weave "$SIGNED/unsigned.ko"
check "for which weft.ko was loaded" test -e /sys/module/weft
refuses "an aspect signed with a stranger's key" 8 'a key that this kernel does not trust' \
	weft weave "$SIGNED/stranger.ko"
check "an aspect signed with a trusted key is loaded" insmod "$SIGNED/trusted.ko"
same "weft.ko lists it" "$(weft list | awk '$1 == "first" { print $1 }')" first
finish
