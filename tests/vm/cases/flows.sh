#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Tests cflow, which limits advice to the flow of a function. Hits are compared with the numbers of
# a program that counts its own system calls. A task that was inside the function when the aspect
# was woven must never be in that flow until it enters the function again, and an interrupt is not
# in the flow of what it interrupts.
. "$(dirname "$0")/lib.sh"
load_weft
json=/tmp/json

metric() { grep -F "\"metric\":\"$1\"" $json; }
# count METRIC COMM: prints the count in the row of COMM, or 0.
count() {
	metric "$1" | grep -oP "\{\"key\":\"$2\".*?\}" | sed 's/.*"count":\([0-9]*\).*/\1/' |
		grep . || echo 0
}
read_json() { weft report --json flows >$json; }

mkfifo /tmp/fifo
measured waits </tmp/fifo &
waiter=$!
exec 9>/tmp/fifo
dd if=/dev/zero of=/dev/null bs=64M 2>/dev/null &
reader=$!
# Both processes are inside a read when the aspect is woven: one sleeps, the other reads all the
# time.
check "one waits for what it reads" await grep -q pipe_read "/proc/$waiter/wchan"
check "one reads all the time" await grep -qx dd "/proc/$reader/comm"
check "weave" weft weave "$aspects/flows.ko"
measured calls >/tmp/calls
read -r _ reads _ preads </tmp/calls
echo >&9
wait $waiter
ticks() { read_json; metric ticks | sed 's/.*"count":\([0-9]*\).*/\1/'; }
are_enough() { [ "$(ticks)" -ge 200 ]; }
await are_enough
kill -9 $reader
wait $reader 2>/dev/null
read_json

same "by read()" "$(count 'by read' caller)" "$reads"
same "not by read()" "$(count 'not by read' caller)" "$preads"
same "by any of them" "$(count 'by any' caller)" $((reads + preads))
same "a function's own entry is in its flow" "$(count 'in itself' caller)" $((reads + preads))
same "and its exit" "$(count 'end in itself' caller)" $((reads + preads))
same "elapsed time of those by read()" "$(count 'time by read' caller)" "$reads"
same "advice" "$(weft read | grep -c ' caller-.*: by read$')" "$reads"
same "one that was inside when it was woven" "$(count 'by read' waiter)" 0
same "is not below nothing afterwards" "$(count 'not by read' waiter)" 10
for name in caller waiter; do
	same "$name: both are all" \
		"$(($(count 'by read' $name) + $(count 'not by read' $name)))" "$(count all $name)"
done
outside=$(count 'not by read' dd)
if [ "$outside" -le 1 ]; then
	pass "a read that was under way, at most"
else
	fail "reads of dd not by read()" "$outside"
fi
between "there were ticks ($(ticks)), most of them in dd's reads" "$(ticks)" 200 1000000
same "the timer is not called by what it interrupts" \
	"$(metric 'ticks in reads' | grep -c '"count":[1-9]')" 0
same "there was room for all" "$(figure flows dropped)" 0
check "unweave" weft unweave flows
weft read >/dev/null
check "weft.ko unloads" rmmod weft
finish
