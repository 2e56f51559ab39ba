#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Tests recordings. What `weft read` makes of a recording must be what it makes of the records in
# the kernel, and what babeltrace2 reads; the number of records must be that of a counter of the
# same hits. Under load on all CPUs every record must be written or counted as lost, also on a full
# disk and when weft is killed.
#
# aspects: recorded sequence many_logs timed
. "$(dirname "$0")/lib.sh"
load_weft
dd_reads=(dd if=/dev/zero of=/dev/null bs=7 count=500)

# texts FILE: prints the texts of the records in FILE, without their times.
texts() { sed -E 's/^[^:]*: //' "$1"; }

weft run "$aspects/recorded.ko" -- "${dd_reads[@]}" >/tmp/live 2>/dev/null
weft record -o /tmp/one "$aspects/recorded.ko" -- "${dd_reads[@]}" >/tmp/out 2>/tmp/said
same "record ends as the command does" $? 0
check "how many there were" grep -q '^/tmp/one: 502 records, [0-9]* bytes$' /tmp/said
check "none was lost" grep -q '^recorded unwoven: .* 0 missed, 502 records, 0 lost$' /tmp/said
check "the counter of the same hits" grep -Eq '^ *hits +500$|hits.* 500' /tmp/said
same "nothing is loaded any more" "$(weft list)" "no aspects"
weft read /tmp/one >/tmp/read
same "it is read as the kernel's own" "$(texts /tmp/read)" "$(grep -vE '^hits|^$' /tmp/live |
	texts /dev/stdin | head -n 502)"
same "once more: it stays" "$(weft read /tmp/one | md5sum)" "$(md5sum </tmp/read)"
weft read --json /tmp/one >/tmp/json
babeltrace2 --clock-cycles --no-delta --fields=trace:hostname /tmp/one >/tmp/events 2>/tmp/wrong
same "babeltrace2 reads it" "$?: $(cat /tmp/wrong)" "0: "
same "and says the same, field by field" \
	"$(python3 tests/vm/ctf-fields.py /tmp/events /tmp/json)" 502
same "its owner alone may read it" "$(stat -c %a /tmp/one /tmp/one/* /tmp/one/weft/table | sort -u |
	paste -sd ' ')" "600 700"

# Messages must not get into a file that has the number of a standard stream.
weft record -o /tmp/closed "$aspects/recorded.ko" -- \
	sh -c "${dd_reads[*]} </dev/null >/dev/null 2>&1" <&- >&- 2>&-
same "with all streams closed: record ends as the command does" $? 0
same "with all streams closed: the recording is a whole one" \
	"$(weft read /tmp/closed | wc -l)" 502

# Each record of the aspect `timed` has the kernel's clock as its value. The record's own time must
# not be before this value by more than the clock's error, and in most records it must be soon after
# it.
weft record -o /tmp/timed "$aspects/timed.ko" -- dd if=/dev/zero of=/dev/null bs=7 count=30000 \
	2>/dev/null
