#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Tests the variables that advice keeps for each task, compared with what a program reports that its
# processes did. The variables must go with their tasks, and every hit that finds no room must be
# counted.
. "$(dirname "$0")/lib.sh"
load_weft
out=/tmp/records

check "weave" weft weave "$aspects/tasks.ko"
measured reads >/tmp/reads
read -r _ count bytes < <(grep sum /tmp/reads)
weft report --json tasks >/tmp/json
weft read >$out
same "each process is told apart" "$(grep -c ' reader-' $out)" 2
same "and has its own count and sum" "$(grep ' reader-' $out | sed 's/.*: //' | sort -u)" \
	"$((count / 2)) reads, $((bytes / 2)) bytes"
same "before-advice hands on to after-advice" "$(grep -c 'time goes' $out)" 0
same "metrics see it, too" \
	"$(grep -oP '\{"key":"reader","[^{]*"count":\K[0-9]+' /tmp/json)" $((2 * (count / 2 - 290)))

few_are_kept() { [ "$(figure tasks tasks)" -lt 100 ]; }
for ((i = 0; i < 200; i++)); do (read -r _ </etc/passwd); done
check "and what was kept of them goes, too" await few_are_kept
weft read >$out
at_least "200 processes came and went" "$(wc -l <$out)" 200
same "there was room for all" "$(figure tasks dropped)" 0
check "unweave" weft unweave tasks

check "weave with little room" weft weave "$aspects/tasks_few.ko"
for ((i = 0; i < 40; i++)); do (read -r _ </etc/passwd; exec sleep 100) & done
all_sleep() { [ "$(cat /proc/[0-9]*/comm 2>/dev/null | grep -cx sleep)" -ge 40 ]; }
check "40 processes have read and go on" await all_sleep
used=$(figure tasks_few tasks)
kill $(jobs -p)
wait 2>/dev/null
check "unweave" weft unweave tasks_few
dropped=$(figure tasks_few dropped)
same "room" "$(figure tasks_few tasks_room)" 0
if [ "$used" -ge 8 ] && [ "$used" -le 16 ]; then
	pass "used: $used of 16"
else
	fail "used" "$used"
fi
at_least "hits without room are counted" "$dropped" 20
same "every hit was kept or counted" \
	"$(($(figure tasks_few records) + $(figure tasks_few lost) + dropped))" \
	"$(figure tasks_few hits)"
same "the list says so" "$(weft list | grep -c "NOT KEPT: $dropped hits")" 1
weft read >/dev/null
check "weft.ko unloads" rmmod weft
finish
