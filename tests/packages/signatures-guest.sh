#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# In the guest that signatures.sh boots; $SIGNED has the modules.
. "$(dirname "$0")/../vm/cases/lib.sh"

same "the kernel enforces signatures" "$(cat /sys/module/module/parameters/sig_enforce)" Y
refuses "weft.ko without a signature" 1 'Key was rejected' insmod "$SIGNED/unsigned-weft.ko"
check "weft.ko with a trusted one" insmod "$SIGNED/weft.ko"
refuses "an aspect without a signature" 8 'not signed, and .*mokutil --import' \
	weft weave "$SIGNED/unsigned.ko"
refuses "an aspect signed with a stranger's key" 8 'a key that this kernel does not trust' \
	weft weave "$SIGNED/stranger.ko"
check "an aspect signed with a trusted key is loaded" insmod "$SIGNED/trusted.ko"
same "weft.ko lists it" "$(weft list | awk '$1 == "first" { print $1 }')" first
finish
