#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Runs the commands of docs/tutorial.md, as they are written there; their aspects are compiled on
# the host. Each must succeed and print what the tutorial shows, except for numbers. In the end
# nothing may be woven and the text must be the original.
. "$(dirname "$0")/lib.sh"
. tests/vm/transcripts.sh
load_weft
traffic 20 >/dev/null
kernel-text /tmp/before >/dev/null
take_cache

# plain: makes texts comparable. A line that begins with 16 blanks is joined to the line before it,
# and a number with a unit becomes N.
plain() {
	awk '{ if (sub(/^                [^ ]/, " &")) { line = line $0; next } }
		NR > 1 { print line }
		{ line = $0 }
		END { print line }' |
		sed -E 's/[0-9.]+ (ns|us|ms|s|B|KiB|MiB)\b/N/g'
}

# Writes each command to /tmp/lessons/N, and the output that the tutorial shows to
# /tmp/lessons/N.shown.
mkdir /tmp/lessons
block docs/tutorial.md console | awk '/^# / { n++; name = "/tmp/lessons/" n; command = 1 }
	{ print > (name (command ? "" : ".shown")) }
	command { command = /\\$/ }'
same "there are ten lessons, and an aspect" "$(ls /tmp/lessons/*.shown | wc -l)" 11
for ((n = 1; n <= 11; n++)); do
	lesson=/tmp/lessons/$n
	line=$(sed '1s/^# //' $lesson)
	eval "$line" >$lesson.found 2>&1 </dev/null
	same "$line" $? 0
	plain <$lesson.shown >$lesson.a
	plain <$lesson.found >$lesson.b
	if transcript_differs $lesson.a $lesson.b >/tmp/diff; then
		fail "lesson $n prints something else" "$(cat /tmp/diff $lesson.found)"
	else
		pass "lesson $n prints what is shown"
	fi
done
check "nothing faulted" bash -c '! grep faulted /tmp/lessons/*.found'
same "nothing is woven" "$(weft list)" "no aspects"
check "the text is what it was" restored
check "weft.ko unloads" rmmod weft
finish
