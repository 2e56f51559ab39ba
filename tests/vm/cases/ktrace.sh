#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# vm.sh: --disk 64
#
# Tests `weft ktrace`, whose aspects are compiled on the host (tests/vm/ktrace.txt). System calls
# are compared with strace, line by line, in the same run: ktrace traces strace, which traces the
# program.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/../strace-lines.sh"
load_weft
take_cache

questions=tests/vm/ktrace.txt

# ---- system calls, beside strace ----

# beside_strace LEAST COMMAND...: runs COMMAND under both tracers and compares what they print;
# COMMAND must make at least LEAST calls.
beside_strace() {
	local least=$1
	shift
	asks calls --calls -o /tmp/calls -- strace -f -e raw=all -o /tmp/strace "$@" \
		>/tmp/out 2>/tmp/said
	same "$1: ktrace ends as the command does" $? 0
	check "$1: nothing was lost or missed" \
		grep -qE '^ktrace unwoven: .* 0 missed, .* 0 lost$' /tmp/said
	compare_with_strace "$1" "$least"
}
beside_strace 100 ls -l /etc
# A program that reads /proc over and over, and one that waits for a timer.
TERM=dumb beside_strace 500 top -b -n 3 -d 0.2
# Which calls a program makes over and over: Ktrace's finding is that top opens each file anew.
sed -nE 's/^[0-9]+ ([a-z0-9_]+)\(.*/\1/p' /tmp/found | sort | uniq -c | sort -rn |
	head -n 6 | tee /tmp/most
same "top: mostly it opens, reads and closes" \
	"$(awk 'NR <= 3 { print $2 }' /tmp/most | sort | paste -sd ' ')" "close openat read"
beside_strace 20 active timers

# ---- whose events ----

bash -c 'while :; do sleep 0.05; done' &
sleeper=$!
asks calls --for 2s --pid $sleeper -o /tmp/events 2>/tmp/said
same "--pid: for a time" $? 0
same "--pid: no other process" "$(grep -vc " pid=$sleeper tid=$sleeper uid=0 *" /tmp/events)" 0
at_least "--pid: its calls" "$(grep -c ' syscall-exit ' /tmp/events)" 20
kill $sleeper
wait $sleeper 2>/dev/null
same "nothing is woven any more, and nothing is left over" \
	"$(weft list) $(ls -d /tmp/weft-?????? 2>/dev/null)" "no aspects "

# A signal as soon as there is a folder for the recording, which is before anything is woven.
for signal in TERM HUP; do
	asks calls -- sleep 60 2>/tmp/said &
	ktrace=$!
	until folder=$(compgen -G '/tmp/weft-??????'); do :; done
	kill -$signal $ktrace
	wait $ktrace
	same "$signal at the begin: it ends" $? $((128 + $(kill -l $signal)))
	same "$signal at the begin: nothing is left" "$(weft list) $(ls -d $folder 2>/dev/null)" \
		"no aspects "
done

# No recording may be made in a folder in which other users could replace its files.
mkdir -p /tmp/open/own
chmod 777 /tmp/open
TMPDIR=/tmp/open/own asks calls -- true >/tmp/out 2>/tmp/said
same "others can replace temporary files: refused" "$?" 1
same "and nothing is left there" "$(ls /tmp/open/own; weft list)" "no aspects"
rm -r /tmp/open

# ---- each event, beside tracefs and the kernel's own counts ----

