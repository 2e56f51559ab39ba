#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Tests the rows of metrics: extremes, totals, keys, and pairs of starts and ends. Each is compared
# with what a program says that it has done. The case fails if a number or a key is missing or
# wrong.
. "$(dirname "$0")/lib.sh"
load_weft
# number KEY: prints the integer, with its sign, that KEY has in the JSON object on standard input.
number() { grep -oE "\"$1\":-?[0-9]+" | head -n 1 | cut -d: -f2 | grep .; }
# extremes METRIC [KEY]: prints the least and the largest value, of the metric or of one of its
# rows.
extremes() {
	local object=$(metric "$1")
	[ $# = 1 ] || object=$(row "$1" "$2")
	echo $(number min <<<"$object") $(number max <<<"$object")
}

# ---- extremes and totals are exact values, not buckets ----

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

# ---- rows by one key, by two keys, by texts ----

# keys METRIC: prints "COUNT KEY" for each row.
keys() {
	metric "$1" | python3 -c 'import json, sys
for row in json.loads(sys.stdin.read())["rows"]:
    print(row["count"], " ".join(row.get("keys", [row["key"]])).replace("\n", " "))'
}
lines "of two values: each pair of them" "$(keys 'by two' | sort -V)" \
	"$(for ((i = 1; i <= 300; i++)); do echo "2 reader $i"; done | sort -V)"
same "as a table" \
	"$(sed -n '/^by two/,/^$/p' /tmp/report | grep -cE '^  reader +[0-9]+ +2$')" 300
same "its head" "$(sed -n '/^by two/{n;p}' /tmp/report | tr -s ' ')" " comm (size_t)\$arg3 count"
same "of three: all pairs are there" "$(keys 'by three' | awk '{ n += $1 } END { print n }')" 600
same "in steps of time" \
	"$(keys 'by three' | grep -cvE '^[0-9]+ reader [01] [0-9]*[02468]\.000000000$')" 0
same "steps of signed numbers are below" "$(keys buckets | sort -k 2n)" \
	"$(printf '%s\n' '100 -300' '200 -200' '200 -100' '100 0')"
same "two texts" "$(keys names)" "600 reader vfs_read"
same "a pointer into a function has its offset" "$(keys pointers)" \
	"600 $(weft points vfs_read --json |
		sed -nE '1s/.*"symbol":"([^"]*)","offset":([0-9]+).*/\1 \2/p' |
		xargs printf '%s+%#x')"
same "stacks: all reads are there" "$(keys stacks | awk '{ n += $1 } END { print n }')" 600
same "from the joinpoint to its callers, without weft" \
	"$(keys stacks | awk '{ print $2, $3 }' | sed 's/+0x[0-9a-f/x]*//g' | sort -u)" \
	"vfs_read ksys_read"
same "by CPU as well" "$(keys 'stacks of two' | awk '{ n[$2] += $1 } END { print n[0], n[1] }')" \
	"300 300"
same "below their rows in the text" \
	"$(sed -n '/^stacks of two/,/^$/p' /tmp/report | grep -c '^      vfs_read+')" \
	"$(keys 'stacks of two' | wc -l)"

# A row stores its key in a changed form, in which 0 and some other values have a meaning of their
# own. These sizes are the keys that would be stored as 0 or nearly 0: each must still have a row.
for size in 0x9e3779b97f4a7c1{5..9}; do measured huge $size 5; done
traffic 5 >/dev/null
weft report --json maps >"$json"
same "keys that are stored as what has a meaning" \
	"$(keys huge | awk '{ n += $1 } END { print n }')" 25
same "an empty text is a key" "$(keys nameless | cat -A)" '25 $'
same "two of them" "$(keys 'nameless twice' | cat -A)" '25  $'
same "four long stacks in one key: all are whole" "$(metric 'four stacks' |
	python3 -c 'import json, sys
rows = json.loads(sys.stdin.read())["rows"]
print(len(rows) > 0,
      all(len(set(row["keys"])) == 1 for row in rows))')" "True True"

# ---- a table with more keys than rows keeps the most frequent ----

check "reset" weft report --reset maps
measured reads >/dev/null
# `measured calls` makes 180 reads of one byte.
taskset -c 0 measured calls >/dev/null
measured reads >/dev/null
weft report --json maps >"$json"
weft report maps >/tmp/report
rows=$(metric heaviest | sed 's/.*"rows"://')
missing=$(metric heaviest | value missing)
at_least "rows passed from key to key" "$(metric heaviest | value replaced_rows)" 500
same "none but the heaviest is kept for good" "$(row heaviest 1 | value count)" \
	"$(awk -v m="$missing" -v n="$(row heaviest 1 | value count)" \
		'BEGIN { print (n <= 184 && n + m >= 184 ? n : "wrong: " n) }')"
