#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Tests filters by pid, comm and uid, which an aspect or an option of `weft weave` sets. Hits are
# compared with a program that counts its own calls, while other programs make the same calls.
. "$(dirname "$0")/lib.sh"
load_weft
json=/tmp/json

metric() { grep -F "\"metric\":\"$1\"" $json; }
# figure_of METRIC KEY: prints that number of the metric, or 0.
figure_of() { metric "$1" | sed -n "s/.*\"$2\":\([0-9]*\).*/\1/p" | grep . || echo 0; }
as_user() { setpriv --reuid 4321 --clear-groups "$@"; }
filtered=$aspects/who_filtered.ko

dd if=/dev/zero of=/dev/null bs=1 2>/dev/null &
reader=$!
check "weave" weft weave "$aspects/who.ko"
read -r _ reads _ preads < <(measured calls)
calls=$((reads + preads))
measured calls 31234 >/dev/null
as_user "$(command -v measured)" calls >/dev/null
# The program has a higher priority than all others on its CPU, so no other task reads on that CPU
# between the start and the end of one of its reads.
taskset -c 1 chrt -f 50 setpriv --reuid 4321 --clear-groups "$(command -v measured)" threads \
	>/tmp/threads
read -r _ count _ < <(measured reads | grep sum)
weft report --json who >$json
same "by comm" "$(figure_of caller count)" $((3 * calls))
same "by several" "$(figure_of readers count)" "$count"
same "by uid and comm" "$(figure_of user count)" "$calls"
# rows METRIC: prints key and count of each row.
rows() {
	metric "$1" | grep -o '"key":"[^"]*","key_number":"[^"]*","count":[0-9]*' |
		sed 's/"key":"\([^"]*\)".*:/\1 /' | sort
}
same "rows by process" "$(rows "by pid")" "$(awk '{ n += $3 } END { print $1, n }' /tmp/threads)"
same "rows by thread" "$(rows "by tid")" "$(awk '{ print $2, $3 }' /tmp/threads | sort)"
same "rows by user" "$(rows "by uid")" "$(awk '{ n += $3 } END { print 4321, n }' /tmp/threads)"
same "rows by joinpoint" "$(rows "by joinpoint" | sed 's/+0x[0-9a-f]*//')" \
	"$(awk '{ n += $3 } END { print "vfs_read", n; print "vfs_read", n }' /tmp/threads)"
same "pairs by CPU" "$(rows "on one CPU")" "$(awk '{ n += $3 } END { print 1, n }' /tmp/threads)"
same "by another uid" "$(figure_of none count)" 0
same "by pid, of a process of that number, and of the next" \
	"$(figure_of process count) $(figure_of "no process" count)" "$calls 0"
same "a pair, of one task" "$(figure_of time count) $(figure_of time open)" "$((3 * calls)) 0"
same "a pair with a key of its own, none of whose starts counts" "$(figure_of file count)" 0
same "advice, before its condition" "$(weft read | grep -c ' caller-.*: user$')" "$calls"
check "unweave" weft unweave who

# Stops the reader between two reads, so that every read that it began has ended: a report reads one
# metric after the other, and a read in between would be in only one of two metrics.
stop_reader() {
	kill -STOP $reader
	until grep -q '^State:.T' /proc/$reader/status; do sleep 0.05; done
}

# woven OPTION...: weaves with these options while the program and others make calls; then reads the
# report.
woven() {
	check "weave $*" weft weave "$@" "$filtered"
	measured calls >/dev/null
	as_user "$(command -v measured)" calls >/dev/null
	stop_reader
	weft report --json who_filtered >$json
	weft unweave who_filtered >/dev/null
	kill -CONT $reader
	weft read >/tmp/records
}
woven --comm caller
same "--comm: counter" "$(figure_of reads count)" $((2 * calls))
same "--comm: pairs" "$(figure_of time count)" $((2 * calls))
same "--comm: records" \
	"$(grep -c ' caller-' /tmp/records) $(grep -vc ' caller-' /tmp/records)" "$((2 * calls)) 0"
woven --comm caller --uid 4321
same "--comm and --uid" "$(figure_of reads count)" "$calls"
woven --uid 0 --comm caller
same "--uid 0" "$(figure_of reads count)" "$calls"
woven --pid $reader
same "--pid: nobody else" "$(metric by | grep -o '"key":"[^"]*"')" '"key":"dd"'
at_least "--pid: and this one" "$(figure_of reads count)" 100
same "--pid: pairs are of it alone" "$(($(figure_of reads count) - $(figure_of time count) <= 1))" 1

weft run --own "$filtered" -- sh -c 'measured calls; (measured calls; true) | cat' \
	>/tmp/out 2>/tmp/said
same "run --own: the command and what it starts" \
	"$(grep -c ' caller-[0-9]* vfs_read+.*: read$' /tmp/out)" $((2 * calls))
same "run --own: nobody else" "$(grep -c ' dd-.*: read$' /tmp/out)" 0
kill $reader
wait $reader 2>/dev/null

weft weave --pid 999999 "$filtered" 2>/tmp/said
same "no such process" $? 10
check "is said" grep -q '^weft: who_filtered: there is no process 999999$' /tmp/said
refuses "a module without room for it" 7 'compile it with --filtered' \
	weft weave --comm x "$aspects/who.ko"
refuses "a name that no task can have" 2 'has 1 to 15 bytes' \
	weft weave --comm 0123456789abcdef "$filtered"
refuses "two filters" 2 'exclude each other' weft run --own --pid 1 "$filtered" -- true
weft read >/dev/null
check "weft.ko unloads" rmmod weft
finish
