#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# $obj and $field where an instruction makes a member's address, before and after it, against kprobe
# events at the same functions' entries, which have the inode as an argument. clear_inode() makes
# the addresses of two parts of i_data, and of neither the first.
. "$(dirname "$0")/lib.sh"
load_weft
work=$(mktemp -d)

# The inode's number lies at 0x40, and i_data at 0x168.
for of in clear_inode=di inode_init_always=si proc_evict_inode=di; do
	echo "p:weft_test/${of%=*} ${of%=*} inode=%${of#*=}:x64 ino=+0x40(%${of#*=}):u64"
done >>$tracing/kprobe_events
check "weave" weft weave "$aspects/addresses.ko"
echo >$tracing/trace
echo 1 >$tracing/events/weft_test/enable
mkdir "$work/tmp"
mount -t tmpfs tmp "$work/tmp"
for i in $(seq 20); do echo "$i" >"$work/tmp/$i"; done
rm "$work"/tmp/*
umount "$work/tmp"
for i in $(seq 10); do cat /proc/self/status; done >/dev/null
echo 0 >$tracing/events/weft_test/enable
same "none is missed or lost" "$(figure addresses missed) $(figure addresses lost)" "0 0"
check "unweave" weft unweave --all
weft read addresses >"$work/read"
cp $tracing/trace "$work/trace"
echo >$tracing/kprobe_events

# "FUNCTION INODE NUMBER" of each execution, as weft has it: records WHEN.
records() { sed -n "s/^.*[^a-z_]$1 \([a-z_]* [0-9a-f]* [0-9]*\) [01]\$/\1/p" "$work/read"; }
sed -nE 's/.* ([a-z_]+): \([^)]*\) inode=0x([0-9a-f]*) ino=([0-9]*)$/\1 \2 \3/p' "$work/trace" \
	>"$work/probed"
# A new inode has not got its number yet: its old one is none.
known() { awk '$1 == "inode_init_always" { $3 = "-" } { print }'; }
for when in before after; do
	for function in clear_inode inode_init_always proc_evict_inode; do
		lines "$function: \$obj $when the instruction is the kprobe's argument" \
			"$(records $when | known | grep "^$function " | sort -u)" \
			"$(known <"$work/probed" | grep "^$function " | sort -u)"
	done
	equal "each execution of clear_inode has two $when" \
		"$(records $when | grep -c '^clear_inode ')" \
		$((2 * $(grep -c '^clear_inode ' "$work/probed")))
done
same "\$value is the member itself" "$(sed -n 's/.* \([01]\)$/\1/p' "$work/read" | sort -u)" 1
finish