same "rows and others are all hits" \
	"$(grep -oE '"count":[0-9]+' <<<"$rows" | awk -F: '{ n += $2 } END { print n }')" \
	$((1200 + 180))
between "a row lacks no more than its part of all" "$missing" 1 $((1380 * 2 / 16))
same "values as well" "$(metric 'heaviest times' | grep -oE '"sum":[0-9]+' | cut -d: -f2 |
	awk '{ n += $1 } END { print n }')" $((4 * 45150 + 180))
same "the text has the others last, and what a row may lack" \
	"$(sed -n '/^heaviest$/,/^$/p' /tmp/report | tail -n 3 | head -n 2 |
		sed -E 's/ +[0-9]+$//; s/(.* at most )[0-9]+ hits; /\1/')" \
	"  (other keys)
  NOT KEPT: the table of 16 keys was full and kept the heaviest; a key lacks at most rows=\"32\" \
would help"
weft report --reset maps
weft read maps >/dev/null
measured reads >/dev/null
weft report --json maps >"$json"

# ---- pairs are counted, also those that lack a start or a row ----

# counts METRIC: prints how many pairs were completed, and how many starts were replaced by a later
# one, are still open, and found no room.
counts() {
	local key object=$(metric "$1")
	echo $(for key in count replaced open dropped; do
		number $key <<<"$object" || echo 0
	done)
}
same "of those that the condition at the end lets pass" "$(metric large | value count)" 400
weft read --json maps >/tmp/records
same "the text of a pair runs for each" "$(grep -c '"text"' /tmp/records)" 400
same "and has its time" \
	"$(grep -oE 'took [0-9]+' /tmp/records | awk '{ s += $2 } END { printf "%d", s }')" \
	"$(metric large | value sum)"
same "within a flow each pair is there" "$(counts 'in a flow')" "600 0 0 0"
measured loop 1000 >/dev/null
weft report --json maps >"$json"
weft report maps >/tmp/report
same "the newest start replaces" "$(counts newest)" "100 100 0 0"
same "nested, starts without an end take all places" \
	"$(($(metric nested | value deep) > 0)) $(metric nested | value open)" "1 7"
said=' starts came while 8 of their key had not ended; with nest="no" the newest replaces'
same "which is said, with what helps" \
	"$(sed -n '/^nested/,/^$/p' /tmp/report | grep -c "NOT COUNTED: [0-9]*$said")" 1
same "a start that does not count takes no place, nor keeps one" \
	"$(counts 'last does not count') $(metric 'last does not count' | value unmatched)" \
	"0 0 0 0 100"
same "other keys in the way are said, and how many would do" \
	"$(sed -n '/^few/,/^$/p' /tmp/report | grep -oE 'beside other keys; pairs="[0-9]+"')" \
	'beside other keys; pairs="32"'
check "reset" weft report --reset maps
measured reads >/dev/null
weft report --json maps >"$json"
same "the extremes begin anew" "$(extremes sizes)" "1 300"

# ---- the report for Prometheus has the same numbers ----

# Prometheus' own parser reads the text and prints the count of each row, as exposed() does of the
# JSON. The metric `time` also counts the programs that run between the two reports.
read_exposed() {
	/usr/bin/python3 -c 'import sys
from prometheus_client.openmetrics.parser import text_string_to_metric_families as parse
for family in parse(open("/tmp/weft.prom").read()):
    for sample in family.samples:
        name = sample.name.replace("_count", "_total")
        if name.startswith("weft_maps_") and name.endswith("_total"):
            print(name[len("weft_maps_"):], *sample.labels.values(), int(sample.value))' |
		grep -v '^time_' | sort
}
exposed() {
	python3 -c 'import json, re, sys
for line in sys.stdin:
    metric = json.loads(line)
    unit = {"B": "_bytes", "ns": "_seconds"}.get(metric["unit"], "")
    for row in metric["rows"] + ([metric["others"]] if "others" in metric else []):
        keys = [row["key"]] if row.get("key") else []
        if row is metric.get("others"):
            keys = ["(others)"] * len(metric["by"].split(", "))
        signed = metric["type"] == "histogram" and row["min"] < 0
        if not signed:
            print(re.sub("[^a-zA-Z0-9]+", "_", metric["metric"]) + unit + "_total",
                  *row.get("keys", keys), row["count"])' <"$json" |
		grep -v '^time_' | sort
}
check "for monitors" weft report --openmetrics -o /tmp/weft.prom maps
weft report --json maps >"$json"
lines "which read there what is here" "$(read_exposed)" "$(exposed)"
same "and that the aspect is woven" "$(grep '^weft_aspect_woven' /tmp/weft.prom)" \
	'weft_aspect_woven{aspect="maps"} 1'
refuses "an aspect that is not there" 10 'the kernel knows no aspect nobody' \
	weft report --openmetrics nobody
check "unweave" weft unweave maps
check "the end" weft unweave --all
finish
