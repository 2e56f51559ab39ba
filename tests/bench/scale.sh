#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Makes a database of Debian's kernel as shipped, with all its modules, and measures indexing and
# queries. Uses all of the machine's cores. The goals are for processor time, since the time by the
# clock also depends on who else uses the machine. `make bench-scale` calls this script. Usage:
# scale.sh WEFT MEASURE
set -euo pipefail
here=$(dirname "$0")
. "$here/goals.sh"
weft=$1 measure=$2 status=0
kernel=$("$here/full-kernel.sh" fetch 2>&1) || status=$?
if [ $status = 4 ]; then
	echo "skip   bench-scale: $kernel"
	echo '0 passed, 0 failed, 1 skipped'
	exit 0
fi
[ $status = 0 ] || { echo "$kernel" >&2; exit 1; }
kernel=${kernel##*$'\n'}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export WEFT_DB=$work/full.weft

# cost ROUNDS COMMAND...: measures COMMAND and sets wall, cpu (both in milliseconds) and memory (in
# MB).
cost() {
	local figures

	figures=$("$measure" "$@")
	read -r wall cpu memory <<<"$figures"
}
seconds() { awk -v ms="$1" 'BEGIN { printf "%.1f", ms / 1000 }'; }

modules=$(find -L "$kernel/modules/kernel" -name '*.ko' | wc -l)
# This kernel was built without the plugin, so it has no accesses.
cost 1 "$weft" index --no-accesses "$kernel/vmlinux" --modules "$kernel/modules" -o "$WEFT_DB"
row "weft index: the kernel and $modules modules" "$(seconds "$wall")" s
row "weft index: processor time, of all cores" "$(seconds "$cpu")" s at-most 60
row "weft index: memory" "$memory" MB at-most 2048
row "weft index: the database" "$(($(stat -c %s "$WEFT_DB") / 1048576))" MB
# Finds a source line that has code, whatever the kernel's version is.
line=$("$weft" points vfs_read%entry --json |
	sed -n 's/.*"file":"\([^"]*\)","line":\([0-9]*\).*/\1:\2/p')
for query in vfs_read vfs_read%exit vfs_read%callers "$line" vfs_read+0x5 'vfs_*%entry' \
	'ext4:ext4_*%entry' 'ext4:*%entry' 'ext4:ext4_*%exit' 'ext4:ext4_file_*%blocks' \
	ext4_file_open%calls 'nf_conntrack:nf_ct_*' nf_conntrack:kfree%callers \
	'e*4:kfree%callers' vmlinux:kfree%callers init_module '*_probe%entry'; do
	cost 20 "$weft" points "$query"
	row "weft points $query ($("$weft" points "$query" | wc -l) lines)" "$cpu" ms at-most 50
done
# These queries have the most results, so their goal is per result.
for query in kfree%callers kmalloc; do
	cost 5 "$weft" points "$query"
	lines=$("$weft" points "$query" | wc -l)
	row "weft points $query: $lines lines" "$cpu" ms
	row "weft points $query: each line" \
		"$(awk -v ms="$cpu" -v n="$lines" 'BEGIN { printf "%.1f", ms * 1e3 / n }')" us \
		at-most 10
done
end
