#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Prints a database's joinpoints, shadows or fates for judge.awk and machine.c.
# Usage: dump.sh DATABASE joinpoints|shadows|fates
#
# joinpoints: ID STRUCT MEMBER KIND FUNCTION FILE LINE COLUMN SFILE SLINE SCOLUMN MACRO PRECISION
# FATE. FATE is fate-WORD if the access has no instruction of its own; `-` stands for a value that
# is missing. shadows: OFFSET JOINPOINT CHOSEN PRECISION EFFECT. fates: JOINPOINT WORD OFFSET KIND,
# where OFFSET and KIND are those of the servant; -1 and `-` if no servant is named.
set -uo pipefail
database=$1
. "$(dirname "$0")/../names.sh"

# A database has the table `fate`; an old one has the table `served` instead, which names servants
# only.
if [ -n "$(sqlite3 "$database" "SELECT 1 FROM sqlite_master WHERE name = 'fate'")" ]; then
	fates=fate
	word=$(sql_name fate.fate WEFT_FATE_)
	servant=fate.offset
	by=fate.by
else
	fates=served
	word="'coalesced'"
	servant=served.offset
	by=NULL
fi

case $2 in
joinpoints)
	sqlite3 -separator ' ' "$database" "
		SELECT j.id, coalesce(nullif(f.struct, ''), '-'), f.member,
			$(sql_name j.kind WEFT_KIND_), coalesce(nullif(fn.name, ''), '-'), fi.name,
			j.line, j.\"column\", coalesce(sf.name, fi.name),
			coalesce(j.spelling_line, j.line),
			coalesce(j.spelling_column, j.\"column\"), coalesce(m.name, '-'),
			coalesce((SELECT $(sql_name 'min(s.precision)' WEFT_PRECISION_)
				  FROM shadow s WHERE s.joinpoint = j.id AND s.chosen), '-'),
			coalesce((SELECT 'fate-' || $word FROM $fates
				  WHERE $fates.joinpoint = j.id LIMIT 1), '-')
		FROM joinpoint j JOIN field f ON f.id = j.field JOIN file fi ON fi.id = j.file
			JOIN function fn ON fn.id = j.function LEFT JOIN macro m ON m.id = j.macro
			LEFT JOIN file sf ON sf.id = j.spelling_file
		WHERE j.id < 1 << $WV_IMAGE_ID_BITS"
	;;
shadows)
	sqlite3 -separator ' ' "$database" "
		SELECT s.offset, s.joinpoint, s.chosen, $(sql_name s.precision WEFT_PRECISION_),
			$(sql_name s.use WEFT_EFFECT_)
		FROM shadow s WHERE s.joinpoint < 1 << $WV_IMAGE_ID_BITS ORDER BY 1"
	;;
fates)
	sqlite3 -separator ' ' "$database" "
		SELECT joinpoint, $word, coalesce($servant, -1),
			coalesce((SELECT $(sql_name kind WEFT_KIND_) FROM joinpoint
				  WHERE id = $by), '-') FROM $fates
		WHERE joinpoint < 1 << $WV_IMAGE_ID_BITS"
	;;
esac
