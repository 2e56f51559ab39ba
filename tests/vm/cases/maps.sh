#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# What rows of metrics are: extremes, totals, keys, pairs, against what a program says that it did.
. "$(dirname "$0")/lib.sh"
load_weft
# number KEY: of the object on standard input, with its sign.
number() { grep -oE "\"$1\":-?[0-9]+" | head -n 1 | cut -d: -f2; }
# extremes METRIC [KEY]
extremes() {
	local object=$(metric "$1")
	[ $# = 1 ] || object=$(row "$1" "$2")
	echo $(number min <<<"$object") $(number max <<<"$object")
}

# ---- extremes and totals ----

check "weave" weft weave "$aspects/maps.ko"
measured reads >/tmp/reads
weft report --json maps >"$json"
weft report maps >/tmp/report
same "extremes are values, not buckets" "$(extremes sizes)" "1 300"
same "of a row on one CPU" "$(extremes 'sizes by cpu' 1)" "1 300"
same "of signed values" "$(extremes less)" "-199 100"
same "of values beyond all buckets" "$(extremes steps)" "-200 99"
same "elapsed: the total in the text" \
	"$(sed -n '/^time/{n;p;q}' /tmp/report | tr -s ' ')" \
	" comm count total mean min p50 p90 p99 max"
at_least "elapsed: the least is in the first of its buckets" \
	"$(row time reader |
		sed -E 's/.*"min":([0-9]*).*"buckets":\[\[([0-9]*),([0-9]*).*/\1 \2 \3/' |
		awk '{ print ($1 >= $2 && $1 < $3) }')" 1
check "reset" weft report --reset maps
measured reads >/dev/null
weft report --json maps >"$json"
same "the extremes begin anew" "$(extremes sizes)" "1 300"
check "unweave" weft unweave maps
check "the end" weft unweave --all
finish
