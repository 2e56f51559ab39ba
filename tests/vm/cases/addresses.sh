#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Tests $obj and $field of advice before and after an instruction that makes a member's address.
# Their values are compared with kprobe events at the entries of the same functions, which get the
# inode as an argument. clear_inode() makes the addresses of two parts of i_data, neither of which
# is the first part of i_data. The case fails if a value or the number of executions differs.
. "$(dirname "$0")/lib.sh"
load_weft
work=$(mktemp -d)

# Copies of touch and rm with unique names: begets creates all inodes of this case, wipes deletes
# them.
cp "$(command -v touch)" "$work/begets"
cp "$(command -v rm)" "$work/wipes"
mkdir "$work/tmp"
mount -t tmpfs tmp "$work/tmp"

# In struct inode of the demo kernel i_ino is at offset 0x40.
for of in clear_inode=di inode_init_always=si; do
	echo "p:weft_test/${of%=*} ${of%=*} inode=%${of#*=}:x64 ino=+0x40(%${of#*=}):u64"
done >>$tracing/kprobe_events
echo 1 >$tracing/events/weft_test/enable
check "weave" weft weave "$aspects/addresses.ko"
for i in $(seq 20); do "$work/begets" "$work/tmp/$i" "$work/tmp/more$i"; done
"$work/wipes" "$work"/tmp/*
same "none is missed or lost" "$(figure addresses missed) $(figure addresses lost)" "0 0"
check "unweave" weft unweave --all
echo 0 >$tracing/events/weft_test/enable
weft read addresses >"$work/read"
cp $tracing/trace "$work/trace"
echo >$tracing/kprobe_events
umount "$work/tmp"

# records WHEN: prints "FUNCTION INODE NUMBER" for each record of the programs begets and wipes that
# the advice WHEN (`before` or `after`) wrote.
records() {
	sed -nE "s/^.*(begets|wipes).*[^a-z_]$1 ([a-z_]* [0-9a-f]* [0-9]*) [01]\$/\2/p" "$work/read"
}
sed -nE 's/^ *(begets|wipes).* ([a-z_]+): \([^)]*\) inode=0x([0-9a-f]*) ino=([0-9]*)$/\2 \3 \4/p' \
	"$work/trace" >"$work/probed"
for when in before after; do
	lines "inode_init_always: \$obj and \$field $when it are the kprobe's" \
		"$(records $when | grep '^inode_init_always ')" \
		"$(grep '^inode_init_always ' "$work/probed")"
	# Each execution of clear_inode() makes two addresses, so each kprobe hit is doubled by `sed
	# p`.
	lines "clear_inode: \$obj and \$field $when both are the kprobe's" \
		"$(records $when | grep '^clear_inode ')" \
		"$(grep '^clear_inode ' "$work/probed" | sed p)"
done
at_least "the inodes are those that were made" "$(grep -c . "$work/probed")" 80
same "\$value is the member itself" "$(sed -n 's/.* \([01]\)$/\1/p' "$work/read" | sort -u)" 1
finish
