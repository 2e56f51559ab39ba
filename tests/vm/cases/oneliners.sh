#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Tests one-liners, which are compiled on the host (tests/vm/oneliners.txt). Their numbers are
# compared with what a program itself reports and with a tracepoint of the kernel, in the same run.
# A one-liner ends with its command, at ^C, or after a time. The case fails if a number differs, if
# something is still woven afterwards, or if the text is not the original.
. "$(dirname "$0")/lib.sh"
load_weft
# The first traffic switches jump labels of the kernel on, for good.
traffic 20 >/dev/null
kernel-text /tmp/before >/dev/null
take_cache

questions=tests/vm/oneliners.txt
# unwoven NAME: checks that nothing is woven any more and that the text is the original.
unwoven() {
	same "$1: nothing is woven" "$(weft list)" "no aspects"
	check "$1: the text is what it was" restored
}
# of KEY COLUMN: prints that column in the row KEY of the table in /tmp/found.
of() { awk -v key="$1" -v n="$2" '$1 == key { print $n; exit }' /tmp/found; }

# ---- one-liners that count, add values up and measure times ----

asks reads -- measured reads >/tmp/out 2>/tmp/found
same "count: it ends as the command does" $? 0
read -r _ count bytes < <(grep sum /tmp/out)
same "count: equal to the program's own" "$(of reader 2)" "$count"
same "count: the command's output is its own" \
	"$(grep -vcE '^(sum )?[0-9]+ [0-9]+( [0-9]+)?$' /tmp/out)" 0
unwoven count

asks big --json -o /tmp/json -- measured reads >/tmp/out 2>/tmp/said
json=/tmp/json
same "hist: those that the condition lets pass" "$(row vfs_read reader | value count)" 400
same "hist: their sum" "$(row vfs_read reader | value sum)" 80200
asks returned --quiet --json -o /tmp/json -- measured reads >/tmp/out 2>/tmp/said
same "hist of \$ret: the sum of what was returned" \
	"$(row vfs_read reader | value sum)" "$bytes"
same "--quiet says nothing" "$(cat /tmp/said)" ""

asks lasting --json -o /tmp/json -- measured reads >/tmp/out 2>/dev/null
same "time: each read is measured" "$(row vfs_read reader | value count)" "$count"
whole=$(row vfs_read reader | value sum)
at_least "time: nanoseconds" "$whole" "$count"
asks between --json -o /tmp/json -- measured reads >/tmp/out 2>/dev/null
same "time between two lines: each read" \
	"$(row 'fs/read_write.c:461 .. fs/read_write.c:473' reader | value count)" "$count"
asks opens -- true 2>/tmp/said
said=' inlined instances of vfs_open left out: '
same "what has no arguments is left out, and that is said" \
	"$(sed -n "s/^note: \([0-9]*\)$said.*/\1/p" /tmp/said)" \
	"$(weft points --json vfs_open%inlined | grep -c '"offset"')"
unwoven time

# ---- one-liners that print a line for each change of a member ----

# transitions FILE: prints "OLD -> NEW" of those state changes that the tracepoint sees too.
transitions() {
	grep -E 'inet_sk_(set_state|state_store)\+' "$1" | grep -oE '[0-9]+ -> [0-9]+' | sort
}
hist=$tracing/events/sock/inet_sock_set_state
traced() {
	sed -nE 's/.*oldstate: *([0-9]+), newstate: *([0-9]+).*hitcount: *([0-9]+).*/\1 \2 \3/p' \
		$hist/hist | awk '{ for (i = 0; i < $3; i++) print $1 " -> " $2 }' | sort
}
# against_tracepoint LABEL: runs the one-liner, and compares the state changes that it prints with
# the tracepoint's.
against_tracepoint() {
	counting sock/inet_sock_set_state oldstate,newstate
	asks "$1" -- traffic 40 >/tmp/out 2>/tmp/said
	same "$1: it ends as the command does" $? 0
	traced >/tmp/wanted
	echo '!hist:keys=oldstate,newstate:size=1024' >$hist/trigger
	lines "$1: states as the tracepoint has them" "$(transitions /tmp/said)" \
		"$(cat /tmp/wanted)"
	same "$1: nothing of it on standard output" "$(grep -c ' -> ' /tmp/out)" 0
}
against_tracepoint states
against_tracepoint changes
line='^ *[0-9]+\.[0-9]{9} .{1,15}\[[0-9]+\] sock [0-9a-f]{16} sk_state [0-9]+ -> [0-9]+'
line+='  [a-z0-9_.]+\+0x[0-9a-f]+ \([a-z0-9_/.-]+\.[ch]:[0-9]+\) (set|rmw)$'
same "watch: every line says who, what, where" \
	"$(grep ' -> ' /tmp/said | grep -vcE "$line")" 0
same "watch: the file is the function's" \
	"$(grep -o ' inet_sk_set_state+.*' /tmp/said | grep -vc '(net/ipv4/af_inet.c:1369) set$')" 0
against_tracepoint changed
check "watch --changed: nothing that stays" \
	bash -c '! grep -oE "[0-9]+ -> [0-9]+" /tmp/said | grep -qE "^([0-9]+) -> \1$"'
