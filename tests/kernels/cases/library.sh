#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Every shipped aspect, woven into the kernel as shipped: each alone, and then all at once, under
# traffic; afterwards the text is the same to the byte. What they say is compared with other tools'
# books on the demo kernel (tests/vm/cases/library_*.sh).
. "$(dirname "$0")/../../vm/cases/lib.sh"
load_weft
uname -r
traffic 20 >/dev/null
kernel-text /tmp/before >/dev/null

names=()
for source in "$WEFT_TOP"/aspects/*.xml; do names+=("$(basename "$source" .xml)"); done

# tried NAME: woven somewhere, lives, goes. An aspect has splices even where nothing is hit.
tried() {
	weft weave "$aspects/$1.ko" && traffic 10 && [ "$(figure "$1" splices)" -ge 1 ] &&
		weft unweave "$1"
}
for name in "${names[@]}"; do check "$name: weave, traffic, unweave" tried "$name"; done

cd "$aspects" || exit
check "all ${#names[@]} at once" weft weave "${names[@]/%/.ko}"
check "traffic through all" traffic 30
check "unweave all" weft unweave --all
check "the kernel's text is the same to the byte" restored
check "weft.ko unloads" bash -c 'weft read >/dev/null; rmmod weft'
finish
