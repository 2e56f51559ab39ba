#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Tests `weft run` and `weft weave` of an aspect's source. The module comes from a cache that was
# filled on the host, since kbuild would take half a minute in an emulated guest; the module's key
# in the cache shows that the guest's weft would have built the same one. Counts are compared with
# dd's own.
. "$(dirname "$0")/lib.sh"
load_weft
take_cache
source=tests/vm/aspects/reads.xml

count() { grep -c ": $1\$" "$2"; }

check "the cache has the module" bash -c "weft compile $source | grep 'compiled before'"
weft run "$source" -- dd if=/dev/zero of=/dev/null bs=7 count=200 >/tmp/records 2>/tmp/said
same "run ends as the command does" $? 0
same "what dd says is shown" "$(grep -c '^200+0 records in' /tmp/said)" 1
same "the entry, where the condition holds" "$(count entry /tmp/records)" 200
same "the call from within" "$(count call /tmp/records)" 200
same "the exit, by what is returned" "$(count exit /tmp/records)" 200
check "totals" grep -qE '^reads unwoven: [0-9]+ hits, 0 missed, 600 records, 0 lost$' /tmp/said
same "nothing is woven afterwards" "$(weft list)" "no aspects"

weft run -o /tmp/file "$O/vm/aspects/reads.ko" sh -c \
	'read_it() { dd if=/dev/zero of=/dev/null bs=7 count=3; }; read_it; echo out; exit 7' \
	>/tmp/out 2>/dev/null
same "the command's status" $? 7
same "its output alone" "$(cat /tmp/out)" out
same "records in a file" "$(wc -l </tmp/file)" 9
weft run "$source" -- sh -c 'kill -TERM $$' 2>/dev/null
same "a signal that ends it" $? 143
weft run "$source" -- /nowhere 2>/tmp/said
same "no such command" $? 127
check "is said" grep -q '^weft: /nowhere: No such file' /tmp/said
weft run "$source" -- /etc/passwd 2>/dev/null
same "no program" $? 126
# The number of the folder's own descriptor, which ls has opened, is among those that ls prints.
weft run "$source" -- ls /proc/self/fd >/tmp/out 2>/dev/null
same "the command inherits no file of weft's" "$(grep -x '[0-9]*' /tmp/out | paste -sd ' ')" \
	"0 1 2 3"
refuses "no command" 2 'no command: write it after the aspect' weft run "$source" --
refuses "no aspect" 2 'name an aspect' weft run

# For an aspect with metrics, the report must come after the command's output, and then nothing of
# the aspect may be left.
weft run "$aspects/metrics.ko" -- sh -c 'measured reads >/tmp/reads; echo out; exit 5' \
	>/tmp/out 2>/tmp/said
same "the status with metrics" $? 5
same "what the command prints comes first" "$(head -n 1 /tmp/out)" out
same "then the report, which has counted" \
	"$(sed -n '/^reads/,/^$/p' /tmp/out | awk '$1 == "reader" { print $2 }')" \
	"$(sed -n 's/^sum \([0-9]*\) .*/\1/p' /tmp/reads)"
same "and the metrics are forgotten" "$(weft list)" "no aspects"
weft run --quiet --json -o /tmp/file "$aspects/metrics.ko" -- measured reads >/tmp/out 2>/tmp/said
same "with -o the report is in the file, and JSON if that is asked for" \
	"$(grep -F '"metric":"reads"' /tmp/file | grep -oP '"key":"reader".*?"count":\K[0-9]*')" \
	"$(sed -n 's/^sum \([0-9]*\) .*/\1/p' /tmp/out)"
same "each line of it" "$(objects </tmp/file)" "$(wc -l </tmp/file)"
same "the command's output alone" "$(grep -vcE '^(sum )?[0-9 ]+$' /tmp/out)" 0

# The HTML page also has each metric over time: the increases in all intervals must add up to the
# count.
data() { sed -n '/id="weft-data">$/,/^<\/script>/p' /tmp/page.html; }
weft run --html /tmp/page.html "$aspects/metrics.ko" -- \
	sh -c 'for i in 1 2 3; do measured reads; sleep 0.3; done' >/tmp/out 2>/tmp/said
same "with --html the text is there, too" "$(grep -c '^sizes' /tmp/out)" 1
data | grep '"metric":' >/tmp/metrics
n=$(($(grep -n '"metric":"reads"' /tmp/metrics | cut -d: -f1) - 1))
data | grep "\"samples\":$n," >/tmp/data
same "what was gained adds up to what was counted" \
	"$(sed -n 's/.*"key":"reader","values":\[\([0-9,]*\)\].*/\1/p' /tmp/data |
		tr , + | xargs -I{} sh -c 'echo $(({}))')" \
	"$(awk '$1 == "sum" { n += $2 } END { print n }' /tmp/out)"
check "in several intervals" bash -c \
	'n=$(sed -n "s/.*\"n\":\([0-9]*\),.*/\1/p" /tmp/data); [ "$n" -ge 4 ]'
check "it says of which kernel" grep -qF "<dd>$(uname -r)</dd>" /tmp/page.html
check "and of which command" grep -qF '<dt>command</dt><dd>sh -c for i in 1 2 3;' /tmp/page.html
check "and how each joinpoint is spliced" grep -qE '<td>(jump|call)</td></tr>' /tmp/page.html
weft run --html /tmp/page.html "$source" -- dd if=/dev/zero of=/dev/null bs=7 count=5 \
	>/tmp/out 2>/dev/null
