#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Tests eight readers of one aspect, which choose different records, beside a `weft read` of all.
# Each reader must get every record that it has chosen once and in order, or report how many it has
# lost.
. "$(dirname "$0")/lib.sh"
load_weft
rounds=1500
insmod "$aspects/door.ko"
weft weave --optimized "$aspects/door.ko" >/dev/null
marks wait /tmp/go many 0 $rounds &
first=$!
marks wait /tmp/go named second many 10000 $rounds &
second=$!

# all_read FILE...: waits until the files do not grow any more.
all_read() {
	local before=-1 now=0
	while [ "$before" != "$now" ]; do
		before=$now
		sleep 2
		now=$(cat "$@" | wc -c)
	done
}

# reads NAME OPTION...: starts a reader that writes to /tmp/NAME.json until it is stopped.
declare -A reader
reads() {
	weft read --json --follow "${@:2}" door >/tmp/$1.json 2>/tmp/$1.said &
	reader[$1]=$!
}
reads all --beside
reads odd --words odd
reads even --words even
reads first --pid $first
reads second --pid $second
reads odd_second --words odd --pid $second
reads at --at vfs_read
reads new --new
await bash -c 'weft list --json | grep -q "\"readers\":8,"'
check "there are eight readers" bash -c 'weft list | grep -q "8 readers"'
refuses "there is no joinpoint elsewhere" 5 'no joinpoint there: --at names' \
	weft read --at vfs_write door
weft read --json --follow door >/tmp/own.json 2>/tmp/own.said &
reader[own]=$!
: >/tmp/go
wait $first $second
all_read /tmp/*.json
kill -INT "${reader[@]}"
wait "${reader[@]}" 2>/dev/null

# account FILE WANTED PATTERN: the records in FILE that match PATTERN, and the losses that FILE
# reports, must be WANTED together. The numbers in the records of each process must increase, and so
# must the times of each CPU. If records found the buffer full, a reader that chooses does not know
# how many of these it had chosen.
cat >/tmp/account.py <<'END'
import json, re, sys
path, wanted, pattern = sys.argv[1], int(sys.argv[2]), sys.argv[3]
last, times, n, before, total = {}, {}, 0, 0, None
for line in open(path):
    record = json.loads(line)
    if "time_ns" not in record:
        total = record
        continue
    n += 1
    before += record.get("lost", 0)
    number = int(re.match(r"(?:odd|even) mark (\d+)", record["text"]).group(1))
    if not re.match(pattern, record["text"]):
        sys.exit("a record that was not chosen: " + record["text"])
    if number <= last.get(record["pid"], -1):
        sys.exit("%d after %d" % (number, last[record["pid"]]))
    if record["time_ns"] < times.get(record["cpu"], 0):
        sys.exit("times decrease")
    last[record["pid"]], times[record["cpu"]] = number, record["time_ns"]
lost, uncounted = total["lost"], total.get("uncounted", 0)
if not n + lost <= wanted <= n + lost + uncounted:
    sys.exit("%d read, %d lost (%d told with records), %d uncounted: not %d"
             % (n, lost, before, uncounted, wanted))
print("%d read, %d lost, %d uncounted" % (n, lost, uncounted))
END
account() {
	check "$1: none is lost untold, none doubled" \
		python3 /tmp/account.py "/tmp/$1.json" "$2" "$3"
}
account all $((2 * rounds)) .
account odd $rounds odd
account even $rounds even
account first $rounds .
account second $rounds .
account odd_second $((rounds / 2)) odd
account at $((2 * rounds)) .
account new $((2 * rounds)) .
same "the names of the joinpoints are there" "$(grep -c '"function":"vfs_read"' /tmp/at.json)" \
	"$(($(wc -l </tmp/at.json) - 1))"

# A reader that begins late must get the records that are still there, with their tasks.
marks 7
weft read --beside door >/tmp/late
same "a late reader sees the task of a record from before" \
	"$(grep -c 'marks-.*odd mark 7$' /tmp/late)" 3
same "and takes none" "$(weft read --beside door | grep -c 'odd mark 7$')" 3
same "nor from weft read" "$(weft read door | grep -c 'odd mark 7$')" 3

# Readers that choose single values.
# texts FILE: prints the texts of the records in FILE, each text once.
texts() { sed -nE 's/.*"text":"([^"]*)".*/\1/p' "$1" | uniq | xargs; }
weft read door >/dev/null
marks 7 8
weft read --json --fields number door >/tmp/fields
same "a reader that chooses a value gets it alone" "$(texts /tmp/fields)" "7 8"
same "with its name and type" \
	"$(grep -cE '"values":\[\{"name":"number","unit":"","type":"unsigned","value":[78]\}\]' \
		/tmp/fields)" 6
