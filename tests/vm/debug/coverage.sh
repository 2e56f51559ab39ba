#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Tests the program mutated-requests, which keeps requests that have run new code of weft.ko and
# changes them once more. With the same seed and number of requests it must reach more code than
# with --blind, which keeps none.
. "$(dirname "$0")/../cases/lib.sh"
requests=${WEFT_REQUESTS:-20000}
needs_kernel_file /sys/kernel/debug/kcov KCOV
names=(log_skb_destructor registers once metrics_seven)
load_weft
traffic 20 >/dev/null
kernel-text /tmp/before >/dev/null
again() {
	local name
	for name in "${names[@]}"; do
		weft unweave $name >/dev/null 2>&1
		retired $name
		insmod "$aspects/$name.ko" 2>/dev/null
	done
}
# run [HOW]: prints "PLACES WAYS", how many instructions and how many edges of weft.ko's code have
# run.
run() {
	again
	mutated-requests ${1:-} $requests "${WEFT_SEED:-1}" "${names[@]}" >/tmp/said
	grep -v '^ok' /tmp/said >&2
	sed -nE 's/^ +([0-9]+) places and ([0-9]+) ways.*/\1 \2/p' /tmp/said
}
read -r blind_places blind_ways <<<"$(run --blind)"
read -r places ways <<<"$(run)"
if [ "${blind_places:-0}" -ge 100 ]; then
	pass "weft.ko's places are told"
else
	fail "places" "${blind_places:-none}"
fi
if [ "${ways:-0}" -gt "${blind_ways:-0}" ] && [ "${places:-0}" -ge "${blind_places:-0}" ]; then
	pass "guided requests get further"
else
	fail "guided requests" "$places places, $ways ways; blind $blind_places, $blind_ways"
fi
again
check "text restored" restored
weft unweave --all >/dev/null 2>&1
weft read >/dev/null
check "weft.ko unloads" rmmod weft
finish
