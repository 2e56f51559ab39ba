#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Weaves every shipped aspect into the kernel as shipped, each alone and then all at once, under
# traffic. The case fails if a weave fails or if the text is not the original afterwards. On the
# demo kernel the aspects' numbers are compared with other tools (tests/vm/cases/library_*.sh).
. "$(dirname "$0")/../../vm/cases/lib.sh"
load_weft
uname -r
traffic 20 >/dev/null
kernel-text /tmp/before >/dev/null

names=()
for source in "$WEFT_TOP"/aspects/*.xml; do names+=("$(basename "$source" .xml)"); done

# tried NAME: weaves the aspect, runs traffic, unweaves the aspect. It must have splices even if no
# advice is hit.
tried() {
	weft weave "$aspects/$1.ko" && traffic 10 && [ "$(figure "$1" splices)" -ge 1 ] &&
		weft unweave "$1"
}
for name in "${names[@]}"; do check "$name: weave, traffic, unweave" tried "$name"; done

# all_woven: weaves all aspects, one after the other, and unweaves none.
all_woven() {
	local name

	for name in "${names[@]}"; do weft weave "$aspects/$name.ko" || return; done
}
check "all ${#names[@]} at once" all_woven
same "by the list" "$(weft list --json | grep -c '"state":"woven"')" ${#names[@]}
check "traffic through all" traffic 30
check "unweave all" weft unweave --all
check "the kernel's text is the same to the byte" restored
check "weft.ko unloads" bash -c 'weft read >/dev/null; rmmod weft'
finish
