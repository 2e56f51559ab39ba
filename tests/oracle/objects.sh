#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Checks $obj at thousands of shadows against objdump's operands and pahole's offsets. For each
# access of the structs' members, `weft compile` writes $obj as a register and a constant. The
# register must be the base of the instruction's operand (or, after an instruction that makes an
# address, the register with that address). The constant must be 0 if the register has the struct's
# own address; this is so if the operand's displacement, counted from the struct, is within the
# member. If it is not, or if the register has the address of another part of the struct, as in a
# walk along a list, the constant must lead to the member. Usage: objects.sh WEFT KERNEL DB
set -eu
kernel=$2
set -- "$1" "$kernel/vmlinux" "$3"
. "$(dirname "$0")/lib.sh"
db=$3
structs="inode sock task_struct sk_buff super_block mm_struct file dentry net_device page rq cfs_rq
	vm_area_struct block_device request_queue request bio tcp_sock inet_sock device kobject
	signal_struct address_space sched_entity tty_struct module cred net pci_dev kernfs_node"

{
	echo '<aspect name="objects">'
	for struct in $structs; do
		cat <<-END
			<pointcut name="$struct">
				<member-access struct="$struct" name="*"/>
			</pointcut>
			<before-advice pointcut="$struct" optional="yes">
				weft_log("%p", \$obj);
			</before-advice>
		END
	done
	for struct in inode sock task_struct mm_struct super_block dentry; do
		cat <<-END
			<pointcut name="made_$struct">
				<member-access struct="$struct" name="*" kind="address"/>
			</pointcut>
			<after-advice pointcut="made_$struct" optional="yes">
				weft_log("%p", \$obj);
			</after-advice>
		END
	done
	echo '</aspect>'
} >"$work/objects.xml"
"$weft" compile "$work/objects.xml" --kernel "$kernel" --db "$db" --print-c --at-most 100000 \
	>"$work/objects.c" 2>"$work/notes" || { tail -n 1 "$work/notes"; exit 1; }

# Prints for each member: struct, member, first byte, size. For a bit-field these are of the word
# that contains it.
for struct in $structs; do
	pahole -C "$struct" "$vmlinux" 2>/dev/null
