#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Checks the joinpoint database of a kernel against tools that share no code with the weaver. Where
# instructions begin, and which of them are calls, is taken from objdump; symbols and line tables
# from readelf. Takes about a minute for the demo kernel, nearly all of which is the time of these
# tools. Usage: database.sh WEFT VMLINUX
set -eu
. "$(dirname "$0")/lib.sh"

query() {
	sqlite3 -separator ' ' "$WEFT_DB" "$1"
}

kind_name=$(sql_name kind WEFT_KIND_) use_name=$(sql_name use WEFT_EFFECT_)
precision_name=$(sql_name precision WEFT_PRECISION_) chosen_name=$(sql_name chosen WV_CHOSEN_)
address="printf('%x', (SELECT value FROM meta WHERE key = 'text_address') +"

"$weft" index "$vmlinux" -o "$WEFT_DB"
"$weft" index "$vmlinux" -o "$work/again.weft" >"$work/summary"
cmp "$WEFT_DB" "$work/again.weft" >"$work/wrong" || echo "differ" >>"$work/wrong"
result 'indexed twice, the same bytes' "$work/wrong"

# ---- symbols: readelf's functions in executable sections are the database's, with address and size
readelf -SW "$vmlinux" |
	sed -n 's/^ *\[ *\([0-9]*\)\] *\([^ ]*\) .* \([A-Z]*X[A-Z]*\) .*/\1/p' >"$work/executable"
readelf -sW "$vmlinux" | awk -v file="$work/executable" '
	BEGIN { while ((getline line < file) > 0) executable[line] = 1 }
	$4 == "FUNC" && ($7 in executable) {
		sub(/^0+/, "", $2)
		# readelf prints sizes of 100000 bytes and more in hexadecimal.
		size = $3 ~ /^0x/ ? $3 : sprintf("0x%x", $3)
		print $2, size, $8
	}' | sort >"$work/readelf-symbols"
query "SELECT $address offset), printf('0x%x', size), name FROM symbol
	WHERE NOT flags & $WV_SYMBOL_LABEL" |
	sort >"$work/symbols"
diff "$work/readelf-symbols" "$work/symbols" >"$work/wrong" || true
result 'symbols are those of readelf' "$work/wrong" "$(wc -l <"$work/symbols")"

# ---- instructions: labels, entries and line rows lie where objdump says that instructions begin --
objdump -d --no-show-raw-insn "$vmlinux" |
	sed -n 's/^ *\([0-9a-f]*\):\t/\1 /p' >"$work/instructions"
query "SELECT $address offset), 'label', $use_name FROM shadow
	WHERE precision = $WEFT_PRECISION_EXACT" \
	>"$work/places"
query "SELECT $address offset + entry), 'entry', name FROM symbol
	WHERE size > entry AND NOT flags & $WV_SYMBOL_LABEL" >>"$work/places"
query "SELECT $address offset), 'line', file || ':' || line FROM line" >>"$work/places"
query "SELECT $address offset), 'column', joinpoint FROM shadow
	WHERE precision = $WEFT_PRECISION_COLUMN" >>"$work/places"
awk -v wrong="$work" '
	NR == FNR {
		address = $1
		$1 = ""
		instruction[address] = substr($0, 2)
		next
	}
	!($1 in instruction) { print $0 >(wrong "/off-" $2); next }
	{
		what = instruction[$1]
		# A label of a call must be at a call by register, by memory or through a thunk, at
		# a tail call, or at a call that the compiler made direct.
		if ($2 == "label" && $3 == "call" && what !~ /^((cs|notrack|bnd) )*(call|jmp)/)
			print $0, what >(wrong "/no-call")
		if ($2 == "entry" && (what ~ /^endbr64/ || what ~ /^call .*<__fentry__>/))
			print $0, what >(wrong "/owned-entry")
	}' "$work/instructions" "$work/places"
for kind in label entry line column; do
	touch "$work/off-$kind"
	n=$(grep -c " $kind " "$work/places") || true
	result "every $kind is on an instruction boundary" "$work/off-$kind" "$n"
done
touch "$work/no-call" "$work/owned-entry"
n=$(grep -c ' label call$' "$work/places") || true
result 'every CALL label is on a call or a jump' "$work/no-call" "$n" 1000
result 'no entry is an endbr or belongs to ftrace' "$work/owned-entry"

# ---- lines: the statement rows of readelf's decoded line tables ----------------------------------
# readelf's rows name files without their folders, so only file names are compared.
readelf --debug-dump=decodedline "$vmlinux" 2>/dev/null | tee "$work/decodedline" | awk '
	$NF == "x" && $(NF - 1) ~ /^(0x[0-9a-f]+|[0-9]+)$/ {
		# A row is: NAME LINE 0xADDRESS [VIEW] x.
		for (i = NF - 1; i > 2 && $i !~ /^0xf/; i--)
			;
		if ($i ~ /^0xf/ && $(i - 1) > 0)
			print $(i - 2) ":" $(i - 1), substr($i, 3)
	}' | sort -u >"$work/readelf-rows"
