#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Tests `weft export`: protoc must read the trace by Perfetto's schema, and it must have the events
# that babeltrace2 reads of the recording, at the same times, on the tracks of their tasks and CPUs.
#
# aspects: exported sequence
. "$(dirname "$0")/lib.sh"
load_weft

# exported RECORDING: exports it, and compares the trace with the recording.
exported() {
	weft export --perfetto /tmp/trace "$1" 2>/tmp/said || echo "status $?"
	protoc --decode=perfetto.protos.Trace -Iweaver/trace perfetto.proto \
		</tmp/trace >/tmp/packets || echo "protoc: status $?"
	babeltrace2 --clock-cycles --no-delta "$1" >/tmp/events 2>/dev/null
	python3 tests/vm/perfetto-events.py /tmp/packets /tmp/events
}

weft record -o /tmp/reads "$aspects/exported.ko" -- \
	dd if=/dev/zero of=/dev/null bs=7 count=100 2>/dev/null
n=$(weft read --json /tmp/reads | sed -n '$s/.*"records":\([0-9]*\).*/\1/p')
at_least "reads are recorded at their begin and end" "$n" 200
same "each read is a slice, each size a value of a counter" "$(exported /tmp/reads)" \
	"$n events, $((n / 2)) slices, $((n / 2)) values"
check "events are named" grep -q 'name: "vfs_read entry"' /tmp/packets
check "so are slices" grep -q 'name: "vfs_read"' /tmp/packets
check "with their text" grep -Eq 'string_value: "7 bytes took [0-9]+ ns"' /tmp/packets
check "and the program's name" grep -q 'process_name: "dd"' /tmp/packets

weft record --buffer 8K -o /tmp/load "$aspects/sequence.ko" -- bash -c '
	taskset -c 0 traffic 50 >/dev/null & taskset -c 1 traffic 50 >/dev/null; wait' 2>/dev/null
totals=$(weft read --json /tmp/load | tail -n 1)
n=$(sed 's/.*"records":\([0-9]*\).*/\1/' <<<"$totals")
lost=$(sed 's/.*"lost":\([0-9]*\).*/\1/' <<<"$totals")
same "from tasks, interrupts and idle CPUs" "$(exported /tmp/load)" "$n events, 0 slices, 0 values"
check "it says how many were lost ($lost)" grep -q "$lost records lost while" /tmp/said
check "and where" grep -Eq 'name: "[0-9]+ lost"' /tmp/packets

refuses "no place to write to" 1 'No such file' weft export --perfetto /nowhere/x /tmp/reads
refuses "no room" 1 'No space left' weft export --perfetto /dev/full /tmp/reads
refuses "no recording" 6 'not a recording' weft export --perfetto /tmp/trace /tmp
refuses "nothing to write" 2 'say what to write' weft export /tmp/reads
check "weft.ko unloads" rmmod weft
finish
