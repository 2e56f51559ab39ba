#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Checks which source locations a database has for code, against addr2line -i. Takes 4000 random
# addresses, looked up in the table `place`, and the blocks, calls, callers and entries of some of
# the functions around them, as `weft points` prints them. The innermost inlined function, and the
# location in it, must be those of addr2line. For code that is not inlined, only the location is
# compared. If a function is written in a header, as those of TRACE_EVENT() are, addr2line prints
# the unit's own file with the header's line (gdb and elfutils print the header): there only the
# line is compared. Usage: places.sh WEFT VMLINUX DB
set -eu
. "$(dirname "$0")/lib.sh"
export WEFT_DB=$3
seed=${SEED:-16}

readelf -sW "$vmlinux" | awk '$8 == "_text" { print $2; exit }' >"$work/text"
# Prints symbol, offset and size of each name that stands for a single C function.
sqlite3 -separator ' ' "$WEFT_DB" "SELECT name, offset, size FROM symbol
	WHERE flags & $WV_SYMBOL_C AND NOT flags & $((WV_SYMBOL_ALIAS | WV_SYMBOL_LABEL))
	AND offset >> $WV_IMAGE_OFFSET_BITS = 0 AND size GROUP BY name HAVING count(*) = 1" |
	sort >"$work/functions"
awk -v seed="$seed" -v work="$work" '
	BEGIN { srand(seed) }
	{ name[NR] = $1; start[NR] = $2; size[NR] = $3; total += $3; before[NR] = total }
	END {
		for (n = 0; n < 4000; n++) {
			wanted = rand() * total
			low = 1
			high = NR
			while (low < high) {
				middle = int((low + high) / 2)
				if (before[middle] > wanted) high = middle
				else low = middle + 1
			}
			print start[low] + int(rand() * size[low])
			if (n < 100 && size[low] < 4000) print name[low] >(work "/sample")
		}
	}' "$work/functions" | sort -un >"$work/offsets"

# Prints for each address: address, innermost inlined function or "-", source location or "?".
{
	echo "CREATE TEMP TABLE wanted(at INTEGER);"
	sed 's/.*/INSERT INTO wanted VALUES(&);/' "$work/offsets"
	echo "SELECT printf('%x', (SELECT value FROM meta WHERE key = 'text_address') + at),
		coalesce(inline.name, '-'), coalesce(file.name || ':' || line, '?') FROM wanted
		LEFT JOIN place ON offset = (SELECT max(offset) FROM place WHERE offset <= at)
		LEFT JOIN file ON file.id = file LEFT JOIN inline ON inline.id = inline;"
} | sqlite3 -separator ' ' "file:$WEFT_DB?immutable=1" >"$work/by-table"
sort -u "$work/sample" | while read -r function; do
	for part in blocks calls callers; do
		"$weft" points --json "$function%$part" 2>/dev/null || true
	done
	"$weft" points --json "$function+0x0"
done | sed -nE \
	's/.*"function":"([^"]*)".*"symbol":"([^"]*)".*"address":"0x([^"]*)".*/& @\3 \1 \2/p' |
	awk '{
		at = file = line = ""
		if (match($0, /"file":"[^"]*"/)) file = substr($0, RSTART + 8, RLENGTH - 9)
		if (match($0, /"line":[0-9]*/)) line = substr($0, RSTART + 7, RLENGTH - 7)
		print substr($(NF - 2), 2), $(NF - 1) == $NF ? "-" : $(NF - 1),
			file == "" ? "?" : file ":" line, $NF
	}' >"$work/printed"

# check NAME LIST AT-LEAST: compares the lines of LIST with addr2line, of which at least AT-LEAST
# must be there.
check() {
	cut -d ' ' -f 1 "$2" | addr2line -a -f -i -e "$vmlinux" >"$work/chains"
	awk '
		NR == FNR {
			if (/^0x/) { at = substr($0, 3); sub(/^0+/, "", at); n = 0; next }
			n++
			if (n == 1) name[at] = $1
			frames[at] = n / 2
			if (n != 2) next
			place[at] = $1
			gsub(/\/(\.?\/)+/, "/", place[at])
			while (sub(/\/[^\/.]+\/\.\.\//, "/", place[at])) ;
			next
		}
		{ inlined = frames[$1] > 1 ? name[$1] : "-" }
		# GCC may split a function and inline a part of it into the part that remains.
		inlined != $2 && ($2 != "-" || inlined != $4) { print $0, "is in", inlined; next }
		$2 == "-" && $3 ~ /\.h:/ && place[$1] ~ /\.c:/ {
			line = place[$1]
			sub(/.*:/, "", line)
			if ($3 ~ ":" line "$") next
		}
		$3 == "?" && place[$1] ~ /[:?]([?0]|$)/ { next }
		substr(place[$1], length(place[$1]) - length($3) + 1) != $3 {
			print $0, "is", place[$1]
		}' "$work/chains" "$2" >"$work/wrong"
	result "$1" "$work/wrong" "$(wc -l <"$2")" "$3"
}
check "places of random code are those of addr2line -i (seed $seed)" "$work/by-table" 3500
check "blocks, calls and instructions are printed with them" "$work/printed" 800
finish
