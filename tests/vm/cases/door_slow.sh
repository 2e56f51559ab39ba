#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Tests that a user of /dev/weft-read cannot delay root's requests to weft.ko: neither by readers
# that get little time of a CPU, nor by many readers that read nothing.
. "$(dirname "$0")/lib.sh"
load_weft buffer_kb=16384 views_per_user=256
as_user=(setpriv --reuid 1001 --regid 1001 --clear-groups)
insmod "$aspects/door.ko"
weft weave --optimized "$aspects/door.ko" >/dev/null
weft publish door

# Readers run on CPU 1, which suddenly has no time for them at all. With voluntary preemption, a
# task in the kernel is stopped only where it offers to be.
"${as_user[@]}" taskset -c 0 marks many 0 20000
give_way
answered=0 reading=0
for round in 1 2 3 4 5 6; do
	readers=()
	for _ in 1 2 3; do
		"${as_user[@]}" taskset -c 1 view-requests churn door &
		readers+=($!)
	done
	sleep 0.5
	stall
	for reader in "${readers[@]}"; do kill -0 $reader && reading=$((reading + 1)); done
	taskset -c 0 timeout 20 weft list >/dev/null && answered=$((answered + 1))
	go_on
	kill "${readers[@]}"
	[ $answered = $round ] || break
	wait "${readers[@]}" 2>/dev/null
done
same "root is answered while users who read get no CPU" $answered 6
same "users read" $reading 18
weft read door >/dev/null

# A user's readers end. weft.ko looks at the records that they had not read, but only at a limited
# number of them.
# ends VIEWS: prints how many milliseconds `weft unpublish` takes while a user has so many readers
# that have not read 50000 records.
ends() {
	local holder begin
	weft publish door
	rm -f /tmp/ready
	"${as_user[@]}" view-requests hold door "$1" /tmp/ready &
	holder=$!
	await test -e /tmp/ready || fail "$1 readers wait" "they do not" >&2
	"${as_user[@]}" taskset -c 0 marks many 0 50000
	begin=${EPOCHREALTIME/./}
	weft unpublish door
	echo $(((${EPOCHREALTIME/./} - begin) / 1000))
	kill $holder
	wait $holder 2>/dev/null
	weft read door >/dev/null
}
chmod 777 /tmp
ends 2 >/tmp/few
ends 200 >/tmp/many
few=$(cat /tmp/few) many=$(cat /tmp/many)
echo "2 readers: $few ms, 200 readers: $many ms"
between "the end of 200 readers takes no longer than that of 16" "$many" 0 $((8 * few))

# Checks what a reader reports when it is ended.
# ended_with RECORDS: prints what `weft read` says if it is ended when it has not read RECORDS
# records.
ended_with() {
	local reader
	weft publish door
	"${as_user[@]}" weft read --json --follow door >/tmp/ended 2>&1 &
	reader=$!
	await bash -c 'weft list --json | grep -q "\"readers\":1,"'
	sleep 0.5
	kill -STOP $reader
	"${as_user[@]}" taskset -c 0 marks many 0 "$1"
	weft unpublish door
	kill -CONT $reader
	wait $reader
	tail -n 1 /tmp/ended
	weft read door >/dev/null
}
same "a reader that is ended knows what it has missed" "$(ended_with 1000 | value lost)" 1000
same "exactly" "$(ended_with 1000 | grep -c uncounted)" 0
weft unweave door >/dev/null
finish