done >"$work/pahole"
awk '
	/^(struct|union) [a-z_]+ \{/ { struct = $2 }
	match($0, /\/\* +[0-9]+(: *[0-9]+)? +[0-9]+ +\*\/$/) {
		place = substr($0, RSTART + 2, RLENGTH - 4)
		text = substr($0, 1, RSTART - 1)
		sub(/ +$/, "", text)
		sub(/;.*/, "", text)
		bits = sub(/: *[0-9]+/, "", place)
		split(place, number, " ")
		if (text ~ /\(\*[a-z_0-9]+\)\(/) {
			sub(/.*\(\*/, "", text)
			sub(/\).*/, "", text)
		}
		sub(/:[0-9]+$/, "", text)
		while (sub(/\[[0-9]*\]$/, "", text)) ;
		sub(/ +__attribute__.*/, "", text)
		sub(/.*[ *]/, "", text)
		if (text ~ /^[a-zA-Z_][a-zA-Z_0-9]*$/)
			print struct, text, number[1], bits ? 8 : number[2]
	}' "$work/pahole" | sort -u >"$work/members"

# Prints for each member, and for each part of one: struct, offset at which it begins.
for struct in $structs; do
	pahole -E -C "$struct" "$vmlinux" 2>/dev/null |
		sed -nE "s|.*/\\* +([0-9]+)(: *[0-9]+)? +[0-9]+ +\\*/\$|$struct \\1|p"
done | sort -u >"$work/begins"

# Prints for each $obj in the generated C: address, when, struct, member, kind, registers, constant.
readelf -sW "$vmlinux" | awk '$8 == "_text" { print $2; exit }' >"$work/text"
awk -v text="$(cut -c 9- <"$work/text")" '
	function hex(digits,   n, i) {
		n = 0
		for (i = 1; i <= length(digits); i++)
			n = n * 16 + index("0123456789abcdef", substr(digits, i, 1)) - 1
		return n
	}
	function said(number,   expression, sign, found) {
		expression = texts[number]
		gsub(/wr_reg\(weft, WR_/, "", expression)
		gsub(/\)/, "", expression)
		return expression
	}
	/^static const char weft_strings/ { strings = 1; at = 0; next }
	strings && /^\t"/ {
		line = $0
		sub(/^\t"/, "", line)
		last = line ~ /;$/
		sub(/";?$/, "", line)
		sub(/\\0$/, "", line)
		string[at] = line
		at += length(line) + 1
		strings = !last
	}
	/^static const u(8|32) weft_places_/ {
		name = $4
		sub(/\[.*/, "", name)
		table = name
		next
	}
	table != "" && /^\t\[/ {
		split($0, cell, /[][ =,]+/)
		number[table, cell[2]] = cell[3]
	}
	/^};/ { table = "" }
	/^static __always_inline unsigned long weft_find_[0-9]+_obj/ {
		split($0, word, /_find_|_obj/)
		function_of = word[2]
		next
	}
	function_of != "" && /switch/ {
		match($0, /weft_places_[0-9]+_[0-9]+/)
		places[function_of] = substr($0, RSTART, RLENGTH)
		from[function_of] = match($0, / - [0-9]+\]/) ? substr($0, RSTART + 3) + 0 : 0
	}
	function_of != "" && /case [0-9]+:/ { now = $2 + 0 }
	function_of != "" && /default:/ { now++ }
	function_of != "" && /return/ {
		expression = $0
		sub(/.*return /, "", expression)
		sub(/;$/, "", expression)
		text_of[function_of, now] = expression
	}
	/^}/ { function_of = ""; now = 0 }
	/^static __always_inline void weft_body_/ || /^static .*void weft_body_/ {
		split($0, word, /weft_body_|\(/)
		body = word[2]
	}
	/\$obj = / {
		expression = $0
		sub(/.*\$obj = \([^)]*\)/, "", expression)
		sub(/;$/, "", expression)
		if (expression !~ /weft_find_/) uniform[body] = expression
	}
	/^\t\{ \.text_offset = / {
		offset = $4
		gsub(/0x|,/, "", offset)
		next
	}
	/\.what = / { match($0, /what = [0-9]+/); what = substr($0, RSTART + 7, RLENGTH - 7) }
	/\.advice = / {
		match($0, /advice = [0-9]+/)
		advice = substr($0, RSTART + 9, RLENGTH - 9)
		exact[n] = /PRECISION_EXACT/
		when[n] = /WEFT_AFTER/ ? "after" : "before"
		address[n] = offset
		described[n] = what
		by[n++] = advice
	}
	END {
		for (i = 0; i < n; i++) {
			split(string[described[i]], word, /[. ]/)
			split(string[described[i]], word, /,? /)
			member = word[1]
			struct = member
			sub(/\..*/, "", struct)
			sub(/[^.]*\./, "", member)
			expression = text_of[by[i], number[places[by[i]], i - from[by[i]]]]
			if (by[i] in uniform) expression = uniform[by[i]]
			if (expression == "") expression = "?"
			gsub(/wr_reg\(weft, WR_/, "", expression)
			gsub(/[()]/, "", expression)
			gsub(/ /, "", expression)
			printf "%08x %s %s %s %s %s %s\n", hex(text) + hex(address[i]), when[i],
				struct, member, word[2], exact[i] ? "exact" : "other",
				tolower(expression)
		}
	}' "$work/objects.c" >"$work/said"
cut -d ' ' -f 1 "$work/said" | sort -u >"$work/addresses"
objdump -d --no-show-raw-insn "$vmlinux" | awk '
	NR == FNR { wanted[$1]; next }
	match($0, /^ffffffff[0-9a-f]+:/) {
		at = substr($0, 9, RLENGTH - 9)
		if (!(at in wanted)) next
		sub(/^[^\t]*\t/, "")
		sub(/ *[#<].*/, "")
		sub(/ +$/, "")
		print at "\t" $0
	}' "$work/addresses" - >"$work/listing"

awk -v work="$work" '
	function hex(digits,   n, i, negative) {
		negative = sub(/^-/, "", digits)
		sub(/^0x/, "", digits)
		n = 0
		for (i = 1; i <= length(digits); i++)
			n = n * 16 + index("0123456789abcdef", substr(digits, i, 1)) - 1
		if (n >= 9223372036854775808) n -= 18446744073709551616
		return negative ? -n : n
	}
	FILENAME ~ /members$/ {
		# If a struct has two members of the same name, neither of them is compared.
		if (($1, $2) in first) first[$1, $2] = "?"
		else first[$1, $2] = $3
		size[$1, $2] = $4
		next
	}
	FILENAME ~ /begins$/ { begins[$1, $2]; next }
	FILENAME ~ /listing$/ { split($0, half, "\t"); insn[half[1]] = half[2]; next }
	{
		# If advice is refused at the shadow, $obj has no value there.
		if ($7 == "?") { other["refused"]++; next }
		own = insn[$1]
		line = $0 " | " own
		if (!(($3, $4) in first) || first[$3, $4] == "?" || $7 ~ /text|_stext|live/ ||
		    own ~ /%[a-z]s:|\(%rip\)/) { other["no struct or register of its own"]++; next }
		base = index_register = ""
		made = own
		sub(/.*,%/, "", made)
		if (match(own, /-?(0x[0-9a-f]+)?\([^)]*\)/)) {
			operand = substr(own, RSTART, RLENGTH)
			d = operand
			sub(/\(.*/, "", d)
			d = hex(d)
			split(operand, word, /[(),%]+/)
			base = word[2]
			index_register = word[3]
		} else if (own ~ /^(add|sub) +\$/) {
			d = own
			sub(/^[a-z]+ +\$/, "", d)
			sub(/,.*/, "", d)
			d = hex(d)
			if (own ~ /^sub/) d = -d
			base = made
		} else { other["a call through a register"]++; next }
		# Reads the value that weft generated for $obj: a base and a constant.
		said = $7
		x = 0
		if (match(said, /[+-]0x[0-9a-f]+$/)) {
			x = hex(substr(said, RSTART + 1))
			if (substr(said, RSTART, 1) == "-") x = -x
			said = substr(said, 1, RSTART - 1)
		}
		compared++
		kinds[$5]++
		if ($2 == "after" && $5 == "address") {
			if (said != made) { print line, ": not the register that it made"; next }
			x += d
		} else {
			split(said, sum, "+")
			if (sum[1] != base) { print line, ": not its base"; next }
			if ((index_register == "") != (sum[2] == "")) {
				print line, ": not its index"
				next
			}
		}
		o = first[$3, $4]
		at = d - x
		within = d >= o && d < o + size[$3, $4]
		if (within && x && index_register == "" &&
		    ($5 == "address" || !(($3, -x) in begins)))
			print line, ": not the struct at", o
		# The instruction may access a word that holds the member and its neighbours.
		else if (at < o - ($5 == "address" ? 0 : 7) || at >= o + size[$3, $4])
			print line, ": outside of the member at", o
	}
	END {
		print compared + 0 >(work "/compared")
		for (why in other) print other[why], why >(work "/left")
		for (kind in kinds) print kinds[kind], kind >(work "/kinds")
	}' "$work/members" "$work/begins" "$work/listing" "$work/said" >"$work/wrong"
result "\$obj is the operand's register less pahole's offset" "$work/wrong" \
	"$(cat "$work/compared")" 10000
finish
