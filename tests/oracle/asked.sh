#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Checks that pointcuts are complete, against grep, objdump, pahole and addr2line. asked.txt has the
# pointcuts, the units that are looked at, and the text that a kernel developer would grep for.
#
# Text: each line of a unit's own file that has this text, and code, must have a joinpoint of the
# member. Instructions: an instruction is a candidate if it accesses memory at the member's offset
# from a register, does what a kind of the pointcut does, and comes from a line with this text (or
# was inlined at a call in such a line). Each candidate must be a shadow of the member with the
# precision exact or operand. VM_BUG_ON(), which only asks for the size of its condition here,
# accesses nothing. Usage: asked.sh KERNEL DATABASE
set -uo pipefail
kernel=$1 database=$2
here=$(realpath "$(dirname "$0")")
. "$here/names.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export LC_ALL=C

# instructions OBJECT SECTION OFFSET: prints the candidates: address in the section, symbol, offset
# in it, what is done (get, set, rmw), instruction. If OFFSET is empty, it stands for 0: the operand
# has no displacement.
instructions() {
	objdump -dw --no-show-raw-insn -j "$2" "$1" 2>/dev/null | awk -v offset="$3" '
		BEGIN {
			for (i = 0; i < 16; i++)
				digit[sprintf("%x", i)] = i
			operand = "[ ,]" (offset == 0 ? "" : sprintf("0x%x", offset)) \
				"\\(%r([abcd]x|[sd]i|bp|[0-9]+)\\)"
		}
		function number(text,   value, i) {
			for (i = 1; i <= length(text); i++)
				value = value * 16 + digit[substr(text, i, 1)]
			return value
		}
		/^[0-9a-f]+ <.*>:$/ {
			name = substr($2, 2, length($2) - 3)
			start = number($1)
			next
		}
		$0 ~ operand && !/\t(lea|nop|call|jmp|prefetch)/ {
			at = substr($1, 1, length($1) - 1)
			sub(/^[^\t]*\t/, "")
			sub(/ *[#<].*/, "")
			gsub(/[ \t]+/, " ")
			does = "get"
			if ($0 ~ /^lock |^xchg/ || ($0 ~ operand "$" &&
						    $0 !~ /^(mov|cmp|test|bt |btl|btq|push)/))
				does = "rmw"
			else if ($0 ~ operand "$" && $0 ~ /^mov/)
				does = "set"
			print at "\t" name "\t" number(at) - start "\t" does "\t" $0
		}'
}

# places OBJECT SECTION: prints each address of the input with the source lines that it comes from
places() {
	addr2line -a -i -j "$2" -e "$1" 2>/dev/null | awk -v kernel="$kernel/" '
		/^0x/ { at = $1; sub(/^0x0*/, "", at); if (at == "") at = "0"; next }
		{
			sub(/ \(discriminator.*/, "")
			sub("^" kernel, "")
			gsub(/[^\/]*\/\.\.\//, "")
			sub(/^\.\//, "")
			print at "\t" $0
		}'
}

while read -r struct member kinds units text; do
	case $struct in '#'* | '') continue ;; esac
	name=$struct.$member
	sqlite3 -separator '	' "file:$database?immutable=1" "
		SELECT y.name, s.offset - y.offset FROM shadow s
			JOIN joinpoint j ON j.id = s.joinpoint JOIN field f ON f.id = j.field
			JOIN symbol y ON y.id = s.symbol
		WHERE f.struct = '$struct' AND f.member = '$member'
			AND s.precision IN ($WEFT_PRECISION_EXACT, $WEFT_PRECISION_OPERAND)
		" >"$work/shadows"
	sqlite3 "file:$database?immutable=1" "
		SELECT DISTINCT fi.name || ':' || j.line FROM joinpoint j
			JOIN field f ON f.id = j.field JOIN file fi ON fi.id = j.file
		WHERE f.struct = '$struct' AND f.member = '$member'" >"$work/lines"
	for unit in ${units//,/ }; do
		object=$kernel/$unit.o
		offset=$(pahole -C "$struct" "$object" 2>/dev/null | sed -nE \
			"s,.*[^A-Za-z_>.]$member(\)\(.*\)|\[.*\])?; */\* *([0-9]+) .*,\2,p" |
			head -n 1)
		if [ -z "$offset" ]; then
			echo "FAILED $name: pahole does not find it in $unit.o"
			continue
		fi
		for section in .text .sched.text; do
			instructions "$object" $section "$offset" >"$work/found"
			cut -f 1 "$work/found" | places "$object" $section >"$work/places"
			awk -F '\t' -v name="$name" -v kinds="$kinds" -v text="$text" \
				-v kernel="$kernel" '
				function has_text(place,   file, at, line, n) {
					if (place in known)
						return known[place]
					file = place
					sub(/:.*/, "", file)
					if (!(file in read)) {
						read[file] = 1
						while ((getline line <(kernel "/" file)) > 0)
							source[file, ++n] = line
					}
					at = place
					sub(/.*:/, "", at)
					return known[place] = source[file, at + 0] ~ text
				}
				FILENAME ~ /shadows$/ { shadow[$1, $2] = 1; next }
				FILENAME ~ /places$/ { if (has_text($2)) from[$1] = $2; next }
				($1 in from) && $4 ~ "^(" kinds ")$" {
					print (($2, $3) in shadow ? "shadow" : "none"), name, \
						$2 "+" $3, from[$1], $4, $5
				}' "$work/shadows" "$work/places" "$work/found"
		done
		# The lines of the unit's own file that have code.
		objdump --dwarf=decodedline "$object" 2>/dev/null | awk -v file="$unit.c" '
			{ n = split(file, part, "/") }
			$1 == part[n] { print file ":" $2 }' | sort -u >"$work/coded"
		grep -nE -e "$text" "$kernel/$unit.c" | grep -v VM_BUG_ON |
			sed "s,^\([0-9]*\):.*,$unit.c:\1," | sort |
			comm -12 - "$work/coded" >"$work/texts"
		sort -u "$work/lines" | comm -12 "$work/texts" - |
			sed "s,^,line $name ,"
		sort -u "$work/lines" | comm -23 "$work/texts" - |
			sed "s,^,no-line $name ,"
	done
done <"$here/asked.txt" >"$work/all"

awk '
	FNR == NR {
		if ($1 !~ /^#/ && NF)
			name[++n] = $1 "." $2
		next
	}
	$1 == "FAILED" { bad++; print; next }
	$1 == "none" {
		bad++
		print "FAILED " $2 ": no shadow at " $3 ", " $4 ": " $6 " " $7 " " $8
		next
	}
	$1 == "no-line" { bad++; print "FAILED " $2 ": no joinpoint at " $3; next }
	{ good++ }
	$1 == "shadow" { shadows[$2]++; all++ }
	$1 == "line" { lines[$2]++ }
	END {
		for (i = 1; i <= n; i++) {
			printf "%-26s %3d instructions, %3d lines of text\n", name[i], \
				shadows[name[i]], lines[name[i]]
			if (shadows[name[i]] < 3) {
				bad++
				print "FAILED " name[i] ": fewer than 3 instructions"
			}
		}
		if (all < 400) {
			bad++
			print "FAILED fewer than 400 instructions were compared"
		}
		print good + 0 " passed, " bad + 0 " failed, 0 skipped"
		exit bad > 0
	}' "$here/asked.txt" "$work/all"