base="replace(file.name, rtrim(file.name, replace(file.name, '/', '')), '')"
query "SELECT $base || ':' || line, $address line.offset) FROM line JOIN file ON file.id = file" |
	sort -u >"$work/rows"
comm -23 "$work/rows" "$work/readelf-rows" >"$work/wrong"
result 'every line row is one of readelf'"'"'s' "$work/wrong" "$(wc -l <"$work/rows")"
cut -d ' ' -f 1 "$work/readelf-rows" | sort -u >"$work/readelf-lines"
cut -d ' ' -f 1 "$work/rows" | sort -u >"$work/lines"
comm -13 "$work/lines" "$work/readelf-lines" >"$work/wrong"
result 'every line with code is in the database' "$work/wrong" "$(wc -l <"$work/readelf-lines")"
query "SELECT DISTINCT $base || ':' || joinpoint.line, $address shadow.offset) FROM shadow
	JOIN joinpoint ON joinpoint.id = joinpoint JOIN file ON file.id = file
	WHERE precision IN ($WEFT_PRECISION_COLUMN, $WEFT_PRECISION_LINE)" |
	sort -u >"$work/fallbacks"
# A row at an endbr64 or at ftrace's call is taken as one of the entry after them.
query "SELECT $address offset), $address offset + entry) FROM symbol WHERE entry > 0" |
	awk 'NR == FNR { entry[$1] = $2; next } { print } $2 in entry { print $1, entry[$2] }' \
		- "$work/readelf-rows" | sort -u >"$work/rows-and-entries"
comm -23 "$work/fallbacks" "$work/rows-and-entries" >"$work/wrong"
result 'every column and line shadow is a row of readelf'"'"'s, or the entry behind it' \
	"$work/wrong" "$(wc -l <"$work/fallbacks")"

# ---- members: their offsets are pahole's, and operand shadows have them --------------------------
# pahole prints nested structs in full. Members of an anonymous struct count as members of the outer
# one; those of a struct with a name do not.
pahole "$vmlinux" 2>/dev/null | awk '
	function member(line,   name, offset) {
		offset = line
		sub(/^.*\/\* */, "", offset)
		sub(/[ :].*/, "", offset)
		name = line
		sub(/;[^;]*$/, "", name)
		sub(/ *__attribute__.*/, "", name)
		if (match(name, /\(\*+[A-Za-z0-9_]+/)) {
			name = substr(name, RSTART + 2, RLENGTH - 2)
			gsub(/\*/, "", name)
		} else {
			sub(/:[0-9]+$/, "", name)
			gsub(/\[[0-9]*\]/, "", name)
			sub(/ +$/, "", name)
			sub(/.*[ *]/, "", name)
		}
		if (name ~ /^[A-Za-z_]/ && offset ~ /^[0-9]+$/)
			kept[++n] = depth " " name " " offset
	}
	/^(struct|union) [A-Za-z0-9_]+ \{/ { tag = $2; depth = 1; n = 0; next }
	!depth { next }
	/^\t+(struct|union)( [A-Za-z0-9_]+)? \{/ { start[++depth] = n; next }
	/^\t+\}/ {
		gsub(/ *__attribute__\(\(__[a-z]+__(\([0-9]+\))?\)\)/, "")
		named = $0 !~ /^\t+\};/
		if (named)
			n = start[depth]
		depth--
		if (named) { sub(/\}/, "x"); member($0) }
		next
	}
	/^\}/ {
		for (i = 1; i <= n; i++) {
			split(kept[i], part, " ")
			print tag "." part[2], part[3]
		}
		depth = 0
		next
	}
	/;.*\/\*/ { member($0) }' | sort -u >"$work/pahole"
awk '{ n[$1]++ } END { for (name in n) if (n[name] == 1) print name }' "$work/pahole" |
	sort >"$work/once"
join "$work/pahole" "$work/once" >"$work/pahole-once"
query "SELECT DISTINCT struct || '.' || member, byte FROM field WHERE path = '' AND byte IS NOT NULL
	AND NOT flags & $WEFT_FIELD_BITFIELD AND NOT flags & $WEFT_FIELD_TYPEDEF" |
	sort >"$work/bytes"
join "$work/bytes" "$work/pahole-once" >"$work/both"
awk '$2 != $3' "$work/both" >"$work/wrong"
n=$(wc -l <"$work/both")
result "member offsets are pahole's" "$work/wrong" "$n" 5000
query "SELECT $address shadow.offset), $kind_name, byte FROM shadow
	JOIN joinpoint ON joinpoint.id = joinpoint JOIN field ON field.id = field
	WHERE precision = $WEFT_PRECISION_OPERAND" >"$work/operands"
