#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Tests instructions with a lock prefix that the kernel may remove. A kernel that finds one CPU at
# boot removes the lock prefixes from its text, and puts all of them back when a second CPU comes up
# (.smp_locks). A copy of such an instruction in a trampoline would stay without the prefix, so
# weft.ko must not displace the instruction. The case also tests the order of locks, since bringing
# a CPU up takes text_mutex inside the hotplug lock.
#
# vm.sh: --append maxcpus=1
. "$(dirname "$0")/lib.sh"
load_weft
cpu1=/sys/devices/system/cpu/cpu1/online
every=(sock_wfree inet_accept unix_dgram_sendmsg udp_sendmsg pipe_read __dev_queue_xmit
	tcp_event_data_recv)
same "one CPU is there" "$(nproc)" 1
traffic 20 >/dev/null
kernel-text /tmp/one >/dev/null

# prefixes: prints four numbers. The first two say how many lock prefixes the kernel may change, in
# all and in the functions of the array `every`. The other two say how many differences on standard
# input (from kernel-text) are such prefixes, and how many are other changes in these functions. The
# lock prefix of smp_mb() does not count as such a prefix, because the kernel never changes it.
prefixes() {
	python3 -S -c '
import bisect, re, struct, subprocess, sys
kernel, functions = sys.argv[1], sys.argv[2:]
lines = (line.split() for line in open(kernel + "/System.map"))
map = sorted((int(at, 16), name) for at, _, name in lines)
symbols = {name: at for at, name in map}
stext = next(line for line in open("/proc/kallsyms") if line.endswith(" _stext\n"))
live = int(stext.split()[0], 16) - symbols["_stext"]
subprocess.run(["objcopy", "-O", "binary", "--only-section=.smp_locks", kernel + "/vmlinux",
                "/tmp/locks"], check=True)
at, locks = symbols["__smp_locks"], open("/tmp/locks", "rb").read()
places = {at + i + struct.unpack_from("<i", locks, i)[0]
          for i in range(0, symbols["__smp_locks_end"] - at, 4)}
places = {place for place in places if symbols["_stext"] <= place < symbols["_etext"]}
def woven(place):
	return map[bisect.bisect(map, (place, "~")) - 1][1] in functions
changes = re.findall("(0x[0-9a-f]+): (.. -> ..)", sys.stdin.read())
changes = [(int(at, 16) - live, what) for at, what in changes]
changed = {at for at, what in changes if what == "3e -> f0"}
print(len(places), sum(woven(place) for place in places), len(changed & places),
      sum(at not in places and woven(at) for at, _ in changes))' "$WEFT_KERNEL" "${every[@]}"
}
read -r all locked _ <<<"$(prefixes </dev/null)"
weft weave "$aspects/every_count.ko" >/tmp/summary 2>&1
at_least "locked instructions" "$locked" 5
same "all of them are refused, by their owner" \
	"$(head -n 1 /tmp/summary | grep -oE 'alternative [0-9]+')" "alternative $locked"
check "no displaced range holds one" weft unweave every_count
kernel-text /tmp/now >/dev/null
check "text restored" kernel-text /tmp/one /tmp/now

# ---- the other CPUs come up while aspects are woven ----------------------------------------------
weft weave --optimized "$aspects/every_count.ko" >/dev/null 2>&1
traffic 20 >/dev/null
for ((cpu = 1; cpu < cpus; cpu++)); do echo 1 >/sys/devices/system/cpu/cpu$cpu/online; done
check "the kernel puts the prefixes back" bash -c 'dmesg | grep -q "switching to SMP code"'
same "all CPUs are there" "$(nproc)" $cpus
before=$(figure every_count hits)
taskset -c 1 traffic 30 >/dev/null &
check "traffic on both" taskset -c 0 traffic 30
wait $!
at_least "it is hit" "$(($(figure every_count hits) - before))" 1000
check "unweave" weft unweave every_count
kernel-text /tmp/two >/dev/null
kernel-text /tmp/one /tmp/two >/tmp/changed
same "all of these, and nothing else in what was woven" \
	"$(prefixes </tmp/changed)" "$all $locked $all 0"
at_least "they are many" "$all" 1000
weft weave "$aspects/every_count.ko" >/tmp/summary 2>&1
same "they stay the kernel's" \
	"$(head -n 1 /tmp/summary | grep -oE 'alternative [0-9]+')" "alternative $locked"
check "unweave" weft unweave every_count
kernel-text /tmp/now >/dev/null
check "text restored" kernel-text /tmp/two /tmp/now
weft read >/dev/null
check "weft.ko unloads" rmmod weft

# ---- weft.ko is loaded and unloaded while a CPU goes and comes -----------------------------------
: >/tmp/hotplugged
while [ ! -e /tmp/enough ]; do echo 0 >$cpu1; echo 1 >$cpu1; echo away >>/tmp/hotplugged; done &
# Loads weft.ko at least ten times, until CPU 1 has gone offline often enough.
for ((loads = 0; loads < 10 || loads < 200 && $(wc -l </tmp/hotplugged) < 20; loads++)); do
	insmod "$weft_ko" && rmmod weft || { echo "load $loads" >>/tmp/trouble; break; }
done
same "weft.ko comes and goes while CPUs do" "$(cat /tmp/trouble 2>/dev/null)" ""
touch /tmp/enough
wait $!
at_least "and they do" "$(wc -l </tmp/hotplugged)" 20
same "all CPUs are there" "$(nproc)" $cpus
finish
