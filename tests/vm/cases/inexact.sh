#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# A count that may be too high, because not all shadows are exact, must be marked as such wherever
# it is printed: by weave, run, list and report, as text and as JSON, also by a process that has not
# woven the aspect, and after the aspect's module is gone.
. "$(dirname "$0")/lib.sh"
load_weft
says='of 6 shadows of accesses 5 are exact and 1 is not \(line 1\): .*counts may be too high'
told_in() { check "$1 says it in a line" test "$(grep -cE "^  $says" "$2")" = 1; }
out=$(mktemp)

weft weave "$aspects/inexact.ko" >"$out" || fail weave "exit $?"
told_in weave "$out"
n=$(sed -nE 's/.*of ([0-9]+) shadows of accesses.*/\1/p' "$out")
weft list >"$out"
told_in list "$out"
weft list --json >"$out"
same "list --json has the figures" "$(grep -o '"accesses":{[^}]*}' "$out")" \
	"\"accesses\":{\"exact\":$((n - 1)),\"line\":1}"
same "it is JSON" "$(objects <"$out")" 1
traffic 20 >/dev/null
weft report inexact >"$out"
told_in report "$out"
weft report --json inexact >"$out"
same "report --json has them at each metric" \
	"$(grep -o '"accesses":{[^}]*}' "$out" | sort | uniq -c | tr -s ' ')" \
	" 2 \"accesses\":{\"exact\":$((n - 1)),\"line\":1}"
weft report --html "$out" inexact
check "the page says it" grep -qE "class=\"note\">$says" "$out"
check "unweave" weft unweave inexact
weft report inexact >"$out"
told_in "report, when the module is gone," "$out"
weft report --reset inexact >/dev/null

weft run "$aspects/inexact.ko" -- true >/dev/null 2>"$out"
same "run says it at the weave and at the end" "$(grep -cE "^  $says" "$out")" 2

weft weave "$aspects/addresses.ko" >"$out"
same "where all are exact nothing is said" "$(grep -c 'not (' "$out")" 0
same "its JSON has the exact ones alone" \
	"$(weft list --json | grep -oE '"accesses":\{[^}]*\}')" '"accesses":{"exact":3}'
check "unweave that" weft unweave addresses
finish