# of_program KIND [ARGUMENT]: writes the events of the program `active KIND` to /tmp/events. The
# program has the name active-KIND while it is active.
of_program() {
	asks whole --comm "active-$1" -o /tmp/events -- active "$@" >"$said" 2>/tmp/err ||
		fail "$1" "$(cat /tmp/err)"
	check "$1: nothing was lost" grep -q '^ktrace unwoven: .* 0 lost$' /tmp/err
	missed=$(sed -nE 's/^ktrace unwoven: .*, ([0-9]+) missed.*/\1/p' /tmp/err)
}
events() { grep -cE "^ *[0-9.]+ \[[0-9]+\] [^ ]+ $1( |$)" /tmp/events; }
# exactly EVENT WANTED: fails unless /tmp/events has WANTED events EVENT; those that were missed may
# be lacking.
exactly() {
	between "$1: $2" "$(events "$1")" $(($2 - missed)) "$2"
	at_least "$1: something to compare" "$2" 5
}
# returned NAME FUNCTION FILTER: makes a kretprobe event NAME that counts the returns of FUNCTION in
# the program `active`.
returned() {
	echo "r128:weft_test/$1 $2 ret=\$retval:s64" >>$tracing/kprobe_events
	counting "weft_test/$1" common_pid "COMM ~ \"active-*\"${3:+ && $3}"
}
echo >$tracing/kprobe_events
for function in mutex_lock down_read down_write; do returned $function $function; done
for function in mutex_lock_interruptible mutex_lock_killable down_read_killable \
	down_write_killable; do
	returned $function $function 'ret == 0'
done
for function in mutex_trylock down_read_trylock down_write_trylock; do
	returned $function $function 'ret > 0'
done
returned socket __sys_socket 'ret >= 0'
for function in mutex_unlock up_read up_write; do
	echo "p:weft_test/$function $function" >>$tracing/kprobe_events
	counting weft_test/$function common_pid 'COMM ~ "active-*"'
done
counting kmem/mm_page_alloc order 'COMM == "active-faults"'
counting kmem/mm_page_free order 'COMM == "active-faults"'
counting sched/sched_switch prev_comm,next_comm
counting signal/signal_generate sig 'COMM == "active-signals"'
counting signal/signal_deliver sig 'COMM == "active-signals"'
# sum_of NAME...: prints the sum of what tracefs has counted for these events.
sum_of() {
	local n=0 name
	for name; do n=$((n + $(counted "weft_test/$name"))); done
	echo $n
}
acquired=(mutex_lock down_read down_write mutex_lock_interruptible mutex_lock_killable
	down_read_killable down_write_killable mutex_trylock down_read_trylock down_write_trylock)
released=(mutex_unlock up_read up_write)
before=$(sum_of "${acquired[@]}") after=$(sum_of "${released[@]}")
of_program locks
exactly lock-acquire $(($(sum_of "${acquired[@]}") - before))
exactly lock-release $(($(sum_of "${released[@]}") - after))
of_program faults
exactly page-alloc "$(counted kmem/mm_page_alloc)"
exactly page-free "$(counted kmem/mm_page_free)"
of_program sched
exactly schedule-in "$(counted sched/sched_switch 'prev_comm: active-sched ')"
exactly schedule-out "$(counted sched/sched_switch 'next_comm: active-sched ')"
same "outgoing is the thread itself" \
	"$(sed -nE 's/.* active-sched-([0-9]+) schedule-in .* outgoing=([0-9]+)$/\1 \2/p' \
		/tmp/events | awk '$1 != $2 { bad++ } END { print (NR > 5), bad + 0 }')" "1 0"
same "and incoming" \
	"$(sed -nE 's/.* active-sched-([0-9]+) schedule-out .* incoming=([0-9]+)$/\1 \2/p' \
		/tmp/events | awk '$1 != $2 { bad++ } END { print (NR > 5), bad + 0 }')" "1 0"
of_program signals
exactly signal-dispatch "$(counted signal/signal_generate)"
exactly signal-handle "$(counted signal/signal_deliver)"
same "the signal's number" "$(grep -E ' signal-(dispatch|handle) ' /tmp/events |
	grep -o 'signal=[0-9]*' | sort -u)" signal=10
before=$(counted weft_test/socket)
of_program tcp
same "socket-open" "$(events socket-open)" $(($(counted weft_test/socket) - before))
same "socket-open: two" "$(events socket-open)" 2

