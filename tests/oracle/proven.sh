#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Tests `weft index --objects` with the demo kernel, as if it had been shipped without the plugin.
# Its objects are proven against its vmlinux, and the resulting database is compared with DATABASE,
# which has the labels of vmlinux itself. If a function is not identical, readelf has to print it as
# a weak one. Usage: proven.sh WEFT KERNEL DATABASE
set -euo pipefail
weft=$1 kernel=$2 database=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0 failed=0

# check NAME FIGURE WANTED: fails if the two numbers differ.
check() {
	if [ "$2" = "$3" ]; then echo "ok     $1: $2"; passed=$((passed + 1))
	else echo "FAILED $1: $2 instead of $3"; failed=$((failed + 1)); fi
}
# at_least NAME FIGURE LEAST: fails if FIGURE is below LEAST.
at_least() {
	if [ "$2" -ge "$3" ]; then echo "ok     $1: $2"; passed=$((passed + 1))
	else echo "FAILED $1: $2, fewer than $3"; failed=$((failed + 1)); fi
}
# differ QUERY: counts the rows that only one of the databases has; @ stands for the database's name
differ() {
	sqlite3 "$work/proven.weft" "ATTACH '$database' AS exact;
		SELECT count(*) FROM (${1//@/main} EXCEPT ${1//@/exact});
		SELECT count(*) FROM (${1//@/exact} EXCEPT ${1//@/main});" | paste -sd ' '
}

"$weft" index "$kernel/vmlinux" --objects "$kernel" --differences -o "$work/proven.weft" \
	>"$work/said"
tail -n 2 "$work/said" | sed "s#$work/##"
sed -n -E 's/^([^ :]+)\.c: ([^ :]+): .*/\1 \2/p' "$work/said" >"$work/different"
awk '{ print $1 }' "$work/different" | sort -u | while read -r unit; do
	readelf -sW "$kernel/$unit.o" |
		awk -v unit="$unit" '$4 == "FUNC" && $5 == "WEAK" { print unit, $8 }'
done >"$work/weak"
check "functions that are different and not weak" \
	"$(grep -vcxFf "$work/weak" "$work/different" || true)" 0
at_least "functions that are identical" \
	"$(sed -n -E 's/^.*units?: ([0-9]+) of .* identical,.*/\1/p' "$work/said")" 20000
# If a weak function was replaced, its code is still in the image, but belongs to no function. Its
# labels cannot be proven, so only the other database has its shadows. They have no symbol and are
# left out here.
check "shadows in functions that only one database has" "$(differ "
	SELECT joinpoint, offset, use, precision, chosen, symbol FROM @.shadow
	WHERE symbol IS NOT NULL")" "0 0"
check "joinpoints that only one database has" "$(differ "
	SELECT j.id, j.field, j.kind, j.function, f.name, j.line, j.column, j.macro
	FROM @.joinpoint j JOIN @.file f ON f.id = j.file")" "0 0"
# The fates of a weak function that was replaced cannot be proven. DATABASE has them nevertheless,
# at the only symbol of that name, which is the function that replaced it. So the fates of all
# functions with such a name are left out. Fates without a symbol (see index/fates.h) are compared.
check "fates in functions that are not replaced that only one database has" "$(differ "
	SELECT v.joinpoint, v.symbol, v.fate, v.by, v.offset FROM @.fate v
		LEFT JOIN @.symbol s ON s.id = v.symbol
	WHERE s.name IS NULL OR
		s.name NOT IN ($(sed "s/.* \(.*\)/'\1'/" "$work/different" | paste -sd ,))")" "0 0"
at_least "fates compared" "$(sqlite3 "$database" "SELECT count(*) FROM fate")" 20000
at_least "shadows compared" \
	"$(sqlite3 "$database" "SELECT count(*) FROM shadow WHERE symbol IS NOT NULL")" 100000
echo "$passed passed, $failed failed, 0 skipped"
[ $failed = 0 ]
