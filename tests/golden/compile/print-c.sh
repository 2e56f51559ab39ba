#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Prints weft's messages and then the C that an aspect is compiled to. The hash of the content is
# replaced, because it covers runtime/ as well. Compiled in another folder, the same aspect must
# give the same bytes. Usage: print-c.sh WEFT DB KERNEL NAME.xml
weft=$1 db=$2 kernel=$3 xml=$4
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$weft" compile "$xml" --kernel "$kernel" --db "$db" --print-c >"$work/c"
status=$?
sed 's/\.content = 0x[0-9a-f]*/.content = HASH/' "$work/c"
(here=$PWD && cd / &&
	"$weft" compile "$here/$xml" --kernel "$kernel" --db "$db" --print-c 2>/dev/null) |
	cmp -s - "$work/c" ||
	echo "compiled from another folder it differs"
exit $status
