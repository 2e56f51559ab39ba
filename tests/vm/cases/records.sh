#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Tests records under pressure. Two CPUs write into small buffers, in tasks and in interrupts on top
# of them, while a reader reads. The case fails unless every record is read once, whole and right,
# or is counted as lost.
#
# aspects: sequence
. "$(dirname "$0")/lib.sh"
for size in 0 3 65537 4294967296 many; do
	check "a buffer of $size KiB is refused" \
		bash -c "! insmod '$weft_ko' buffer_kb=$size" 2>/dev/null
done
same "and it is said what is taken" \
	"$(dmesg | grep -c 'weft: buffer_kb is a number from 4 to 65536')" 5
load_weft buffer_kb=32
check "nor can it be made so later" \
	bash -c '! echo 65537 >/sys/module/weft/parameters/buffer_kb' 2>/dev/null
same "it stays" "$(cat /sys/module/weft/parameters/buffer_kb)" 32
weft weave "$aspects/sequence.ko" >/dev/null || fail weave "exit $?"
# Makes traffic before the reader starts, so that records are lost however fast the reader is.
for cpu in 0 1; do taskset -c $cpu traffic 120 >/dev/null; done
: >/tmp/goes-on
while [ -e /tmp/goes-on ]; do weft read sequence; done >/tmp/records &
reader=$!
# How many records the reader gets depends on the machine, so traffic goes on until there are
# enough.
for ((round = 0; round < 30 && $(figure sequence records) < 1000; round++)); do
	taskset -c 0 traffic 120 >/dev/null &
	other=$!
	taskset -c 1 traffic 120 >/dev/null
	wait $other
done
rm /tmp/goes-on
wait $reader
# A record contains how many were lost before it. On each CPU one more record is made now that there
# is room again, so that all lost records are accounted for.
least=$(figure sequence lost)
weft read sequence >>/tmp/records
for cpu in 0 1; do taskset -c $cpu traffic 1 >/dev/null; done
weft unweave sequence >/dev/null
hits=$(figure sequence hits) records=$(figure sequence records) lost=$(figure sequence lost)
weft read sequence >>/tmp/records
same "hits = records + lost" "$hits" "$((records + lost))"
if [ "$records" -ge 1000 ] && [ "$lost" -ge 1 ]; then
	pass "and both there were ($records, $lost)"
else
	fail "records, lost" "$records, $lost"
fi
awk '
	/^\([0-9]+ records? lost on cpu/ { told += substr($1, 2); next }
	{
		records++
		cpu = $2
		at = index($0, ": ")
		text = substr($0, at + 2)
		n = text + 0
		if (seen[cpu, n]++)
			print "twice: " $0
		sub(/^[0-9]+ /, "", text)
		want = ""
		if (n % 4 == 0) want = "no string 7% y schedule " n
		if (n % 4 == 1) want = "string -1  | " n
		if (n % 4 == 2) want = "123456789abcdef   5 0000000000000000 1 " n
		if (n % 4 == 3)
			wrong = text !~ /^x+$/ || length(text) + length(n) + 1 != 1023
		else
			wrong = text != want
		if (wrong) print "wrong: " substr($0, 1, 200)
	}
	END { print records, told >"/tmp/told" }' /tmp/records >/tmp/wrong ||
	echo "awk failed" >>/tmp/wrong
same "each record is whole, right, and there once" "$(head -n 3 /tmp/wrong)" ""
read -r read told </tmp/told
same "all of them were read" "$read" "$records"
between "the losses stand where they were made ($told told)" "$told" "$least" "$lost"

# The aspect own_writes records writes to files. Its reader writes the records to a file, and so
# makes more records.
weft weave "$aspects/own_writes.ko" >/dev/null
echo >/tmp/own
timeout 60 weft read own_writes >/tmp/own
same "without --follow it ends with what was there when it began" $? 0
between "which it has read" "$(wc -l </tmp/own)" 1 5000
weft unweave own_writes >/dev/null
weft read own_writes >/dev/null
check "weft.ko unloads" rmmod weft
finish