# The stack must begin with the function that wrote the member, without weft's own frames.
at_least "watch --stack: it begins where it was written" \
	"$(awk '/ -> / {
			for (i = 1; i <= NF; i++) if ($i ~ /\+0x/) f = $i
			sub(/\+.*/, "", f)
			next
		}
		/^      / && f { n += index($1, f "+") == 1; bad += index($1, f "+") != 1; f = "" }
		END { print bad ? 0 : n }' /tmp/said)" 10 "$(grep -A3 ' -> ' /tmp/said | head -8)"
same "watch --stack: weft is not in it" "$(grep -c 'weft_' /tmp/said)" 0
asks inodes --for 5s >/tmp/found 2>/tmp/said &
weft=$!
await grep -q woven$ /tmp/said
touch /tmp/new-file && sync && rm /tmp/new-file
await grep -q ' i_state 0x.* -> ' /tmp/found
check "watch: live, while it is woven" grep -qE "woven|optimizing" <<<"$(weft list)"
wait $weft
same "watch for a time" $? 0
unwoven watch

# ---- one-liners that count by stack trace ----

asks readers -- measured reads >/tmp/out 2>/tmp/found
# counts: prints the counts in /tmp/found, each of which stands in a line above its stack trace.
counts() { awk 'NF == 1 && $1 ~ /^[0-9]+$/ { print $1 }' /tmp/found; }
same "stacks: as many hits as reads" "$(counts | awk '{ n += $1 } END { print n }')" "$count"
same "stacks: the most frequent first" "$(counts)" "$(counts | sort -rn)"
same "stacks: from the function to its callers" \
	"$(awk 'NF == 1 && $1 ~ /^[0-9]+$/ { getline; a = $1; getline; print a, $1 }' /tmp/found |
		sed 's/+0x[0-9a-f/x]*//g' | sort -u)" "vfs_read ksys_read"
asks freed -- traffic 20 >/dev/null 2>/tmp/found
same "stacks of calls through a member: hits" "$(counts | awk '{ n += $1 } END { print n }')" \
	"$(sed -n 's/.* unwoven: \([0-9]*\) hits.*/\1/p' /tmp/found)"
unwoven stacks

# ---- one-liners end at ^C, after a time, with their command ----

asks reads >/tmp/found 2>/tmp/said &
weft=$!
await grep -q 'woven; ^C ends it' /tmp/said
measured reads >/dev/null
kill -INT $weft
wait $weft
same "^C: it is a good end" $? 0
same "^C: and it has counted" "$(of reader 2)" "$count"
unwoven ^C
asks reads >/tmp/found 2>/tmp/said &
weft=$!
await grep -q 'woven; ^C ends it' /tmp/said
kill -TERM $weft
wait $weft
same "SIGTERM: the status says so" $? 143
check "SIGTERM: the report is there" grep -q '^vfs_read' /tmp/found
begun=$(date +%s%N)
asks reads --for 1500ms >/tmp/found 2>/tmp/said
same "--for: a good end" $? 0
at_least "--for: as long as that, in ms" $((($(date +%s%N) - begun) / 1000000)) 1500
# --watch must show the counts in place until the end, and then print the report.
script -qec "weft count vfs_read --by comm --watch --for 3s --html /tmp/page.html" /tmp/typescript \
	</dev/null >/dev/null
same "--watch: the screen is given back" \
	"$(grep -aoE '\?(1049|25)[hl]' /tmp/typescript | paste -sd' ')" '?1049h ?25l ?25h ?1049l'
between "--watch: shown every second" "$(grep -ao $'\x1b\\[J' /tmp/typescript | wc -l)" 2 6
check "--watch: then the report" \
	bash -c "sed '1,/1049l/d' /tmp/typescript | grep -q '^  comm .* count'"
check "--html: a page, with the aspect" \
	grep -qF '&lt;aspect name=&quot;count_vfs_read' /tmp/page.html
check "--html: and the source" grep -qF '"source":"fs/read_write.c","first":' /tmp/page.html
asks reads -- sh -c 'exit 7' 2>/dev/null
same "the command's status" $? 7
asks reads --own -- measured reads >/dev/null 2>/tmp/found
same "--own: the command's alone" "$(of reader 2)" "$count"
unwoven ends

# ---- the one-liners in docs/one-liners.md, as they are written there ----

grep -E '^# weft [a-z]+ .* -- ' docs/one-liners.md | sed 's/^# //; /--xml/d' >/tmp/lines
same "the document has ten, the first, and weft drill" "$(wc -l </tmp/lines)" 12
while read -r line; do
	eval "$line" >/tmp/out 2>/tmp/said </dev/null
	same "$line" $? 0
	check "it has found something" awk '/ unwoven: [1-9]/ { unwoven = NR }
		unwoven && NR > unwoven { found = 1 } END { exit !found }' /tmp/said
done </tmp/lines
unwoven document

# ---- one-liners printed as an aspect by --xml ----

asks reads --xml >/tmp/a.xml
same "--xml: the aspect, by weft run" \
	"$(weft run - -- measured reads </tmp/a.xml 2>/dev/null |
		awk '$1 == "reader" { print $2 }')" "$count"
refuses "what is woven cannot be woven again" 10 'woven' bash -c \
	"weft weave - </tmp/a.xml >/dev/null && { weft weave - </tmp/a.xml >/dev/null; s=\$?
		weft unweave --all >/dev/null; exit \$s; }"
weft report --reset count_vfs_read_by_comm >/dev/null
unwoven xml
check "weft.ko unloads" rmmod weft
finish
