#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Tests an aspect that measures from SQLite to the block layer and back, on a file system that a
# module of the distribution provides. A trace event of the kernel counts in the same run.
#
# aspects: others_block
. "$(dirname "$0")/../../vm/cases/lib.sh"
sqlite3=$O/vm/others-built/sqlite3
tracing=/sys/kernel/tracing
mount -t tracefs tracefs $tracing 2>/dev/null
load_weft
uname -r

mounted() {
	local disk

	for module in loop ext4; do modprobe -d "$WEFT_KERNEL/root" $module || return; done
	truncate -s 64M /tmp/disk && mkfs.ext4 -q /tmp/disk &&
		disk=$(losetup -f --show /tmp/disk) && mkdir -p /tmp/mounted &&
		mount "$disk" /tmp/mounted
}
check "a file system on a block device" mounted
"$sqlite3" /tmp/mounted/db "CREATE TABLE t (i, s); WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL \
	SELECT i + 1 FROM n WHERE i < 3000) INSERT INTO t SELECT i, hex(zeroblob(100)) FROM n"
sync
echo 3 >/proc/sys/vm/drop_caches
check "weave" weft weave "$aspects/others_block.ko"
echo 'comm == "sqlite3"' >$tracing/events/block/block_bio_queue/filter
echo 1 >$tracing/events/block/block_bio_queue/enable
# Without -readonly the shell reads the file's first bytes by itself, not through `xRead`.
same "SQLite reads its file" \
	"$("$sqlite3" -readonly /tmp/mounted/db 'SELECT count(*), sum(i) FROM t')" "3000|4501500"
echo 0 >$tracing/events/block/block_bio_queue/enable
weft report --json others_block >"$json"
bios=$(metric bios | value count)
at_least "blocks were asked for" "$bios" 3
same "as often as the trace event says" "$bios" "$(grep -c ' block_bio_queue: ' $tracing/trace)"
at_least "SQLite has read oftener" "$(metric reads | value count)" $((bios + 1))
there=$(metric to_the_block_layer | value count) back=$(metric and_back | value count)
at_least "reads that went to the block layer" "$there" 3
same "each came back" "$back" "$there"
check "unweave" weft unweave others_block
same "without weft it reads the same" \
	"$("$sqlite3" /tmp/mounted/db 'SELECT sum(i) FROM t')" 4501500
check "nothing in the log" bash -c '! dmesg | grep -E "BUG:|WARNING:|Oops"'
check "weft.ko unloads" bash -c 'weft report --reset others_block; rmmod weft'
finish
