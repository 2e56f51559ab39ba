#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Measures what `weft index` and `weft points` cost on the demo kernel, on one core. The goals are
# for processor time, since the time by the clock also depends on who else uses the machine. Usage:
# database.sh WEFT MEASURE KERNEL
set -euo pipefail
here=$(dirname "$0")
. "$here/goals.sh"
weft=$1 measure=$2 kernel=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export WEFT_DB=$work/vmlinux.weft
mapfile -t modules < <(find "$kernel" -name '*.ko' | LC_ALL=C sort)

# cost ROUNDS COMMAND...: measures COMMAND and sets wall, cpu (both in milliseconds) and memory (in
# MB).
cost() {
	local figures
	figures=$(taskset -c 0 "$measure" "$@")
	read -r wall cpu memory <<<"$figures"
}
seconds() { awk -v ms="$1" 'BEGIN { printf "%.1f", ms / 1000 }'; }

cost 3 "$weft" index "$kernel/vmlinux" "${modules[@]}" -o "$WEFT_DB"
row "weft index: time, on one core" "$(seconds "$wall")" s
row "weft index: processor time" "$(seconds "$cpu")" s at-most 10
row "weft index: memory" "$memory" MB at-most 1024
row "weft index: the database" "$(($(stat -c %s "$WEFT_DB") / 1048576))" MB
cost 3 "$weft" index --update "$kernel/vmlinux" "${modules[@]}" -o "$WEFT_DB"
row "weft index --update: nothing changed" "$(seconds "$cpu")" s
# Finds a source line that has code, whatever the kernel's version is.
line=$("$weft" points vfs_read%entry --json |
	sed -n 's/.*"file":"\([^"]*\)","line":\([0-9]*\).*/\1:\2/p')
for query in sk_buff.destructor sock.sk_state 'file_operations.read_iter --who' vfs_read \
	vfs_read%exit vfs_read%callers "$line" vfs_read+0x5 '--in fs/namei.c'; do
	# shellcheck disable=SC2086
	cost 20 "$weft" points $query
	row "weft points $query" "$cpu" ms at-most 50
done
# Asks for the member and the function with the most results, which are thousands of lines.
for query in list_head.next kfree%callers; do
	cost 5 "$weft" points $query
	row "weft points $query ($("$weft" points $query | wc -l) lines)" "$cpu" ms at-most 50
done
end