# segments: prints how many segments TCP has sent and received since the boot.
segments() { awk '$1 == "Tcp:" && $2 ~ /^[0-9]/ { print $12, $11 }' /proc/net/snmp; }
read -r sent received < <(segments)
asks packets -o /tmp/events -- active tcp >/dev/null 2>/tmp/err
read -r sent_then received_then < <(segments)
missed=$(sed -nE 's/^ktrace unwoven: .*, ([0-9]+) missed.*/\1/p' /tmp/err)
exactly packet-sent $((sent_then - sent))
exactly packet-received $((received_then - received))

mkdir -p /tmp/mounted
# mount(2) of an unknown file system fails, and so does umount(2) of what is not mounted.
cat >/tmp/mounts.sh <<'END'
mount -t tmpfs one /tmp/mounted
umount /tmp/mounted
perl -e '($from, $at, $type) = ("two", "/tmp/mounted", "nonsense");
	syscall(165, $from, $at, $type, 0, 0) == -1 && syscall(166, $at, 0) == -1 or exit 1'
END
asks whole -o /tmp/events -- sh /tmp/mounts.sh >/dev/null 2>&1
same "mount and unmount: the others fail" $? 0
same "mount and unmount: those that succeed" "$(events mount) $(events unmount)" "1 1"

# ---- variables ----

# variable EVENT NAME: prints the values that the variable NAME has at each event EVENT.
variable() { sed -nE "s/.* $1 (.* )?$2=([0-9]+)( .*)?$/\2/p" /tmp/events; }
asks whole -o /tmp/events -- setpriv --reuid 1234 --clear-groups bash -c '
	set -m
	sh -c "echo \$\$ \$PPID >/tmp/ids; ps -o pgid= \$\$ >>/tmp/ids; exit 7"' 2>/tmp/err
same "the exit status is the command's" $? 7
read -r pid ppid pgid < <(paste -sd ' ' /tmp/ids)
last=$(grep " pid=$pid " /tmp/events | grep ' syscall-entry write(' | tail -n 1)
same "pid, user, parent, group" \
	"$(grep -oE ' (pid|uid|ppid|pgid)=[0-9]+' <<<"$last" | paste -sd ' ')" \
	" pid=$pid  uid=1234  ppid=$ppid  pgid=$pgid"