same "records are in the page, too" "$(data | grep -c '"time_ns":')" "$(wc -l </tmp/out)"
check "and the aspect" grep -qF '&lt;aspect name=&quot;reads&quot;' /tmp/page.html
check "a page that cannot be written fails" bash -c \
	'! weft run --html /nowhere/page "'"$source"'" -- true >/dev/null 2>&1'
set -m
# The shell of the case may have been started with SIGINT ignored.
env --default-signal=INT weft run "$aspects/metrics.ko" -- \
	sh -c 'measured reads >/dev/null; echo ready; exec sleep 100' >/tmp/out 2>/dev/null &
until grep -q ready /tmp/out; do sleep 0.1; done
kill -INT -- -$!
wait $!
same "^C ends the command" $? 130
set +m
check "and the report is there" grep -q '^sizes' /tmp/out

# ^C is for the command, not for weft: the aspect must stay woven until weft ends.
weft run "$source" -- sh -c 'trap "exit 3" TERM; echo ready; while :; do sleep 0.1; done' \
	>/tmp/out 2>/dev/null &
until grep -q ready /tmp/out; do sleep 0.1; done
kill -INT $!
check "woven while it runs" grep -qE "^(woven|optimizing)$" <<<"$(state reads)"
kill -TERM $!
wait $!
same "SIGTERM is passed on" $? 3

# The records of this session are more than a pipe holds, and nobody reads them.
mkfifo /tmp/unread
exec 5<>/tmp/unread
weft run "$source" -- dd if=/dev/zero of=/dev/null bs=7 count=2000 >&5 2>/tmp/said &
check "the report begins when nothing is woven" await grep -q '^reads unwoven' /tmp/said
sleep 0.5
check "it waits for its reader" grep -q '^State:.[SR]' /proc/$!/status
kill -TERM $!
check "SIGTERM ends it" await bash -c '! grep -q "^State:.[SRD]" /proc/'$!/status
kill -KILL $! 2>/dev/null
wait $! 2>/dev/null
same "and the status says so" $? 143
exec 5<&-
weft unweave --all >/dev/null 2>&1

weft run "$source" -- sh -c 'echo again; exec sleep 100' >/tmp/out 2>/dev/null &
until grep -q again /tmp/out; do sleep 0.1; done
kill -KILL $!
wait $! 2>/dev/null
check "killed: nothing is woven" await bash -c '! weft list | grep -qE " (woven|optimizing) "'
weft unweave --all >/dev/null

# After a killed session its aspect is still loaded, with its metrics and records. The next session
# must not print these.
# killed WEFT-COMMAND...: starts that weft command, and kills it when the command in it has run, so
# that it reads no more records.
killed() {
	rm -f /tmp/out
	"$@" -- sh -c 'echo ready; sleep 1; measured reads
		dd if=/dev/zero of=/dev/null bs=7 count=9; echo done; exec sleep 100' \
		>/tmp/out 2>/dev/null &
	until grep -qs ready /tmp/out; do sleep 0.1; done
	kill -STOP $!
	until grep -q done /tmp/out; do sleep 0.1; done
	kill -KILL $!
	wait $! 2>/dev/null
	await bash -c '! weft list | grep -qE " (woven|optimizing|retiring) "'
}
killed weft run "$aspects/metrics.ko"
same "killed: its aspect stays" "$(state metrics)" loaded
weft run --json "$aspects/metrics.ko" -- measured reads >/tmp/out 2>/tmp/said
same "the next session counts only its own" \
	"$(grep -F '"metric":"reads"' /tmp/out | grep -oP '"key":"reader".*?"count":\K[0-9]*')" \
	"$(sed -n 's/^sum \([0-9]*\) .*/\1/p' /tmp/out)"
killed weft run "$source"
unread=$(figure reads unread)
at_least "killed: records that nobody has read" "$unread" 27
weft record -o /tmp/recorded "$source" -- true >/tmp/out 2>/tmp/said
same "a recording leaves them there" "$? $(figure reads unread)" "10 $unread"
check "and says how they are read" grep -q 'of an earlier weave .*`weft read reads`' /tmp/said
weft run "$source" -- dd if=/dev/zero of=/dev/null bs=7 count=5 >/tmp/out 2>/tmp/said
same "the next session shows only its own records" "$(wc -l </tmp/out)" 15
same "and has only its own in its totals" "$(grep -c ', 15 records, ' /tmp/said)" 1
same "and says that the others were dropped" "$(grep -c \
	"^weft: note: $unread records of an earlier weave of reads, .* were dropped" /tmp/said)" 1
same "then nothing is left" "$(weft list)" "no aspects"

check "weave of a source" weft weave "$source"
check "state" grep -qE "^(woven|optimizing)$" <<<"$(state reads)"
dd if=/dev/zero of=/dev/null bs=7 count=5 2>/dev/null
weft read --json reads >/tmp/json
same "records as JSON: by their joinpoints, and how many" "$(python3 -c '
import collections, json, sys
lines = [json.loads(line) for line in sys.stdin]
records, totals = lines[:-1], lines[-1]
assert all(r["comm"] == "dd" and r["function"] == r["symbol"] == "vfs_read" and r["line"]
           for r in records), records
print(sorted(collections.Counter(r["text"] for r in records).items()), totals)' </tmp/json 2>&1)" \
	"[('call', 5), ('entry', 5), ('exit', 5)] {'aspect': 'reads', 'records': 15, 'lost': 0}"
check "unweave" weft unweave reads
finish
