#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Tests that the judge can fail. Copies of the database are broken in several ways, and run.sh must
# notice each: the named figure must fail. Only the few files are read. Usage: self-test.sh KERNEL
# DATABASE TOOLS
set -uo pipefail
here=$(realpath "$(dirname "$0")")
kernel=$1 database=$2 tools=$3
. "$here/../names.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
files=$(grep -v '^#' "$here/few.txt" | sed "s/.*/'&'/" | paste -sd ,)
ours="joinpoint IN (SELECT j.id FROM joinpoint j JOIN file f ON f.id = j.file
	WHERE f.name IN ($files))"

# broken NAME FIGURE-TEXT SQL: breaks a copy by SQL; the judge must fail the figure with that text.
broken() {
	local copy=$work/$1.weft

	cp "$database" "$copy" && chmod u+w "$copy" && sqlite3 "$copy" "$3" &&
		"$here/run.sh" "$kernel" "$copy" "$tools" few >"$work/$1.said"
	rm -f "$copy"
	if grep -q "^FAILED .*$2" "$work/$1.said"; then
		echo "ok     $1: $2" >"$work/$1.result"
	else
		{
			echo "FAILED $1 is not seen:"
			cat "$work/$1.said"
		} >"$work/$1.result"
	fi
}

# Two or three judges run at a time, each with a copy of its own.
broken dropped-shadows 'rmw: exact' \
	"DELETE FROM shadow WHERE $ours AND (joinpoint + offset) % 10 = 0" &
broken shifted-offsets 'instruction can be the access' \
	"CREATE TABLE moved AS SELECT * FROM shadow WHERE $ours AND offset % 20 = 0;
	 DELETE FROM shadow WHERE $ours AND offset % 20 = 0;
	 INSERT OR IGNORE INTO shadow SELECT joinpoint, offset + 3, use, precision, chosen, symbol
	 FROM moved; DROP TABLE moved" &
wait
broken swapped-members 'accesses of the trees' \
	"UPDATE joinpoint SET field = field + 1 WHERE id % 50 = 0 AND kind <> $WEFT_KIND_INIT" &
broken changed-kinds 'kinds agree' \
	"UPDATE joinpoint SET kind = CASE kind WHEN $WEFT_KIND_GET THEN $WEFT_KIND_SET
	 ELSE $WEFT_KIND_GET END WHERE id % 50 = 0 AND kind <> $WEFT_KIND_INIT" &
wait
broken false-accesses 'a tree has' \
	"INSERT INTO joinpoint SELECT (SELECT max(id) FROM joinpoint) + id, field, kind, function,
	 file, line + 7, \"column\", macro, spelling_file, spelling_line, spelling_column
	 FROM joinpoint WHERE id % 50 = 0 AND kind <> $WEFT_KIND_INIT" &
broken dropped-accesses 'accesses of the trees' \
	"DELETE FROM joinpoint WHERE id % 50 = 0 AND kind <> $WEFT_KIND_INIT" &
wait
broken moved-servants 'servant can be' \
	"CREATE TABLE moved AS SELECT rowid AS id, lead(offset, 7) OVER (ORDER BY rowid) AS next
	 FROM fate WHERE $ours AND offset IS NOT NULL;
	 UPDATE fate SET offset = coalesce((SELECT next FROM moved WHERE id = fate.rowid), offset);
	 DROP TABLE moved" &
broken no-labels 'pointer with an access' \
	"DELETE FROM shadow WHERE $ours AND offset % 4 = 0" &
broken nothing-to-compare 'too few' \
	"DELETE FROM joinpoint WHERE file IN (SELECT id FROM file WHERE name IN ($files))" &
wait
cat "$work"/*.result
passed=$(cat "$work"/*.result | grep -c '^ok ')
failed=$(cat "$work"/*.result | grep -c '^FAILED .* is not seen')
printf '%d passed, %d failed, 0 skipped\n' "$passed" "$failed"
[ "$failed" = 0 ]
