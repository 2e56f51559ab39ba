# SPDX-License-Identifier: GPL-2.0-or-later
#
# How many of one object's records have an instruction, and whether each label fits its instruction. Inputs in this order: the
# oracle's lines (bytes of members, layouts), objdump's text, what is inlined where (inlined.awk) and the dump of the table. Prints
# lines for report.awk.
#
# An access without an instruction is served if another access of the same struct.member has one in the same function: the one
# whose source both stand in, the emitted one of that name, or one that the access's function is inlined into.
#
# A label fits when its instruction has a memory operand that touches the member's bytes, counted from the struct that the source's
# chain of members begins with. Optimisers move the base; then the difference must be one that the layout of the
# structs explains:
#   fits       none
#   embedded   the struct is at this offset in another one that the function accesses; or (elsewhere) in any of the unit
#   overlay    another struct that the function accesses has an array of numbers there, which is cast: ((struct cb *)&skb->cb)->x
#   container  the base points to a member of the struct, as container_of and the address of a part do
#   sibling    the base points to a member of another struct that the struct is in
#   element    a whole number of elements of an array
#   stack      a local variable: only its frame knows
#   symbol     a variable of file scope, by its symbol or a per-CPU segment
#   register   no such operand: an implied one, as of a string instruction
#   unknown    libclang has no such member in this line, nor in a struct of this name
#   other      none of these
# Operands with an index register count by the same rules for what is constant in them.

# Without the suffixes of clones.
function plain(name) { sub(/\..*/, "", name); return name }
function leaf(name) { sub(/.*\./, "", name); return name }
function other_kind(kind) { return kind ~ /^(get|set|rmw|call)$/ ? "" : "-other" }
function head(name) { sub(/\..*/, "", name); return name }
function remember(key) {
	if (index(places[key] " ", " " $8 ":" $9 " ") == 0)
		places[key] = places[key] " " $8 ":" $9
}

# The table's lines follow those of inlined.awk.
FNR == 1 { input++ }

input == 1 && $1 == "part" {
	at_offset[$2, $3] = 1
	if (!(($2, $7) in bytes_of))
		bytes_of[$2, $7] = $3 ":" $3 + $4 * $5 - 1 ":" $2
	if ($6 != "-") {
		size_of[$6] = $4
		inside[$2, $6] = inside[$2, $6] " " $3 ":" $5
		if ($5 == 1)
			anywhere[$6, $3] = 1
	} else if ($5 > 1) {
		numbers_at[$2, $3] = 1
	}
	next
}
input == 1 && $1 == "member" && $8 != "-" {
	remember($3 SUBSEP $5)
	remember($4 SUBSEP $5)
	next
}

input == 2 {
	if (/^Disassembly of section/)
		section = substr($4, 1, length($4) - 1)
	else if (match($0, /^ +[0-9a-f]+:\t/)) {
		address = $1
		sub(/:$/, "", address)
		at = section SUBSEP address
		sub(/^ +[0-9a-f]+:\t/, "")
		text[at] = $0
	} else if (match($0, /R_X86_64_/))
		relocated[at] = 1
	next
}

input == 3 && $1 == "inlined" {
	inlined_into[$2] = inlined_into[$2] " " $3
	next
}
input == 3 && $1 == "record" {
	split($8, place, ":")
	line_key[$2] = place[1] ":" place[2] SUBSEP leaf($4)
	place_key[$2] = (NF >= 10 ? $10 : $8) SUBSEP leaf($4)
	access = $8 SUBSEP (NF >= 10 ? $10 : "") SUBSEP $4 SUBSEP $3
	access_of[$2] = access
	total[access] = $3
	member_of[access] = member_of[$2] = $4
	outermost[$2] = $5
	function_of[access] = function_of[$2] = $7
	next
}

input == 3 && $1 == "label" {
	exact[access_of[$4]] = 1
	has[plain($6), member_of[$4]] = has[function_of[$4], member_of[$4]] = 1
	labelled[function_of[$4]] = 1
	use_struct($6, head(member_of[$4]))
	use_struct($6, head(outermost[$4]))
	at = $2 SUBSEP $3
	n["label:all"]++
	if (!(at in text)) {
		n["label:between-instructions"]++
		next
	}
	if ($5 == "call") {
		n["label:" (text[at] ~ /^(cs |ds |notrack )*(call|jmp|j[a-z]+ )/ ? "call" : "no-call")]++
		next
	}
	if ($5 == "address") {
		n["label:address"]++
		next
	}
	labels++
	label_at[labels] = at
	label_record[labels] = $4
	label_function[labels] = $6
	next
}