weft read --json --fields '(void*)schedule, number,  current' door >/tmp/fields
same "one that chooses several gets them where they are" \
	"$(texts /tmp/fields | sed -E 's/[0-9a-f]{6,16}/A/g')" "7 8 A A A"
same "each of them a value" "$(grep -o '"name"' /tmp/fields | wc -l)" $((3 + 3 * 4))
weft read --json --fields '"x"' door >/tmp/fields
same "records that have none of them are left out" "$(texts /tmp/fields)" x
same "and who is not told of them has not lost them" "$(tail -n 1 /tmp/fields | value lost)" 0
refuses "nine are too many" 2 '--fields names at most 8' \
	weft read --fields a,b,c,d,e,f,g,h,i door

# One reader does not read at all. The others must lose nothing because of it, and it must report
# its losses.
# Without --new it would have the records from before, unless `weft read` has taken them first.
weft read --json --follow --new --beside door >/tmp/slow.json 2>/tmp/slow.said &
slow=$!
weft read door >/dev/null
overtaken=$(figure door overtaken)
await bash -c 'weft list --json | grep -q "\"readers\":1,"'
kill -STOP $slow
weft read --json --follow --beside door >/tmp/fast.json 2>/tmp/fast.said &
fast=$!
await bash -c 'weft list --json | grep -q "\"readers\":2,"'
for i in 1 2 3 4 5 6 7 8 9 10; do
	marks many $((i * 2000)) 2000
	sleep 0.5
done
kill -CONT $slow
all_read /tmp/slow.json /tmp/fast.json
kill -INT $slow $fast
wait $slow $fast 2>/dev/null
lost_of() { tail -n 1 "$1" | value lost; }
same "the fast one has all" "$(($(wc -l </tmp/fast.json) - 1 + $(lost_of /tmp/fast.json)))" 20000
same "without a loss" "$(lost_of /tmp/fast.json)" 0
at_least "the slow one has lost some" "$(lost_of /tmp/slow.json)" 1000
same "and knows how many" "$(($(wc -l </tmp/slow.json) - 1 + $(lost_of /tmp/slow.json)))" 20000
at_least "weft list shows what weft read has missed" "$(figure door overtaken)" 1000
same "and the rest is there for it" \
	"$(($(figure door overtaken) - overtaken + $(figure door unread)))" 20000

weft unweave door >/dev/null

# A recorder must get all records, whoever reads beside it. When it begins, other readers are ended.
insmod "$aspects/door.ko"
weft read --follow --beside door >/dev/null 2>&1 &
before=$!
await bash -c 'weft list --json | grep -q "\"readers\":1,"'
check "a recording begins while others read" weft record -o /tmp/recorded "$aspects/door.ko" -- \
	bash -c 'weft read --follow --beside door >/tmp/beside &
		until weft list --json | grep -q "\"readers\":1,"; do sleep 0.1; done
		marks 3 5
		sleep 1
		kill -INT $!
		wait $!
		marks 7'
check "which ends them" await bash -c "! kill -0 $before"
same "who reads beside it sees the same" "$(sed 's/.* mark //' /tmp/beside | uniq | xargs)" "3 5"
same "it has everything" "$(weft read /tmp/recorded | sed 's/.* mark //' | uniq | xargs)" "3 5 7"
finish