same "times are those of the clock" "$(weft read --json /tmp/timed | python3 -c '
import json, sys
records = [r for r in map(json.loads, sys.stdin) if "time_ns" in r]
late = sorted(r["time_ns"] - r["values"][0]["value"] for r in records)
print(len(late) >= 30000, late[0] >= -2000, late[len(late) // 2] < 20000)
if late[0] < -2000 or late[len(late) // 2] >= 20000:
    print(late[0], late[len(late) // 2], late[-1])')" "True True True"

# Records an aspect that has one weft_log() more than an aspect may have. The record of the last
# weft_log() must be counted as lost, and all other records must be in the recording.
weft record -o /tmp/many "$aspects/many_logs.ko" -- true 2>/tmp/said
check "too many weft_log()" grep -q '^many_logs unwoven: .* 2048 records, 1 lost$' /tmp/said
same "the others are all there" "$(weft read /tmp/many 2>/dev/null | grep -c ': 1$')" 2048

# both_cpus ROUNDS: makes ROUNDS rounds of traffic on each of both CPUs at the same time.
both_cpus() {
	taskset -c 0 traffic "$1" >/dev/null &
	taskset -c 1 traffic "$1" >/dev/null
	wait $!
}
export -f both_cpus
# totals FILE: prints hits, missed hits, records and lost records, from the last line of `weft
# record` about the aspect.
totals() {
	local n='([0-9]+)'
	sed -nE "s/^sequence unwoven: $n .*, $n missed, $n .*, $n lost\$/\1 \2 \3 \4/p" "$1"
}
# distinct FILE...: prints how many different records the files have.
distinct() { cat "$@" | grep -v '^(' | awk '{ print $1, $2, $5 }' | sort -u | wc -l; }
# wrong FILE: prints what is wrong with the records in FILE. On each CPU every record must have a
# different number, and the times must not decrease.
wrong() {
	awk '/^\(/ { next }
		seen[$2, $5 + 0]++ { print "twice: " $0 }
		$1 < last[$2] { print "out of order: " $0 }
		{ last[$2] = $1 }' "$1" | cut -c 1-200 | head -n 3
}

# Records under load, with a small buffer, which overflows, and with a large one.
for buffer in 8K 4M; do
	weft record --buffer $buffer -o /tmp/load "$aspects/sequence.ko" -- \
		bash -c 'both_cpus 300' 2>/tmp/said
	read -r hits missed records lost < <(totals /tmp/said)
	same "$buffer: hits = records + lost ($missed missed)" "$hits" $((records + lost))
	weft read /tmp/load >/tmp/read 2>/dev/null
	same "$buffer: all are in the recording ($records)" "$(distinct /tmp/read)" "$records"
	same "$buffer: each of them once, in its order" "$(wrong /tmp/read)" ""
	same "$buffer: as many are said to be lost" "$(weft read --json /tmp/load | tail -n 1)" \
		"{\"aspect\":\"sequence\",\"records\":$records,\"lost\":$lost}"
	same "$buffer: babeltrace2 finds as many events" \
		"$(babeltrace2 /tmp/load 2>/tmp/warnings | grep -vc 'weft:task')" "$records"
	same "$buffer: and misses as many" "$(sed -nE \
		's/.*Tracer discarded ([0-9]+) events? .*/\1/p' /tmp/warnings |
		awk '{ n += $1 } END { print n + 0 }')" "$lost"
	[ $buffer = 8K ] && at_least "8K: some were lost" "$lost" 1
	[ $buffer = 4M ] && same "4M: none was lost" "$lost" 0
	rm -r /tmp/load
done

# Records to a disk that is full for a while, and to one that stays full.
mkdir /tmp/small
mount -t tmpfs -o size=6M tmp /tmp/small
head -c 6M /dev/zero >/tmp/small/ballast 2>/dev/null
truncate -s -100K /tmp/small/ballast
weft record -o /tmp/small/rec "$aspects/sequence.ko" -- \
	bash -c 'both_cpus 100; rm /tmp/small/ballast; both_cpus 100' 2>/tmp/said
same "full for a while: it goes on" $? 0
check "it says so" grep -q 'No space left on device: records stay in the kernel' /tmp/said
check "and when it is over" grep -q 'records are written again' /tmp/said
read -r hits missed records lost < <(totals /tmp/said)
weft read /tmp/small/rec >/tmp/read 2>/dev/null
same "all are in the recording ($lost lost)" "$(distinct /tmp/read) $hits" \
	"$records $((records + lost))"
same "babeltrace2 reads it too" "$(babeltrace2 /tmp/small/rec 2>/dev/null |
	grep -vc 'weft:task')" "$records"
rm -r /tmp/small/rec
head -c 6M /dev/zero >/tmp/small/ballast 2>/dev/null
truncate -s -100K /tmp/small/ballast
weft record -o /tmp/small/rec "$aspects/sequence.ko" -- bash -c 'both_cpus 100' 2>/tmp/said
same "full to the end: that is a failure" $? 1
check "it says where the records are" grep -q \
	'could not be written, .* they stay in the kernel, for `weft read sequence`' /tmp/said
records=$(figure sequence records)
weft read /tmp/small/rec >/tmp/read 2>/dev/null
weft read sequence >/tmp/rest 2>/dev/null
same "none is missing ($(distinct /tmp/read), $(distinct /tmp/rest))" \
	"$(distinct /tmp/read /tmp/rest)" "$records"
rmmod sequence

# Reads from the kernel to a disk that gets full. One line must report as lost the records that were
# taken from the kernel and could not be written; no other records may be lost.
weft weave "$aspects/sequence.ko" >/dev/null
both_cpus 300
weft unweave sequence >/dev/null
records=$(figure sequence records)
head -c 6M /dev/zero >/tmp/small/ballast 2>/dev/null
truncate -s -300K /tmp/small/ballast
weft read sequence >/tmp/small/read 2>/tmp/said
same "a full disk ends weft read" $? 1
lost=$(sed -nE 's/^weft: could not be written, and lost: ([0-9]+) records?; .*: No space.*/\1/p' \
	/tmp/said)
same "in one line" "$(wc -l </tmp/said)" 1
head -n "$(wc -l </tmp/small/read)" /tmp/small/read >/tmp/read
weft read sequence >/tmp/rest 2>/dev/null
at_least "some were written" "$(distinct /tmp/read)" 100
at_least "some stay in the kernel" "$(distinct /tmp/rest)" 1
same "none is missing but those $lost" "$(($(distinct /tmp/read /tmp/rest) + lost))" "$records"
umount /tmp/small

# Kills `weft record` while it writes.
weft record -o /tmp/killed "$aspects/sequence.ko" >/dev/null 2>&1 &
recorder=$!
await test -s /tmp/killed/cpu0
refuses "while it is recorded nobody else reads" 10 'recorded: its records go to the recording' \
	weft read sequence
both_cpus 20
{ kill -9 $recorder && wait $recorder; } 2>/dev/null
await [ "$(state sequence)" = loaded ]
records=$(figure sequence records)
weft read /tmp/killed >/tmp/read 2>/dev/null
weft read sequence >/tmp/rest 2>/dev/null
same "killed: none is missing ($(distinct /tmp/read), $(distinct /tmp/rest))" \
	"$(distinct /tmp/read /tmp/rest)" "$records"
rmmod sequence

# Tries what a recorder may do and what it must not be allowed to do. The words are names of errors;
# 0 is success.
insmod "$aspects/sequence.ko"
same "the rings are mapped as a whole, for reading, by their recorder" "$(python3 -S - <<-'END'
	import ctypes, errno, fcntl, mmap, os, struct
	RECORD = 3 << 30 | 72 << 16 | ord('W') << 8 | 14
	request = b'sequence'.ljust(56, b'\0') + struct.pack('<QII', 8192, 0, 0)
	def tried(call, *arguments, **named):
	    try:
	        call(*arguments, **named)
	        return 0
	    except OSError as error:
	        return errno.errorcode[error.errno]
	def mapped(fd, size, prot, offset=0):
	    return tried(mmap.mmap, fd, size, mmap.MAP_SHARED, prot, offset=offset)
	fd, other = (os.open('/dev/weft', os.O_RDWR) for _ in range(2))
	R, W, X = mmap.PROT_READ, mmap.PROT_WRITE, mmap.PROT_EXEC
	print(mapped(fd, 16384, R), tried(fcntl.ioctl, fd, RECORD, request),
	      tried(fcntl.ioctl, other, RECORD, request), mapped(other, 16384, R))
	print(mapped(fd, 16384, R), mapped(fd, 16384, R, 16384), mapped(fd, 16384, R | W),
	      mapped(fd, 16384, R | X), mapped(fd, 8192, R), mapped(fd, 16384, R, 4096),
	      mapped(fd, 16384, R, 99 * 16384))
	ring = mmap.mmap(fd, 16384, mmap.MAP_SHARED, R)
	libc = ctypes.CDLL(None, use_errno=True)
	libc.mmap.restype = ctypes.c_void_p
	at = libc.mmap(None, ctypes.c_size_t(16384), R, mmap.MAP_SHARED, fd, ctypes.c_long(0))
	libc.mprotect(ctypes.c_void_p(at), ctypes.c_size_t(16384), R | W)
	print(errno.errorcode[ctypes.get_errno()])
	os.system('rmmod sequence')
	print(sum(ring[:]), tried(fcntl.ioctl, fd, RECORD, request))
END
)" "ENODATA 0 EBUSY ENODATA
0 0 EPERM EPERM EINVAL EINVAL EINVAL
EACCES
0 ENOENT"

refuses "what exists is not overwritten" 1 'exists: remove it' \
	weft record -o /tmp/killed "$aspects/sequence.ko" -- true
refuses "no size" 2 "'4' is not a size" weft record --buffer 4 "$aspects/sequence.ko" -- true
refuses "nothing to record" 2 'writes no records' weft record count vfs_open -- true
refuses "no recording" 6 'not a recording' weft read /tmp
check "weft.ko unloads" rmmod weft
finish