# Tests the variables about memory: each value that a program reads from /proc/meminfo or
# /proc/vmstat must be a value that the stream had while the program read it.
cat >/tmp/memory.py <<'END'
import os, time
def read(fd):
    before = time.clock_gettime_ns(time.CLOCK_MONOTONIC)
    text = os.pread(fd, 16384, 0).decode()
    after = time.clock_gettime_ns(time.CLOCK_MONOTONIC)
    words = {line.split()[0]: int(line.split()[1]) for line in text.splitlines()}
    print(before, after, *(words.get(key, -4) // unit for key, unit in keys), flush=True)
keys = (('MemFree:', 4), ('MemTotal:', 4), ('pgfault', 1), ('pgpgin', 4), ('pgpgout', 4))
disk = os.open('/dev/vda', os.O_RDWR)
files = [os.open(name, os.O_RDONLY) for name in ('/proc/meminfo', '/proc/vmstat')]
kept = []
for i in range(60):
    kept.append(bytearray(300000 + 20000 * i))
    os.pread(disk, 65536, i << 16)
    os.pwrite(disk, bytes(8192), i << 16)
    os.fsync(disk)
    if i % 7 == 6:
        kept = []
    for fd in files:
        read(fd)
END
asks memory -o /tmp/events -- python3 -S /tmp/memory.py >/tmp/memory 2>/tmp/err
check "memory: nothing was lost" grep -q '^ktrace unwoven: .* 0 lost$' /tmp/err
same "variables of memory are what /proc/meminfo and /proc/vmstat say" "$(python3 -S - <<'END'
import bisect, re
NAMES = 'free-memory total-memory page-faults pages-in pages-out'.split()
events = []
for line in open('/tmp/events'):
    time = re.match(r' *(\d+)\.(\d+) ', line)
    values = dict(re.findall(r' ([a-z-]+)=(\d+)', line))
    if time and all(name in values for name in NAMES):
        events.append((int(time[1] + time[2]), *(int(values[name]) for name in NAMES)))
times = [event[0] for event in events]
agree = [0] * len(NAMES)
for line in open('/tmp/memory'):
    before, after, *said = map(int, line.split())
    first, last = bisect.bisect(times, before - 2000), bisect.bisect(times, after + 2000)
    near = events[max(first - 1, 0):last + 1]
    for i, value in enumerate(said):
        low, high = min(e[1 + i] for e in near), max(e[1 + i] for e in near)
        agree[i] += value >= 0 and low <= value <= high
print(*agree, *(len({event[1 + i] for event in events}) > 20 for i in (0, 2, 3, 4)))
END
)" "60 60 60 60 60 True True True True"

# Interrupts have events, too. If an interrupt came after advice has noted a value as written and
# before it writes the record, the interrupt's events would have a wrong value. So interrupts must
# be off while advice computes variables. This is checked in __task_pid_nr_ns(), which advice calls
# for the process group: where the aspect's module calls it.
echo 'p:weft_test/inside __task_pid_nr_ns from=$stack0 flags=%flags' >>$tracing/kprobe_events
echo >$tracing/trace
echo 1 >$tracing/events/weft_test/inside/enable
asks whole -o /tmp/events -- sh -c 'grep "^ktrace " /proc/modules >/tmp/module; ls /etc' \
	>/dev/null 2>&1
echo 0 >$tracing/events/weft_test/inside/enable
same "interrupts are off between a value and its record: calls, with interrupts" \
	"$(python3 -S - <<END
import re
_, size, *_, at = open('/tmp/module').read().split()[:6]
at, calls, on = int(at, 16), 0, 0
for line in open('$tracing/trace'):
    found = re.search(r' inside: .* from=(0x[0-9a-f]+) flags=(0x[0-9a-f]+)', line)
    if found and at <= int(found[1], 16) < at + int(size):
        calls += 1
        on += bool(int(found[2], 16) & 0x200)
print(calls if calls < 100 else 'enough', on)
END
)" "enough 0"

# ---- Basic Encoding Rules, read by pyasn1 and openssl ----

# `--read` prints a recording as text and in Basic Encoding Rules. Other readers of ASN.1 must find
# the same events and the same values of the variables in both.
asks whole --record /tmp/recorded -- ls /etc >/dev/null 2>/tmp/err
check "a recording" grep -q '^/tmp/recorded: [0-9]* records' /tmp/err
weft ktrace --read /tmp/recorded >/tmp/events
weft ktrace --read /tmp/recorded --ber -o /tmp/events.ber
same "the rules say the same as the text, as pyasn1 reads them" \
	"$(python3 tests/vm/ktrace-ber.py /tmp/events.ber /tmp/events)" \
	"$(wc -l </tmp/events) events, 0 differ"
check "openssl reads it to the end" openssl asn1parse -inform DER -in /tmp/events.ber -out /dev/null
at_least "openssl: events" "$(openssl asn1parse -inform DER -in /tmp/events.ber |
	grep -cE 'd=0 .* prim: appl \[ ([1-9]|1[0-5]) \]')" "$(wc -l </tmp/events)"
check "babeltrace2 reads the recording" babeltrace2 -o dummy /tmp/recorded
names='syscall_(entry|exit)|page_(alloc|free)|schedule_(in|out)|lock_(acquire|release)'
same "babeltrace2: as many events" \
	"$(babeltrace2 /tmp/recorded | grep -cE " ktrace:($names):")" \
	"$(grep -cE ' (syscall|page|schedule|lock)-[a-z]*( |$)' /tmp/events)"
finish
