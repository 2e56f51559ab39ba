#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# vm.sh: --disk 64
#
# Tests the library's aspects for files, sockets and disks. The numbers of each are compared with
# what the kernel or another tool counts in the same run: strace, tracepoints and kprobes that
# tracefs counts, /proc/net/snmp, /proc/softirqs, /sys/block, TCP_INFO. The case fails if a number
# differs.
. "$(dirname "$0")/lib.sh"
load_weft

{
	echo 'r:weft_test/left vfs_read ret=$retval:s64'
	for function in sock_wfree shmem_evict_inode; do
		echo "p:weft_test/$function $function"
	done
} >$tracing/kprobe_events
counting weft_test/left common_pid 'COMM == "active-io" && ret > 0' ret
counting weft_test/sock_wfree common_pid 'COMM == "active-udp"'
counting weft_test/shmem_evict_inode common_pid 'COMM == "active-files"'
counting sock/inet_sock_set_state skaddr.hex,oldstate,newstate
counting filemap/mm_filemap_add_to_page_cache common_pid 'COMM == "dd"'
# strace COMMAND...: runs COMMAND under strace, which counts its system calls. calls CALL, errors
# CALL: each prints that number of the last strace.
strace() { command strace -f -c -U name,calls,errors -o /tmp/strace "$@"; }
calls() { awk -v call="$1" '$1 == call { print $2 }' /tmp/strace; }
errors() { awk -v call="$1" '$1 == call { print $3 }' /tmp/strace; }

# Compares reads and file operations with strace, for one file.
mkdir /var/tmp/folder /tmp/memory
mount -t tmpfs none /tmp/memory
head -c 20000 /dev/zero >/tmp/memory/file
echo shmem_file_read_iter >$tracing/set_ftrace_filter
observe read_iter profiled strace -P /tmp/memory/file dd if=/tmp/memory/file of=/dev/null bs=100 \
	status=none
equal "read_iter: reads of a file in memory" "$(count time shmem_file_read_iter)" "$(calls read)"
read -r hits time < <(profile shmem_file_read_iter)
equal "read_iter: as the function profiler counts them" "$(count time shmem_file_read_iter)" "$hits"
between "read_iter: their time, in which the profiler has its own" \
	"$(sum time shmem_file_read_iter)" "$time" $((time * 5 / 4 + hits * 50000))
observe file_operations strace -P /dev/null dd if=/dev/zero of=/dev/null bs=100 count=200 \
	status=none
equal "file_operations: writes to /dev/null" "$(count targets write_null)" "$(calls write)"
observe file_position strace ls -R /sys/kernel/tracing/events/sched
equal "file_position: of folders" \
	"$(weft read file_position | grep -c ' ls-.*f_pos is read by iterate_dir')" \
	"$(calls getdents64)"

# Compares the number of bytes read with the sum of what vfs_read() returned, which a kretprobe adds
# up, and the number of bytes written with what the program says.
observe io_by_process active io
returned() {
	sed -n 's/.* ret: *\([0-9]*\).*/\1/p' $tracing/events/weft_test/left/hist |
		awk '{ n += $1 } END { print n + 0 }'
}
equal "io_by_process: read" "$(sum read active-io)" "$(returned)"
equal "io_by_process: written" "$(sum written active-io)" "$(told written)"

# Compares looked-up names, failed opens and evicted inodes with strace, the program and a kprobe.
observe lookups strace -e trace=newfstatat active files /var/tmp/folder
equal "lookups: names that do not exist, but for the first time" \
	"$(($(count negative active-files) + 1))" "$(errors newfstatat)"
between "lookups: found" "$(count found active-files)" "$(told found)" "$(($(told found) * 3))"
observe failed_opens strace -e trace=openat \
	sh -c 'for i in 1 2 3 4 5; do cat /var/tmp/folder/none-$i; done 2>/dev/null; :'
equal "failed_opens: errors" "$(metric errors | value count)" "$(errors openat)"
same "failed_opens: names" \
	"$(weft read failed_opens | sed -n 's/.* cat-.*: error -2: //p' | grep -v '^/[eu]')" \
	"$(printf '/var/tmp/folder/none-%d\n' 1 2 3 4 5)"