awk -v OFS=' ' '
	NR == FNR { address = $1; $1 = ""; instruction[address] = substr($0, 2); next }
	{
		what = instruction[$1]
		displacement = $3 ? sprintf("0x%x\\(", $3) : "[ ,*:](0x0)?\\("
		if (what !~ displacement) { print $0, what; next }
		sub(/ *[<#].*/, "", what)
		writes = what ~ /\)$/ &&
			what !~ /^(cmp|test|call|jmp|push|bt|mul|div|idiv|nop|prefetch)[a-z0-9]* /
		if (($2 ~ /^(set|rmw|init)$/ && !writes) || ($2 == "address" && what !~ /^lea/) ||
		    ($2 ~ /^(get|call)$/ && what ~ /^(lea|mov[a-z]* [^(]*,[^,]*\()/))
			print $0, what
	}' "$work/instructions" "$work/operands" >"$work/wrong"
n=$(wc -l <"$work/operands")
result 'every operand shadow has the displacement and the direction by objdump' \
	"$work/wrong" "$n" 1000

# ---- accesses: every instruction that does one is a shadow ---------------------------------------
# unlabelled.awk takes each joinpoint that has exact or operand shadows, and looks at all
# instructions of its line that do what the access does.
here=$(dirname "$0")
awk -f "$here/rows.awk" "$work/decodedline" | sort -s -k 1,2 |
	cut -d ' ' -f 1,3 >"$work/rows-by-address"
rm "$work/decodedline"
places="SELECT file.name AS name, j.line, byte, struct || '.' || member AS member,
	$kind_name AS kind
	FROM joinpoint j JOIN field f ON f.id = j.field JOIN file ON file.id = j.file
	WHERE byte IS NOT NULL
	AND kind IN ($WEFT_KIND_GET, $WEFT_KIND_SET, $WEFT_KIND_RMW, $WEFT_KIND_INIT)
	AND EXISTS (SELECT 1 FROM shadow s WHERE s.joinpoint = j.id AND s.chosen = $WV_CHOSEN_OWN
		AND s.precision IN ($WEFT_PRECISION_EXACT, $WEFT_PRECISION_OPERAND))"
displacement="CASE byte WHEN 0 THEN '-' ELSE printf('0x%x', byte) END"
# readelf may print a file's name without its folder, so each access is listed with the full name
# and with the name alone.
alone="replace(name, rtrim(name, replace(name, '/', '')), '')"
query "WITH place AS ($places) SELECT name || ':' || line, $displacement, member, kind FROM place
	UNION SELECT $alone || ':' || line, $displacement, member, kind FROM place" \
	>"$work/accesses"
query "SELECT $address s.offset), $address coalesce(y.offset, 0)), struct || '.' || member,
	$kind_name, $use_name, $precision_name, $chosen_name FROM shadow s
	JOIN joinpoint j ON j.id = s.joinpoint JOIN field f ON f.id = j.field
	LEFT JOIN symbol y ON y.id = s.symbol" >"$work/shadows"
cut -d ' ' -f 1 "$work/readelf-symbols" | sort -u >"$work/starts"
awk -f "$here/unlabelled.awk" "$work/accesses" "$work/shadows" "$work/starts" \
	"$work/rows-by-address" "$work/instructions" >"$work/unlabelled"
awk '$1 != "found" { n[$1]++ } END { for (class in n) print "no shadow: " class, n[class] }' \
	"$work/unlabelled" | sort

# An endbr64 and ftrace's call access nothing, whatever their place in the line table.
query "SELECT y.name, printf('+0x%x', s.offset - y.offset), s.joinpoint
	FROM shadow s JOIN symbol y ON y.id = s.symbol
	WHERE s.offset - y.offset < y.entry" >"$work/wrong"
result 'no access is before the entry of its function' "$work/wrong" \
	"$(query 'SELECT count(*) FROM shadow WHERE symbol IS NOT NULL')" 100000

# accesses WHAT USES AT-LEAST: looks at the instructions with an access effect in USES that are
# shadows or could be. At least AT-LEAST hundredths of a per cent of them must be shadows.
accesses() {
	awk -v uses="$2" '($2 ~ uses) && ($1 == "found" || $1 == "left")' "$work/unlabelled" \
		>"$work/these"
	awk -v at_least="$3" '{ n[$1]++; if ($1 == "left") left[n[$1]] = $0 }
		END {
			if (n["found"] * 10000 < at_least * NR)
				for (i = 1; i in left; i++) print left[i]
		}' "$work/these" >"$work/wrong"
	share=$(awk '{ n[$1]++ }
		END { printf "%.2f %%, %d left", 100 * n["found"] / NR, n["left"] }' "$work/these")
	result "$1 are shadows: $share" \
		"$work/wrong" "$(wc -l <"$work/these")" 10000
}
accesses 'instructions that write a member' '^(store|rmw)$' 9980
accesses 'instructions that read a member' '^load$' 9920

# stores FUNCTION STRUCT MEMBER AT-LEAST: checks that each store of the member in the function and
# its cold part has a shadow. Stores are found by the text of instructions, since GCC has dropped
# the labels of some.
stores() {
	displacement=$(query "SELECT printf('0x%x', byte) FROM field
		WHERE struct = '$2' AND member = '$3' AND path = ''")
	awk -v name="$1" '$3 == name || $3 == name ".cold" { print $1, $2 }' \
		"$work/readelf-symbols" >"$work/parts"
	awk -v parts="$work/parts" -v store="^mov[a-z]* [^(]*,$displacement\\\\(" '
		function hex(text,   i, value) {
			for (i = length(text) - 8; i <= length(text); i++)
				value = value * 16 + \
					index("0123456789abcdef", tolower(substr(text, i, 1))) - 1
			return value
		}
		BEGIN {
			while ((getline line < parts) > 0) {
				split(line, part, " ")
				first[++n] = hex(part[1])
				sub(/^0x/, "00000000", part[2])
				last[n] = first[n] + hex(part[2])
			}
		}
		{
			text = $0
			sub(/^[^ ]* */, "", text)
			gsub(/ +/, " ", text)
			if (text !~ store)
				next
			for (i = 1; i <= n; i++)
				if (hex($1) >= first[i] && hex($1) < last[i])
					print $1
		}' "$work/instructions" | sort >"$work/objdump-stores"
	query "SELECT DISTINCT $address s.offset) FROM shadow s
		JOIN joinpoint j ON j.id = s.joinpoint JOIN field f ON f.id = j.field
		JOIN symbol y ON y.id = s.symbol WHERE f.struct = '$2' AND f.member = '$3'
		AND s.chosen = $WV_CHOSEN_OWN AND j.kind IN ($WEFT_KIND_SET, $WEFT_KIND_RMW)
		AND y.name IN ('$1', '$1.cold')" | sort >"$work/our-stores"
	diff "$work/objdump-stores" "$work/our-stores" >"$work/wrong" || true
	result "all stores of $2.$3 in $1 are shadows" \
		"$work/wrong" "$(wc -l <"$work/objdump-stores")" "$4"
}
stores __set_oom_adj.isra.0 signal_struct oom_score_adj 8
stores sk_setsockopt sock sk_rcvbuf 1

# ---- calls: what one can pass in registers, by the parameters that BTF has -----------------------
# Counting BTF's parameters does not always tell in how many registers a call may pass arguments.
# Where it does not, the database has 6, which is the most that there are. So the database's number
# must be BTF's number, or be 6 if it is larger.
pfunct -F btf -P "$vmlinux" 2>/dev/null | awk '
	/\);$/ {
		name = $0
		open = match(name, /[A-Za-z_][A-Za-z0-9_]*\(/)
		if (!open) next
		parameters = substr($0, RSTART + RLENGTH, length($0) - RSTART - RLENGTH - 1)
		name = substr($0, RSTART, RLENGTH - 1)
		n = parameters != "void"
		for (i = depth = 0; i < length(parameters); i++) {
			c = substr(parameters, i + 1, 1)
			depth += (c ~ /[[({]/) - (c ~ /[])}]/)
			n += c == "," && !depth
		}
		print name, (n > 6 || parameters ~ /\.\.\.$/ ? 6 : n)
	}' | sort -u >"$work/prototypes"
# Functions that are inlined somewhere are left out, since another function may have their name.
query "SELECT DISTINCT name, flags >> $WV_SYMBOL_GIVEN_SHIFT & $WV_SYMBOL_GIVEN FROM symbol
	WHERE flags & $WV_SYMBOL_COMPILED AND name NOT IN (SELECT name FROM inline)" |
	sort >"$work/given"
for list in prototypes given; do
	awk '{ n[$1]++; line[$1] = $0 }
		END { for (name in n) if (n[name] == 1) print line[name] }' "$work/$list" |
		sort >"$work/$list-once"
done
join "$work/given-once" "$work/prototypes-once" >"$work/both"
awk '$2 != $3 && $2 != 6' "$work/both" >"$work/wrong"
result "calls pass what BTF's prototypes say" "$work/wrong" "$(wc -l <"$work/both")" 15000
echo "unclear, all six taken: $(awk '$2 != $3' "$work/both" | wc -l)"

# ---- prints the time and the sizes that `weft index` has printed, for docs/database.md -----------
sed 's/^[^:]*: /index: /' "$work/summary"
finish
