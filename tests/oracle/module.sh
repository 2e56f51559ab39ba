#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Checks what a database has of modules against objdump, readelf and addr2line. Addresses in a
# module are written SECTION:OFFSET, in hexadecimal, as those tools print them. Usage: module.sh
# WEFT VMLINUX MODULE.ko...
set -euo pipefail
. "$(dirname "$0")/lib.sh"
shift 2

query() {
	sqlite3 -separator ' ' "$WEFT_DB" "$1"
}

"$weft" index "$vmlinux" "$@" -o "$WEFT_DB"
"$weft" index "$vmlinux" "$@" -o "$work/again.weft" >/dev/null
cmp "$WEFT_DB" "$work/again.weft" >"$work/wrong" || echo differ >>"$work/wrong"
result 'indexed twice, the same bytes' "$work/wrong"
precision_exact=$WEFT_PRECISION_EXACT

# place OFFSET: prints SQL that makes SECTION:OFFSET of an offset in the database. The query must
# join the table `section` by section_of OFFSET.
place() { echo "section.name || ':' || printf('%x', $1 - section.offset)"; }
section_of() {
	echo "JOIN section ON section.offset = (SELECT max(offset) FROM section WHERE offset <= $1)"
}

image=0
for module; do
	image=$((image + 1))
	name=$(basename "$module" .ko)
	in_image() { echo "$1 >> $WV_IMAGE_OFFSET_BITS = $image"; }

	# ---- functions have the addresses and sizes of readelf's symbols ----
	readelf -SW "$module" |
		sed -n 's/^ *\[ *\([0-9]*\)\] *\([^ ]*\) .* \([A-Z]*X[A-Z]*\) .*/\1 \2/p' \
			>"$work/executable"
	readelf -sW "$module" | awk -v file="$work/executable" '
		BEGIN {
			while ((getline line < file) > 0) {
				split(line, f, " ")
				section[f[1]] = f[2]
			}
		}
		$4 == "FUNC" && ($7 in section) {
			sub(/^0+/, "", $2)
			print section[$7] ":" ($2 == "" ? 0 : $2), $3, $8
		}' | sort >"$work/readelf"
	query "SELECT $(place symbol.offset), symbol.size, symbol.name FROM symbol
		$(section_of symbol.offset) WHERE $(in_image symbol.offset)
		AND NOT flags & $WV_SYMBOL_LABEL" | sort >"$work/database"
	diff "$work/readelf" "$work/database" >"$work/wrong" || true
	result "$name: functions are those of readelf" "$work/wrong" "$(wc -l <"$work/database")" 2

	# ---- anchors are names that the symbol table has once ------------------------------------
	readelf -sW "$module" | awk '$7 ~ /^[0-9]+$/ && $8 != "" { print $8 }' | sort | uniq -u \
		>"$work/once"
	query "SELECT anchor FROM section WHERE $(in_image offset) AND anchor IS NOT NULL" |
		sort >"$work/anchors"
	comm -23 "$work/anchors" "$work/once" >"$work/wrong"
	result "$name: anchors have names of their own" "$work/wrong" "$(wc -l <"$work/anchors")"

	# ---- patch sites: the relocations of the tables -----------------------------------------
	# sites SECTION SIZE KIND: the first word of each entry is relocated to the site. Entries
	# have SIZE bytes.
	sites() {
		readelf -rW "$module" | awk -v wanted="'.rela$1'" -v size="$2" -v kind="$3" '
			function number(hex, i, n) {
				for (i = 1; i <= length(hex); i++)
					n = n * 16 + index("123456789abcdef", substr(hex, i, 1))
				return n
			}
			/^Relocation section/ { in_it = $3 == wanted; next }
			in_it && $1 ~ /^[0-9a-f]+$/ && (number($1) % size) == 0 {
				print kind, $5 ":" ($7 == "" ? 0 : $7)
			}'
	}
	{
		sites .altinstructions 12 "$WV_OWNER_ALTERNATIVE"
		sites .static_call_sites 8 "$WV_OWNER_STATIC_CALL"
		sites __jump_table 16 "$WV_OWNER_JUMP_LABEL"
		sites __ex_table 12 "$WV_OWNER_EXCEPTION"
		sites _kprobe_blacklist 8 "$WV_OWNER_NO_PROBE"
	} | sed 's/:0*\([0-9a-f]\)/:\1/' | sort >"$work/readelf"
	# A relocation may refer to the symbol of the function instead of its section.
	query "SELECT symbol.name, $(place symbol.offset) FROM symbol $(section_of symbol.offset)
		WHERE $(in_image symbol.offset) AND NOT flags & $WV_SYMBOL_IMPORT" >"$work/symbols"
	awk 'NR == FNR { at[$1] = $2; next }
		{ split($2, f, ":"); print $1, f[2] == 0 && (f[1] in at) ? at[f[1]] : $2 }' \
		"$work/symbols" "$work/readelf" | sort -u >"$work/expected"
	query "SELECT DISTINCT kind, $(place owner.offset) FROM owner $(section_of owner.offset)
		WHERE $(in_image owner.offset)" | sort -u >"$work/database"
	diff "$work/expected" "$work/database" >"$work/wrong" || true
	result "$name: patch sites are those of the tables" "$work/wrong" \
		"$(wc -l <"$work/database")" 0

	# ---- labels lie on instructions, whose operand has the member's offset -------------------
	objdump -dw --no-show-raw-insn "$module" | awk '
		/^Disassembly of section/ { section = $4; sub(/:$/, "", section) }
		/^ *[0-9a-f]+:\t/ {
			place = $1
			sub(/:$/, "", place)
			sub(/^[^\t]*\t/, "")
			print section ":" place "\t" $0
		}' >"$work/instructions"
	query "SELECT $(place shadow.offset), ifnull(printf('%x', field.byte), '-') FROM shadow
		JOIN joinpoint ON joinpoint.id = shadow.joinpoint
		JOIN field ON field.id = joinpoint.field $(section_of shadow.offset)
		WHERE $(in_image shadow.offset) AND precision = $precision_exact" >"$work/labels"
	awk -F '\t' '
		NR == FNR { instruction[$1] = $2; next }
		{
			split($0, label, " ")
			if (!(label[1] in instruction)) { print "no instruction", $0; next }
			text = instruction[label[1]]
			if (text !~ /\(/ || text ~ /%rip|%gs|%rsp|^(call|jmp)/)
				next
			match(text, /-?(0x[0-9a-f]+)?\(/)
			found = substr(text, RSTART, RLENGTH - 1)
			sub(/^0x/, "", found)
			if (found == "") found = "0"
			same += found == label[2]
			other += found != label[2]
		}
		# An instruction may read the member as a part of something larger, and its base may
		# be shifted. So up to a quarter of the instructions may have another displacement.
		END { if (other > same / 4) print other, "of", same + other, "at another offset" }
		' "$work/instructions" "$work/labels" >"$work/wrong"
	result "$name: labels are on instructions that use the member" "$work/wrong" \
		"$(wc -l <"$work/labels")" 3

	# ---- calls have the names that the relocations give them ---------------------------------
	objdump -dwr --no-show-raw-insn "$module" | awk '
		/^Disassembly of section/ { section = $4; sub(/:$/, "", section) }
		/R_X86_64_PLT32/ && /\tcall/ {
			place = $1; sub(/:$/, "", place)
			target = $0; sub(/.*R_X86_64_PLT32[ \t]*/, "", target)
			if (target ~ /^[A-Za-z_][A-Za-z0-9_]*-0x4$/) {
				sub(/-0x4$/, "", target)
				if (target != "__fentry__") print section ":" place, target
			}
		}' | sort -u >"$work/objdump"
	query "SELECT DISTINCT symbol.name FROM symbol WHERE $(in_image symbol.offset)
		AND NOT flags & $WV_SYMBOL_LABEL" | while read -r function; do
		"$weft" points --json "$name:$function%calls" 2>/dev/null || true
	done | sed -n -e 's/"source":.*//' -e 's/"instruction":"call[a-z]* /\n/' \
		-e 's/.*"symbol":"\([^"]*\)","offset":\([0-9]*\).*\n/\1 \2 /' \
		-e 's/^\([^ {]* [0-9]* [^ "]*\)".*/\1/p' >"$work/points"
	query "SELECT DISTINCT symbol.name, section.name, symbol.offset - section.offset FROM symbol
		$(section_of symbol.offset) WHERE $(in_image symbol.offset)
		AND NOT flags & $WV_SYMBOL_LABEL" >"$work/symbols"
	awk 'NR == FNR { n[$1]++; section[$1] = $2; at[$1] = $3; next }
		n[$1] == 1 { printf "%s:%x %s\n", section[$1], at[$1] + $2, $3 }' \
		"$work/symbols" "$work/points" | sort -u >"$work/database"
	# Leaves out a function whose name several symbols have, and calls that only one side has.
	join "$work/objdump" "$work/database" | awk '$2 != $3' >"$work/wrong"
	result "$name: calls go where the relocations say" "$work/wrong" \
		"$(join "$work/objdump" "$work/database" | wc -l)" 3

	# ---- lines: the statement rows of readelf's decoded line tables --------------------------
	# readelf does not print which section an address is in.
	readelf --debug-dump=decodedline "$module" 2>/dev/null | awk '
		$NF == "x" && $2 ~ /^[0-9]+$/ && $3 ~ /^(0x[0-9a-f]+|0)$/ {
			sub(/^0x/, "", $3)
			print $1 ":" $2, $3
		}' | sort -u >"$work/readelf"
	base="replace(file.name, rtrim(file.name, replace(file.name, '/', '')), '')"
	query "SELECT DISTINCT $base || ':' || line, printf('%x', line.offset - section.offset)
		FROM line JOIN file ON file.id = file $(section_of line.offset)
		WHERE $(in_image line.offset)" | sort -u >"$work/lines"
	comm -23 "$work/lines" "$work/readelf" >"$work/wrong"
	result "$name: lines are those of readelf" "$work/wrong" "$(wc -l <"$work/lines")" 10

	# ---- entries: addr2line knows the line of a function's first instruction -----------------
	query "SELECT section.name, printf('%x', symbol.offset - section.offset),
		file.name || ':' || symbol.line FROM symbol JOIN file ON file.id = symbol.file
		$(section_of symbol.offset) WHERE $(in_image symbol.offset)
		AND NOT flags & $WV_SYMBOL_LABEL AND symbol.name NOT GLOB '*.cold*'" |
		sort >"$work/entries"
	cut -d ' ' -f 1 "$work/entries" | sort -u | while read -r section; do
		awk -v section="$section" '$1 == section { print "0x" $2 }' "$work/entries" \
			>"$work/offsets"
		addr2line -j "$section" -e "$module" <"$work/offsets" |
			sed 's/ (disc.*//; s,.*/,,' | paste -d ' ' "$work/offsets" - |
			sed "s/^0x/$section /"
	done | sort >"$work/addr2line"
	# addr2line prints the last of the lines that begin at an address, which need not be the
	# function's own.
	sed 's, [^ ]*/, ,' "$work/entries" | paste -d ' ' - "$work/addr2line" | awk '
		NR == FNR { row[$0] = 1; next }
		$1 $2 != $4 $5 || ($3 != $6 && !(($3 " " $2) in row))
		' "$work/readelf" - >"$work/wrong"
	result "$name: entries have the lines of addr2line" "$work/wrong" \
		"$(wc -l <"$work/entries")" 2
done
finish