function use_struct(where, name) {
	if (name != "-" && !((where, name) in uses)) {
		uses[where, name] = 1
		structs[where] = structs[where] " " name
	}
}

# How the memory operand of an instruction is related to a member's bytes.
function operand(insn, record, at, where,   body, displacement, list, count, i, part, class, best) {
	sub(/#.*/, "", insn)
	if (!match(insn, /-?(0x[0-9a-f]+)?\([^)]*\)/))
		return insn ~ /%gs:|%fs:/ || at in relocated ? "symbol" : "register"
	body = substr(insn, RSTART, RLENGTH)
	if (insn ~ /^(rep|lods|stos|movs[bwlq]? .*%es:)/)
		return "register"
	if (body ~ /%rip/ || insn ~ /%gs:/ || at in relocated)
		return "symbol"
	displacement = 0
	if (match(body, /0x[0-9a-f]+/))
		displacement = hex(substr(body, RSTART + 2, RLENGTH - 2))
	if (body ~ /^-/)
		displacement = -displacement
	list = (place_key[record] in places) ? places[place_key[record]] : places[line_key[record]]
	# A designator's place is its value's: the struct's layout has the member.
	if (list == "" && (head(member_of[record]), leaf(member_of[record])) in bytes_of)
		list = bytes_of[head(member_of[record]), leaf(member_of[record])]
	count = split(list, candidates, " ")
	best = count ? "other" : "unknown"
	for (i = 1; i <= count; i++) {
		split(candidates[i], part, ":")
		# An instruction touches at most 8 bytes from its displacement on, which widened accesses of bit-fields use.
		if (displacement <= part[2] && displacement + 8 > part[1])
			return "fits"
		if (best == "other" || best == "elsewhere") {
			class = moved(displacement - part[1], part[3], where)
			if (class != "other" && !(best == "elsewhere" && class == "other"))
				best = class
		}
	}
	if (best == "other" && body ~ /\(%r(sp|bp)/)
		return "stack"
	return best
}

# What explains that a struct's base is at a distance from the register.
function moved(by, struct, where,   list, count, i, found) {
	if (struct == "-")
		return "other"
	if ((struct, -by) in at_offset)
		return "container"
	count = split(structs[where], list, " ")
	for (i = 1; i <= count; i++)
		if (is_inside(list[i], struct, by))
			return "embedded"
	for (i = 1; i <= count; i++)
		if ((list[i], by) in numbers_at)
			return "overlay"
	if (size_of[struct] > 0 && by % size_of[struct] == 0)
		return "element"
	for (i = 1; i <= count; i++)
		if (is_sibling(list[i], struct, by))
			return "sibling"
	return (struct, by) in anywhere ? "elsewhere" : "other"
}
function is_inside(whole, struct, by,   list, count, i, at) {
	count = split(inside[whole, struct], list, " ")
	for (i = 1; i <= count; i++) {
		split(list[i], at, ":")
		if (by >= at[1] && by < at[1] + at[2] * size_of[struct] && (by - at[1]) % size_of[struct] == 0)
			return 1
	}
	return 0
}
function is_sibling(whole, struct, by,   list, count, i, at) {
	count = split(inside[whole, struct], list, " ")
	for (i = 1; i <= count; i++) {
		split(list[i], at, ":")
		if ((whole, at[1] - by) in at_offset)
			return 1
	}
	return 0
}

function hex(digits,   i, value) {
	for (i = 1; i <= length(digits); i++)
		value = value * 16 + index("0123456789abcdef", substr(digits, i, 1)) - 1
	return value
}

function is_served(access,   list, count, i) {
	if ((function_of[access], member_of[access]) in has)
		return 1
	count = split(inlined_into[function_of[access]], list, " ")
	for (i = 1; i <= count; i++)
		if ((list[i], member_of[access]) in has)
			return 1
	return 0
}

END {
	for (i = 1; i <= labels; i++) {
		class = operand(text[label_at[i]], label_record[i], label_at[i], label_function[i])
		n["operand:" class]++
		if (DETAILS && class ~ /other|elsewhere|unknown/)
			print "difference operand", class, line_key[label_record[i]], label_function[i], text[label_at[i]]
	}
	for (access in total) {
		kind = total[access]
		n["source:" kind]++
		if (access in exact)
			n["exact:" kind]++
		else if (is_served(access))
			n["served:" kind]++
		else if (!(function_of[access] in labelled))
			n["unserved:function" other_kind(kind)]++
		else
			n["unserved:member" other_kind(kind)]++
	}
	for (name in n)
		print "count", name, n[name]
}
