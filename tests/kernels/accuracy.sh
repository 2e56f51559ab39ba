#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Measures how exact shadows without labels are. The same joinpoints have labels in one database and
# none in the other, and their instructions are compared. KERNEL is a folder in which a kernel was
# built with the plugin; SOURCE is its source tree, in which nothing was built. kbuild's GOALs (fs/
# net/core/) are only parsed (parse-cc), under KERNEL's configuration, since objects without code
# have no labels. JOBS is the number of compilers that run at a time. Usage: accuracy.sh KERNEL
# SOURCE PLUGIN GOAL...
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$(dirname "$0")/../oracle/names.sh"

kernel=$1 source=$(realpath "$2") plugin=$(realpath "$3")
shift 3
O=${O:-$(cd "$here/../.." && pwd)/build}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# parse GOAL...: lets kbuild make the GOALs, for which the compiler only parses. objtool is switched
# off, since there is no code.
parse() {
	PARSE_CC=${CC:-gcc} PARSE_PLUGIN=$plugin PARSE_SOURCE=$source make -s -j"${JOBS:-1}" \
		-C "$source" O="$work/objects" CC="$here/parse-cc" objtool=: KBUILD_MODULES= \
		CONFIG_DEBUG_INFO_BTF= "$@"
}
mkdir "$work/objects"
cp "$kernel/.config" "$work/objects"
parse olddefconfig prepare
parse "$@"
"$O/weft" index "$kernel/vmlinux" -o "$work/exact.weft"
"$O/weft" index "$kernel/vmlinux" --objects "$work/objects" -o "$work/parsed.weft"

# all DATABASE: prints SQL for its joinpoints, each with everything that the plugin has noted of the
# access.
all() {
	cat <<-END
		SELECT f.struct || '|' || f.member || '|' || f.path || '|' || j.kind || '|' ||
			fn.name || '|' || fi.name || '|' || j.line || '|' || j."column" || '|' ||
			coalesce(m.name, '') || '|' || coalesce(j.spelling_line, '') || '|' ||
			coalesce(j.spelling_column, '') AS key, j.kind AS kind, j.id AS id
		FROM $1.joinpoint j JOIN $1.field f ON f.id = j.field
			JOIN $1.function fn ON fn.id = j.function
			JOIN $1.file fi ON fi.id = j.file LEFT JOIN $1.macro m ON m.id = j.macro
	END
}

sqlite3 -separator ' ' "$work/parsed.weft" <<END
ATTACH '$work/exact.weft' AS exact;
CREATE TEMP TABLE e AS $(all exact);
CREATE TEMP TABLE p AS $(all main);
CREATE INDEX temp.e_key ON e(key);
CREATE TEMP TABLE both AS SELECT e.id AS e, p.id AS p, e.kind AS kind
	FROM e JOIN p ON e.key = p.key;
CREATE INDEX temp.both_e ON both(e);
CREATE TEMP TABLE labels AS SELECT both.p AS joinpoint, s.offset AS offset, both.kind AS kind
	FROM both JOIN exact.shadow s ON s.joinpoint = both.e
	WHERE s.chosen = $WV_CHOSEN_OWN AND s.precision = $WEFT_PRECISION_EXACT;
CREATE INDEX temp.labels_at ON labels(joinpoint, offset);
CREATE TEMP TABLE found AS SELECT s.joinpoint AS joinpoint, s.offset AS offset,
		s.precision AS precision,
		EXISTS (SELECT 1 FROM labels l
			WHERE l.joinpoint = s.joinpoint AND l.offset = s.offset) AS same
	FROM shadow s WHERE s.chosen = $WV_CHOSEN_OWN AND
		EXISTS (SELECT 1 FROM labels l WHERE l.joinpoint = s.joinpoint);
CREATE INDEX temp.found_at ON found(joinpoint, offset);
SELECT count(*) || ' joinpoints without labels, ' || (SELECT count(*) FROM both) ||
	' of them the same as with labels' FROM p;
SELECT count(*) || ' labelled instructions, found: ' || sum(EXISTS
	(SELECT 1 FROM found f WHERE f.joinpoint = l.joinpoint AND f.offset = l.offset))
	FROM labels l;
SELECT '  ' || $(sql_name kind WEFT_KIND_),
	count(*), 'found:', sum(EXISTS
		(SELECT 1 FROM found f WHERE f.joinpoint = l.joinpoint AND f.offset = l.offset))
	FROM labels l GROUP BY kind;
SELECT 'shadows of precision ' || $(sql_name precision WEFT_PRECISION_), count(*),
	'at a labelled instruction:', sum(same) FROM found GROUP BY precision;
SELECT count(DISTINCT joinpoint) || ' joinpoints with labels, all found: ' ||
	(count(DISTINCT joinpoint) - (SELECT count(DISTINCT joinpoint) FROM labels l
		WHERE NOT EXISTS (SELECT 1 FROM found f
			WHERE f.joinpoint = l.joinpoint AND f.offset = l.offset)))
	FROM labels;
END
