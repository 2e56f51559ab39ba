#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Checks what `weft points` prints of functions against tools that share no code with the weaver.
# Exits, basic blocks and calls of a few hundred functions are compared with objdump, inlined
# instances with readelf and addr2line. Usage: points.sh WEFT VMLINUX
set -eu
. "$(dirname "$0")/lib.sh"

"$weft" index "$vmlinux" -o "$WEFT_DB" >/dev/null
readelf -sW "$vmlinux" | awk '$4 == "FUNC" && $3 ~ /^[0-9]+$/ && $3 > 0 { print $8, $2, $3 }' |
	sort >"$work/functions"
objdump -d --no-show-raw-insn "$vmlinux" |
	sed -n 's/^ *\([0-9a-f]*\):\t/\1 /p' >"$work/instructions"
# Finds the section .altinstr_aux, to which static_cpu_has() jumps until alternatives are applied.
# These jumps then become nops or jumps inside of the function, so they do not count as exits of the
# function.
set -- $(readelf -SW "$vmlinux" | sed 's/^ *\[ *[0-9]*\]//' |
	awk '$1 == ".altinstr_aux" { print $3, $5 }')
low_half=${1#????????}
detours=$1 detours_end=$(printf '%s%08x' "${1%$low_half}" $((0x$low_half + 0x$2)))
awk -v low="$detours" -v high="$detours_end" \
	'$2 == "jmp" && $3 >= low && $3 < high { print $1, "jump" }' "$work/instructions" \
	>"$work/jumps"

# The sample of functions. Of the names that stand for one function with an address of its own it
# has every 60th with its cold part, every 10th system call, and every 5th that jumps to
# .altinstr_aux.
awk '{ print $2, "function", $1 }' "$work/functions" | sort - "$work/jumps" |
	awk '$2 == "function" { name = $3; next } !seen[name]++ && ++k % 5 == 0 { print name }' \
		>"$work/wanted"
awk 'NR == FNR { wanted[$1] = 1; next }
	{ name[++m] = $1; place[m] = $2; n[$1]++; at[$2]++ }
	END { for (i = 1; i <= m; i++)
		if (n[name[i]] == 1 && at[place[i]] == 1 && name[i] !~ /\.|^__pfx_|^__x86_/ &&
		    (++k % 60 == 0 || (name[i] ~ /^__x64_sys_/ && ++calls % 10 == 0) ||
		     name[i] in wanted)) print name[i] }' \
	"$work/wanted" "$work/functions" >"$work/sample"
awk 'NR == FNR { sample[$1] = 1; next }
	{ base = $1; sub(/\.cold(\.[0-9]+)?$/, "", base) }
	base in sample { print $2, $3, base }' "$work/sample" "$work/functions" |
	sort >"$work/parts"

# Prints "function address instruction" for every instruction of the sample; $work/direct gets every
# direct call or jump to it.
awk -v parts="$work/parts" -v calls="$work/direct" '
	function hex(text,   i, value) {
		for (i = length(text) - 8; i <= length(text); i++)
			value = value * 16 + index("0123456789abcdef", substr(text, i, 1)) - 1
		return value
	}
	BEGIN {
		while ((getline line < parts) > 0) {
			split(line, part, " ")
			n++
			start[n] = part[1]
			first[n] = hex(part[1])
			last[n] = first[n] + part[2]
			name[n] = part[3]
			if (!(part[3] in entry)) { entry[part[3]] = part[1]; by[part[1]] = part[3] }
		}
		k = 1
	}
	{
		now = hex($1)
		while (k <= n && now >= last[k])
			k++
		inside = k <= n && now >= first[k] ? name[k] : ""
		if (inside != "")
			print inside, $0
		for (i = 2; i <= 4 && i <= NF; i++)
			if ($i ~ /^(call|jmp|j[a-z]+)$/ && ($(i + 1) in by) &&
			    ($i == "call" || by[$(i + 1)] != inside))
				print by[$(i + 1)], $1 >calls
	}' "$work/instructions" >"$work/bodies"
touch "$work/direct"

# Finds exits and beginnings of basic blocks from the text of the instructions alone.
awk -v parts="$work/parts" -v work="$work" -v low_detour="$detours" -v high_detour="$detours_end" '
	function is_inside(address,   i) {
		for (i = 1; i <= ranges[function_name]; i++)
			if (address >= low[function_name, i] && address < high[function_name, i])
				return 1
		return 0
	}
	function plus(text, n,   i, digit, out) {
		for (i = length(text); i > 0; i--) {
			digit = index("0123456789abcdef", substr(text, i, 1)) - 1 + n % 16
			n = int(n / 16)
			if (digit > 15) { digit -= 16; n++ }
			out = substr("0123456789abcdef", digit + 1, 1) out
		}
		return out
	}
	BEGIN {
		while ((getline line < parts) > 0) {
			split(line, part, " ")
			i = ++ranges[part[3]]
			low[part[3], i] = part[1]
			high[part[3], i] = plus(part[1], part[2])
		}
	}
	{
		function_name = $1
		address = $2
		for (i = 1; i <= ranges[$1]; i++)
			if (low[$1, i] == $2)
				after = 0
		exists[$1, $2] = 1
		what = $3
		for (i = 3; i < NF && $i ~ /^(cs|ds|notrack|bnd|rep|repz|lock)$/; i++)
			what = $(i + 1)
		target = $(i + 1)
		padding = what ~ /^(int3|nop|nop[wl]|data16|xchg)$/ &&
			$0 !~ /xchg +%(r|e)[^a]|xchg +[^% ]/
		if ((after == 2 || (after && !padding)) && after_name == $1) {
			block[$1, $2] = 1
			after = 0
		}
		if (what ~ /^(ret|retq|iretq)$/) {
			print $1, $2 >(work "/exits")
			after = 1
		} else if (what ~ /^jmpq?$/) {
			if (target ~ /^\*/ ? target !~ /^\*.*\(.*,/ : !is_inside(target) &&
			    (target < low_detour || target >= high_detour))
				print $1, $2 >(work "/exits")
			after = 1
		} else if (what ~ /^(j[a-z]+|loop[a-z]*)$/) {
			if (!is_inside(target))
				print $1, $2 >(work "/exits")
			after = 2
		} else if (what ~ /^(int3|ud2|hlt)$/) {
			after = 1
		} else if (after == 2) {
			after = 0
		}
		if (what ~ /^j/ && target !~ /^\*/ && is_inside(target))
			block[$1, target] = 1
		after_name = $1
	}
	END {
		for (key in block) {
			split(key, part, SUBSEP)
			if (key in exists)
				print part[1], part[2] >(work "/blocks")
		}
	}' "$work/bodies"

# ask PART OUTPUT: writes "function address" of the PART of every function of the sample.
ask() {
	while read -r name; do
		"$weft" points "$name%$1" --json 2>/dev/null |
			sed -n "s/.*\"address\":\"0x\([0-9a-f]*\)\".*/$name \1/p"
	done <"$work/sample" | sort -u >"$2"
}

ask exit "$work/our-exits"
ask blocks "$work/our-blocks"
ask callers "$work/our-callers"
for what in exits blocks; do
	sort -u -o "$work/$what" "$work/$what"
done
# The block at a function's entry begins after the bytes that ftrace owns.
while read -r name; do
	"$weft" points "$name%entry" --json |
		sed -n "s/.*\"address\":\"0x\([0-9a-f]*\)\".*/$name \1/p"
done <"$work/sample" | sort -u >"$work/entries"
sort -u -o "$work/blocks" "$work/blocks" "$work/entries"
diff "$work/exits" "$work/our-exits" >"$work/wrong" || true
result "exits are those of objdump" "$work/wrong" "$(wc -l <"$work/our-exits")" 300
diff "$work/blocks" "$work/our-blocks" >"$work/wrong" || true
result "basic blocks are those of objdump" "$work/wrong" "$(wc -l <"$work/our-blocks")" 1000
sort -u "$work/direct" >"$work/callers"
diff "$work/callers" "$work/our-callers" >"$work/wrong" || true
result "calls of a function are those of objdump" "$work/wrong" "$(wc -l <"$work/our-callers")" 300
# Compares the calls of all functions at once, by a pattern, with the call instructions of objdump.
# The originals that alternatives are copied from are left out: they never run there.
objdump -d --no-show-raw-insn -j .altinstr_replacement "$vmlinux" |
	sed -n 's/^ *\([0-9a-f]*\):\t.*/\1/p' >"$work/copied"
"$weft" points '*%callers' --json | sed -n 's/.*"address":"0x\([0-9a-f]*\)".*/\1/p' | sort -u \
	>"$work/our-called"
awk 'FILENAME ~ /functions/ { starts[$2] = 1; next }
	FILENAME ~ /copied/ { copied[$1] = 1; next }
	$2 == "call" && !($1 in copied) { print $1, ($3 in starts) ? "" : "other" }' \
	"$work/functions" "$work/copied" "$work/instructions" | sort >"$work/called"
awk '!$2 { print $1 }' "$work/called" >"$work/all-called"
join "$work/called" "$work/our-called" | awk '{ print $1 }' >"$work/our-calls"
diff "$work/all-called" "$work/our-calls" >"$work/wrong" || true
result "calls of all functions are those of objdump" "$work/wrong" \
	"$(wc -l <"$work/our-calls")" 100000

# Functions whose name matches a pattern are found in a list of names. Compares their entries, and
# their inlined instances, with what SQLite's GLOB finds in the tables.
: >"$work/wrong"
: >"$work/alike"
address="printf('%x', (SELECT value FROM meta WHERE key = 'text_address') +"
for like in 'vfs_*' 'v*s_*d' '*_probe' '*skb*' 's*k_?e*' '*e*t*_*x' '??' '*.*' '*'; do
	for part in entry inlined; do
		case $part in
		entry) sql="SELECT $address offset + entry) FROM symbol
			WHERE NOT flags & $WV_SYMBOL_LABEL AND name NOT GLOB '*.cold*'" ;;
		inlined) sql="SELECT $address offset) FROM inline
			JOIN copy ON inline = inline.id WHERE 1" ;;
		esac
		sqlite3 "$WEFT_DB" "$sql AND name GLOB '$like'" | sort -u >"$work/globbed"
		"$weft" points "$like%$part" --json 2>/dev/null |
			sed -n 's/.*"address":"0x\([0-9a-f]*\)".*/\1/p' | sort -u >"$work/liked"
		diff "$work/globbed" "$work/liked" | sed "s/^/$like%$part /" >>"$work/wrong"
		cat "$work/liked" >>"$work/alike"
	done
