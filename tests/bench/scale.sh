#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# `make bench-scale`: Debian's kernel as shipped, with all its modules, as a database; what indexing
# and asking cost: scale.sh WEFT MEASURE. On all of the machine's cores.
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

# cost ROUNDS COMMAND...: sets wall, cpu (milliseconds) and memory (MB)
cost() {
	local figures

	figures=$("$measure" "$@")
	read -r wall cpu memory <<<"$figures"
}
seconds() { awk -v ms="$1" 'BEGIN { printf "%.1f", ms / 1000 }'; }

# The kernel was built without the plugin: an empty folder of objects says that this is known.
mkdir "$work/objects"
modules=$(find -L "$kernel/modules/kernel" -name '*.ko' | wc -l)
cost 1 "$weft" index "$kernel/vmlinux" --objects "$work/objects" --modules "$kernel/modules" \
	-o "$WEFT_DB"
row "weft index: the kernel and $modules modules" "$(seconds "$wall")" s at-most 60
row "weft index: processor time" "$(seconds "$cpu")" s
row "weft index: memory" "$memory" MB at-most 2048
row "weft index: the database" "$(($(stat -c %s "$WEFT_DB") / 1048576))" MB
row "weft index: the kernel and $modules modules" "$(seconds "$wall")" s at-most 60
