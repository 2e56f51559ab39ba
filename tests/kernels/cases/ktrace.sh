#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Tests all of Ktrace's events and variables on a kernel as shipped, whose functions differ from the
# demo kernel's: system calls beside strace, packets beside /proc/net/snmp, file systems and sockets
# that the case makes itself, and free memory beside /proc/meminfo.
#
# aspects: ktrace
. "$(dirname "$0")/../../vm/cases/lib.sh"
. "$(dirname "$0")/../../vm/strace-lines.sh"
load_weft

segments() { awk '$1 == "Tcp:" && $2 ~ /^[0-9]/ { print $12, $11 }' /proc/net/snmp; }
mkdir -p /tmp/mounted
cat >/tmp/script <<'END'
strace -f -e raw=all -o /tmp/strace ls -l /etc >/dev/null
active tcp >/dev/null
active signals >/dev/null
mount -t tmpfs one /tmp/mounted
umount /tmp/mounted
perl -e '($from, $at, $type) = ("two", "/tmp/mounted", "nonsense");
	syscall(165, $from, $at, $type, 0, 0) == -1 && syscall(166, $at, 0) == -1 or exit 1' || exit
grep MemTotal: /proc/meminfo >/tmp/meminfo
END
read -r sent received < <(segments)
weft record --buffer 16M -o /tmp/recorded "$aspects/ktrace.ko" -- sh /tmp/script 2>/tmp/said
same "it ends as the command does" $? 0
read -r sent_then received_then < <(segments)
same "nothing is lost" "$(sed -nE 's/^ktrace unwoven: .*, ([0-9]+) lost$/\1/p' /tmp/said)" 0
missed=$(sed -nE 's/^ktrace unwoven: .*, ([0-9]+) missed.*/\1/p' /tmp/said)
weft ktrace --read /tmp/recorded >/tmp/events
weft ktrace --read /tmp/recorded --calls >/tmp/calls
compare_with_strace ls 100
# events EVENT COMM: prints how many events of the kind EVENT a process named COMM has made.
events() { grep -cE "^ *[0-9.]+ \[[0-9]+\] $2-[0-9]+ $1( |$)" /tmp/events; }
between "packet-sent ($((sent_then - sent)))" "$(events packet-sent '.*')" \
	$((sent_then - sent - missed)) $((sent_then - sent))
between "packet-received ($((received_then - received)))" "$(events packet-received '.*')" \
	$((received_then - received - missed)) $((received_then - received))
same "mount, unmount" "$(events mount '.*') $(events unmount '.*')" "1 1"
same "socket-open" "$(events socket-open active-tcp)" 2
same "signals" "$(events signal-dispatch active-signals) $(events signal-handle active-signals)" \
	"20 20"
for event in page-alloc page-free schedule-in schedule-out lock-acquire lock-release; do
	at_least "$event" "$(events $event '.*')" 50
done
read -r _ total _ </tmp/meminfo
same "total memory" "$(grep -oE ' total-memory=[0-9]+' /tmp/events | sort -u)" \
	" total-memory=$((total / 4))"
same "nothing is woven any more" "$(weft list)" "no aspects"
finish
