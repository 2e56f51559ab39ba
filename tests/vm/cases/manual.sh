#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# vm.sh: --disk 1
#
# Tests every example of the aspect language's manual, as it is printed there. All are woven at the
# same time, over the same activity. The records or the report of each example must have what the
# example is meant to show, and the records of one example are followed while they are made.
. "$(dirname "$0")/lib.sh"
load_weft
manual=$O/vm/examples
mkfifo /tmp/fifo

# says EXAMPLE: succeeds if the records or the report of EXAMPLE have what it is meant to show.
says() {
	case $1 in
	around_functions) [ "$orphans_parent" = 1 ] ;;
	around_calls_only) [ "$flaky_reads" = 6 ] && told_of ' getname[a-z_]* gives [0-9a-f]*$' ;;
	blocks_of_vfs_read) report && row blocks vfs_read ;;
	datagrams)
		told_of 'traffic-.*: 13 bytes from [0-9a-f]*, flags 0; udp_prot is at [0-9a-f]*$'
		;;
	datagrams_sent)
		told_of ' 13 bytes to send$' && told_of ' udp_sendmsg returns 13$' &&
			told_of ' own function has returned 13$' &&
			told_of ': the state is 7$' ;;
	dput_in_open) told_of 'fs/namei.c:[0-9]* lets go of [0-9a-f]*$' ;;
	files_open) report && [ "$(row files opener | value count)" -ge 130 ] ;;
	files_of_dd)
		report && row reads dd && [ "$(metric reads | grep -o '"key":' | wc -l)" = 1 ]
		;;
	files_of_children)
		told_of ': vfs_read$' && told_of ': vfs_write$' && told_of ': 5000 bytes$'
		;;
	log_skb_destructor) told_of ' destructor sock_wfree skb [0-9a-f]* len [0-9]*$' ;;
	lookups_of_opens) report && counts 'time in opens' && counts 'not in opens' ;;
	reads_by_cpu) told_of ': on CPU [01]$' ;;
	reads_by_target) report && row elapsed pipe_read ;;
	reads_in_numbers) # Two readers make reads of 300 sizes, each size twice.
		report && row 'big reads' dd | grep '"count":3' && counts reads &&
			[ "$(sum 'asked for' $big)" -ge 600000 ] && counts sizes &&
			metric results | grep -q '"buckets":.*\[0,64,' &&
			row time reader | grep '"count":600' &&
			counts 'time on a CPU' ;;
	reads_in_turn)
		report && told_of 'in the first half second$' && told_of 'in the second$' &&
			counts 'reads from then on' ;;
	reads_over_time)
		report && metric reads | grep -q '"keys":\["dd","[0-9]*[.][0-9]00000000"\]' &&
			metric 'asked for' | grep -q '"keys":\["pipefifo_fops","vfs_read+0x'
		;;
	reads_per_boot) told_of ' counting$' && told_of ' [1-9][0-9]* reads$' ;;
	shells_of_users)
		report && told_of ' sh-.*: starts something$' &&
			metric 'opens of init' | grep '"rows":\[\]'
		;;
	slow_reads)
		report && told_of ': [0-9]* bytes took [0-9]{7,} ns$' && counts 'slow reads'
		;;
	slow_opens)
		report && told_of ' open [0-9]* of this task took [0-9]* ns$' &&
			row 'by those that open much' opener
		;;
	state_writes) told_of ' protocol 6: state 10$' ;;
	tcp_close_writes) told_of ': tcp_[a-z_]*:[0-9]* writes$' ;;
	two_places)
		[ "$(grep -cE "vfs_read\+0x5: $read5\$" "$said")" -gt 100 ] &&
			[ "$(grep -cvE "vfs_read\+0x5: " "$said")" -gt 100 ]
		;;
	waiting_for_io) report && counts waiting ;;
	woken_to_read)
		report && told_of ': .* -> [^ ].*$' && row switches 'swapper/0' && row reads dd
		;;
	way_through_vfs_read)
		[ "$(awk '$(NF - 1) == "line" { lines[$NF] }
			END { print length(lines) }' "$said")" -ge 5 ]
		;;
	*) echo "what does this example say?"; return 1 ;;
	esac
}
report() { weft report --json "$example" >"$json"; }
told_of() {
	grep -qE -- "$1" "$said" || { echo "no record '$1' in:"; head -n 5 "$said"; return 1; }
}
counts() { [ "$(metric "$1" | value count)" -gt 0 ] || { metric "$1"; return 1; }; }

