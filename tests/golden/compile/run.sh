#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Golden files of the aspect compiler: run.sh WEFT SAMPLE [--rebase]. Each NAME.xml here is compiled against the database of
# the unit tests' sample image (which is written by hand, so that its offsets are no compiler's) and the C must be
# NAME.c.golden, but for the content's hash, which covers runtime/ as well; what is said of it on standard error,
# NAME.notes.golden. --rebase shows the difference and takes it over.
set -u
weft=$(realpath "$1") sample=$(realpath "$2") rebase=${3:-}
cd "$(dirname "$0")" || exit 1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0 failed=0

"$weft" index "$sample" -o "$work/sample.weft" >/dev/null || exit 1
mkdir "$work/kernel"
ln -s "$sample" "$work/kernel/vmlinux"
for xml in *.xml; do
	name=${xml%.xml} ok=1
	"$weft" compile "$xml" --kernel "$work/kernel" --db "$work/sample.weft" --print-c >"$work/whole" 2>"$work/notes"
	status=$?
	sed 's/\.content = 0x[0-9a-f]*/.content = HASH/' "$work/whole" >"$work/c"
	[ $status -eq 0 ] || { echo "$name: exit status $status"; cat "$work/notes"; ok=0; }
	for what in c notes; do
		golden=$name.$what.golden
		[ -e "$golden" ] || { [ -n "$rebase" ] && : >"$golden"; }
		diff -u --label "$golden" --label "$name now" "$golden" "$work/$what" && continue
		if [ -n "$rebase" ] && [ $status -eq 0 ]; then
			cp "$work/$what" "$golden"
		else
			ok=0
		fi
	done
	# The same input gives the same bytes, from whatever folder.
	(cd / && "$weft" compile "$OLDPWD/$xml" --kernel "$work/kernel" --db "$work/sample.weft" --print-c 2>/dev/null) |
		cmp -s - "$work/whole" || { echo "$name: the second run differs"; ok=0; }
	[ $ok -eq 1 ] && passed=$((passed + 1)) || failed=$((failed + 1))
done
echo "$passed passed, $failed failed, 0 skipped"
[ $failed -eq 0 ]