done
result "names with * and ? are those of SQLite's GLOB" "$work/wrong" \
	"$(wc -l <"$work/alike")" 100000

# ---- inlined instances: all entries by readelf; a sample, with function and place, by addr2line -
readelf --debug-dump=info "$vmlinux" 2>/dev/null | awk '
	# An instance without code is left over from a function that was optimized out.
	/DW_TAG_/ {
		if (on && !empty && (entry != "" || low != ""))
			print entry != "" ? entry : low, view
		on = /DW_TAG_inlined_subroutine/
		entry = low = ""
		empty = view = 0
	}
	on && /DW_AT_entry_pc/ { entry = substr($NF, 3) }
	on && /DW_AT_low_pc/ { low = substr($NF, 3) }
	on && /DW_AT_GNU_entry_view/ { view = view || $NF > 0 }
	on && /DW_AT_ranges/ { view = 1 }
	on && /DW_AT_high_pc/ && $NF ~ /^(0x)?0$/ { empty = 1 }' |
	sort -u >"$work/entries-and-views"
# Finds entries at which addr2line may print another function. If a part of an instance was
# optimized out, its entry may be outside of the code that is left, where addr2line does not find
# the instance. That is possible if the entry is between two statements (a view), or if the instance
# has several ranges.
awk '$2 { print $1 }' "$work/entries-and-views" >"$work/views"
# The database has only those instances that are inside functions.
{
	awk '{ print $2, "function", $3 }' "$work/functions"
	awk '{ print $1, "x" }' "$work/entries-and-views"
} | sort | awk '
	function hex(text,   i, value) {
		for (i = length(text) - 8; i <= length(text); i++)
			value = value * 16 + index("0123456789abcdef", substr(text, i, 1)) - 1
		return value
	}
	$2 == "function" { if (hex($1) + $3 > end) end = hex($1) + $3; next }
	hex($1) < end { print $1 }' | sort -u >"$work/entry-pcs"