before=$(counted weft_test/shmem_evict_inode)
observe inode_state active files /tmp/memory
equal "inode_state: freed" \
	"$(count freed tmpfs)" "$(($(counted weft_test/shmem_evict_inode) - before))"
equal "inode_state: freed, of the program" "$(count freed tmpfs)" "$(told created)"

# Compares sockets: their states with a tracepoint, and their other numbers with the kernel's
# counters.
observe sock_state active tcp
weft read sock_state |
	sed -n 's/.*: sock \([0-9a-f]*\) protocol 6: \([0-9]*\) to \([0-9]*\), .*/\1 \2 \3/p' |
	sort >/tmp/found
sed 's/  */ /g' $tracing/events/sock/inet_sock_set_state/hist |
	sed -nE 's/^\{ skaddr: ([0-9a-f]*), oldstate: ([0-9]*), newstate: ([0-9]*) .*/\1 \2 \3/p' |
	sort >/tmp/wanted
equal "sock_state: changes" "$(wc -l </tmp/found)" "$(wc -l </tmp/wanted)"
check "sock_state: as inet_sock_set_state has them" diff /tmp/found /tmp/wanted
observe tcp_rtt active tcp
weft read tcp_rtt |
	sed -E 's/^ *([0-9]*)\.([0-9]*) .*: sock ([0-9a-f]*): smoothed ([0-9]*) us.*/\1\2 \3 \4/' |
	awk -v at="$(told at)" '$1 < at { last[$2] = $3 }
		END { for (sock in last) print last[sock] }' >/tmp/found
check "tcp_rtt: a socket has what TCP_INFO says" grep -qx "$(told rtt)" /tmp/found
datagrams() { awk '$1 == "Udp:" && $2 ~ /^[0-9]/ { print $2 }' /proc/net/snmp; }
before=$(datagrams)
observe skb_queue active udp
equal "skb_queue: /proc/net/snmp's InDatagrams" \
	"$(metric UDP | value count)" $(($(datagrams) - before))
between "skb_queue: time" "$(metric UDP | value sum)" "$(told inner)" "$(told outer)"
before=$(counted weft_test/sock_wfree)
observe log_skb_destructor active udp
equal "log_skb_destructor: sock_wfree" \
	"$(weft read log_skb_destructor | grep -c ' active-udp-.*destructor sock_wfree')" \
	$(($(counted weft_test/sock_wfree) - before))
received() {
	awk '$1 == "NET_RX:" { for (i = 2; i <= NF; i++) n += $i } END { print n }' /proc/softirqs
}
before=$(received)
observe softirqs eval 'received; active udp >/dev/null; received'
between "softirqs: between /proc/softirqs inside and outside" "$(count raised net_rx_action)" \
	"$(awk 'NR == 1 { n = $1 } END { print $1 - n }' "$said")" \
	$(($(received) - before))

same "softirqs: timed as often" "$(count time net_rx_action)" "$(count raised net_rx_action)"

# Compares requests to the disk with /sys/block and with the page cache's tracepoint.
disk() { tr -s ' ' '\n' </sys/block/vda/stat | sed '/^$/d' | sed -n "$1p"; }
reads=$(disk 1) sectors=$(disk 3) ticks=$(disk 4)
observe block_io dd if=/dev/vda of=/dev/null bs=64k count=100 iflag=direct status=none
equal "block_io: reads" "$(count time 0)" $(($(disk 1) - reads))
equal "block_io: bytes" "$(sum size 0)" $((($(disk 3) - sectors) * 512))
between "block_io: no longer than the disk's own time" \
	"$(sum time 0)" 1 $((($(disk 4) - ticks + 1) * 1000000))
before=$(counted filemap/mm_filemap_add_to_page_cache)
observe page_cache \
	bash -c 'for i in 1 2; do dd if=/dev/vda of=/dev/null bs=64k count=64 status=none; done'
equal "page_cache: brought in" \
	"$(sum 'brought in' dd)" $(($(counted filemap/mm_filemap_add_to_page_cache) - before))
finish
