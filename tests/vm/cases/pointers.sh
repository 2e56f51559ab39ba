#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Tests arguments of weft_log() that are pointers. If what such a pointer points to cannot be read,
# the record's text must say so and nothing else may happen; else the text must be what the kernel's
# own formats print.
. "$(dirname "$0")/lib.sh"
load_weft
# The function that formats records is woven too. A hit in it makes a record, which must not
# overwrite the record that is being formatted.
weft weave "$aspects/formatting.ko" >/dev/null || fail weave "exit $?"
weft weave "$aspects/pointers.ko" >/dev/null || fail weave "exit $?"
mkdir -p /tmp/above/below && cp "$(command -v sync)" /tmp/above/syncing && cd /tmp/above/below
../syncing
records=$(figure pointers records) lost=$(figure pointers lost)
dd if=/dev/zero of=/dev/null bs=1 count=500 2>/dev/null
weft report --json pointers >"$json"
weft unweave pointers >/dev/null
weft read pointers >/tmp/read
same "a start block's record" \
	"$(sed -n 's/.*\(started .*\)/\1/p' /tmp/read)" "started here 192.168.7.1"
same "hits while a record was made are missed" \
	"$(figure formatting hits) $(figure formatting missed)" "0 $records"
weft unweave formatting >/dev/null
sed '/started/d' /tmp/read | sed '/^(/d; s/^[^:]*: //; s/^[^ ]*+0x[^ ]* //' >/tmp/records
# Compares what was printed for NULL, the first page, error pointers and addresses that are not
# mapped.
e='(efault)' n='(null)'
# Errors are padded to the widths of their formats, so `tr` makes one blank of several.
said() { sed -n "$1p" /tmp/records | tr -s ' '; }
same "records before" "$(said 1)" "begin here"
same "NULL" "$(said 2)" "0 $n $n $n $n $n $n $n $n $n $n $n $n $n $n after 7"
for ((i = 1; i < 8; i++)); do
	[ $i = 6 ] ||
		same "pointer $i" \
			"$(said $((i + 2)))" "$i $e $e $e $e $e $e $e $e $e $e $e $e $e $e after 7"
done
same "four bytes are there" "$(said 8 | sed -E 's/ [^ ]+ (\(efault\) after)/ FLAGS \1/')" \
	"6 $e 121.121.121.121 $e $e $e 79:79:79:79 $e $e $e $e $e $e FLAGS $e after 7"
same "what is there" "$(said 10 | cut -d' ' -f1-5)" \
	"all 192.168.7.1 2001::7 c0:a8:07:01:ab:cd c0a80701-abcd-0607-0809-0a0b0c0d0e0f"
same "by width and family" "$(said 10 | cut -d' ' -f6-)" \
	"c0:a8:07:01 0,4-7,64 2001:0000:0000:0000:0000:0000:0000:0007 0.0.0.0"
same "strings without an end" "$(said 11)" "yyyy yyy left | c0a8"
same "names of files" "$(said 12)" "below above/below syncing above/syncing"
same "by a width that is negative, and one that there is no room for" \
	"$(said 13 | sed 's/ $//')" "c0a8| $e"
same "records behind" "$(said 14)" "end here"
same "none is lost, and there are no more" "$records $lost $(wc -l </tmp/records)" "15 0 14"
same "the same text at two places, with something else behind it, is one key" \
	"$(metric texts | grep -o '"key":"[^"]*"')" '"key":"text"'
check "weft.ko unloads" rmmod weft
finish