# The times in reads_in_turn are counted from its weave, so it is woven last.
examples=$(basename -s .ko -a "$manual"/*.ko | grep -v reads_in_turn)
for example in $examples reads_in_turn; do
	check "$example is woven" weft weave "$manual/$example.ko"
done
weft read --follow datagrams >/tmp/followed 2>/tmp/follow-errors &
follower=$!

# One example is about children of process 1. The last process that is started here becomes such a
# child, since its parent ends.
dd if=/dev/zero of=/dev/null bs=200000 count=3 status=none &
big=$!
wait $big
(bash -c 'sleep 0.1; exec dd if=/dev/zero of=/dev/null bs=5000 count=1 status=none' &)
measured reads >/dev/null
traffic 20 >/dev/null
followed() { [ "$(wc -l </tmp/followed)" -ge "$1" ]; }
await followed 20
same "--follow shows records while they are made" "$(wc -l </tmp/followed)" 20
setpriv --reuid 1000 --clear-groups sh -c 'true; /bin/true'
ls -l /etc/default >/dev/null
# Reads from the disk until a task had to wait for it: in most reads the disk answers so soon that
# the task does not wait.
for ((i = 0; i < 50 && $(figure waiting_for_io hits) == 0; i++)); do
	echo 3 >/proc/sys/vm/drop_caches
	dd if=/dev/vda of=/dev/null bs=4k status=none
done
(sleep 0.05; : >/tmp/fifo) &
: </tmp/fifo
cp /bin/bash /tmp/opener
/tmp/opener -c 'for ((i = 0; i < 130; i++)); do : </dev/null; done'
traffic 1 >/dev/null
sleep 0.6
head -c 10 /dev/zero >/dev/null
sleep 0.5
head -c 10 /dev/zero >/dev/null

await followed 21
kill -INT $follower
wait $follower
same "--follow ends with its signal, in good order" "$? $(cat /tmp/follow-errors)" "0 "
traffic 2 >/dev/null
weft read datagrams >/tmp/rest
same "what it had read is gone, what came later is there" \
	"$(wc -l </tmp/followed) $(wc -l </tmp/rest)" "21 2"
read5=$(printf '%x' $((0x$(awk '$3 == "vfs_read" { print $1 }' /proc/kallsyms) + 5)))
orphans_parent=$(perl -e '$0 = "orphan"; print getppid')
flaky_reads=$(perl -e '$0 = "flaky"; open F, "<", "/tmp/followed";
	for (1 .. 9) { $n += defined sysread(F, $b, 1) } print $n')
check "all go" weft unweave --all
mkdir /tmp/of
# Sorts the records by aspect. The fields are time, CPU, command and thread, aspect.
weft read 2>/dev/null | awk '{ print >"/tmp/of/" $4 }'
cp /tmp/followed /tmp/of/datagrams
# again_in_turn: a machine that stalls may sleep through the whole time between an example's start
# and stop, so the example is tried up to five times.
again_in_turn() {
	local try i
	for ((try = 0; try < 5; try++)); do
		says reads_in_turn >/dev/null && return
		echo "       nobody has read in one of the half seconds of reads_in_turn: once more"
		weft weave "$manual/reads_in_turn.ko" >/dev/null
		for ((i = 0; i < 12; i++)); do head -c 10 /dev/zero >/dev/null; sleep 0.1; done
		weft unweave reads_in_turn >/dev/null
		weft read reads_in_turn >"$said"
	done
}
for example in $examples reads_in_turn; do
	said=/tmp/of/$example
	touch "$said"
	[ $example != reads_in_turn ] || again_in_turn
	check "$example says what it is for" says "$example"
done
check "weft.ko unloads" rmmod weft
finish