# Compares the entries. An instance whose list of ranges is empty has no code, so the database lacks
# it. readelf does not print whether a list is empty, so an instance with ranges that the database
# lacks is no error.
sqlite3 "$WEFT_DB" "SELECT DISTINCT $address offset) FROM copy" | sort -u >"$work/instances"
comm -13 "$work/entry-pcs" "$work/instances" >"$work/unlisted"
comm -23 "$work/entry-pcs" "$work/instances" | comm -23 - "$work/views" >"$work/wrong"
result "inlined instances are entered where readelf says" \
	"$work/wrong" "$(wc -l <"$work/instances")" 10000
sqlite3 -separator ' ' "$WEFT_DB" "SELECT $address offset), inline.name,
		file.name || ':' || line FROM copy
	JOIN inline ON inline.id = inline LEFT JOIN file ON file.id = file
	WHERE (offset / 4) % 61 = 0" >"$work/some-instances"
# readelf's list (entry-pcs) lacks an instance that has ranges but no entry of its own, so the
# comparison above has not checked it. addr2line checks all such instances, and a sample of the
# others.
sqlite3 -separator ' ' "$WEFT_DB" "
	SELECT $address offset), inline.name, file.name || ':' || line FROM copy
	JOIN inline ON inline.id = inline LEFT JOIN file ON file.id = file" >"$work/all-instances"
awk 'NR == FNR { unknown[$1] = 1; next } $1 in unknown' "$work/unlisted" "$work/all-instances" \
	>>"$work/some-instances"
cut -d ' ' -f 1 "$work/some-instances" | addr2line -a -f -i -e "$vmlinux" >"$work/chains"
awk -v views="$work/views" '
	BEGIN { while ((getline line < views) > 0) views_of[line] = 1 }
	NR == FNR {
		if (/^0x/) { at = substr($0, 3); n = 0; next }
		n++
		if (n % 2) names[at] = names[at] " " $1 " "
		else if (n == 2) {
			place[at] = $1
			sub(/ .*/, "", place[at])
			gsub(/\/\.\//, "/", place[at])
			sub(/\/[^\/]*\/\.\.\//, "/", place[at])
		}
		next
	}
	index(names[$1], " " $2 " ") == 0 && !($1 in views_of) {
		print $0, "is in", names[$1]
		next
	}
	substr(place[$1], length(place[$1]) - length($3) + 1) != $3 { print $0, "is", place[$1] }' \
	"$work/chains" "$work/some-instances" >"$work/wrong"
result "inlined instances' functions and places are those of addr2line" \
	"$work/wrong" "$(wc -l <"$work/some-instances")" 1000
finish
