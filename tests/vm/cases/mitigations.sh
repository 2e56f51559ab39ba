#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# vm.sh: --cpu EPYC-Milan
#
# On a processor that needs mitigations, the kernel returns through thunks. Splices in these thunks
# must be refused, traps and trampolines must return through them, and traffic must go on over
# splices. `make bench-mitigations` runs this case on other processors.
. "$(dirname "$0")/lib.sh"
vulnerabilities=/sys/devices/system/cpu/vulnerabilities
grep . $vulnerabilities/{spectre_v2,retbleed,spec_rstack_overflow,indirect_target_selection} \
	2>/dev/null |
	sed 's/.*vulnerabilities.//; s/^/       /'
check "the mitigation is active" grep -qi "${WEFT_MITIGATION:-safe RET}" $vulnerabilities/*
load_weft
traffic 20 >/dev/null
kernel-text /tmp/before >/dev/null

same "the int3's stub returns as the kernel does" "$(stub_returns 2>&1)" "like the kernel"

weft weave "$aspects/thunks.ko" >/tmp/thunks 2>&1
places=$(grep -c '<instruction' "$WEFT_TOP/tests/vm/aspects/thunks.xml")
same "what returns run through is refused" \
	"$(head -n 1 /tmp/thunks | sed 's/.*refused/refused/')" \
	"refused $((places - 1)) (blacklisted $((places - 1)))"
check "the rest is woven, and lives" traffic 30
check "with hits" test "$(figure thunks hits)" -ge 30
weft unweave thunks >/dev/null

for option in "" --traps; do
	weft weave ${option:+$option} "$aspects/clobber.ko" >/dev/null
	check "weave ${option:-by jumps} where registers are lost" traffic 100
	check "with hits" test "$(figure clobber hits)" -ge 1000
	weft unweave clobber >/dev/null
done
weft weave "$aspects/log_skb_destructor.ko" >/dev/null
check "and records" traffic 30
weft unweave log_skb_destructor >/dev/null
check "that come" grep -q destructor <(weft read log_skb_destructor)
check "text restored" restored
finish
