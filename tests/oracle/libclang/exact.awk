# SPDX-License-Identifier: GPL-2.0-or-later
#
# Checks how many of one object's accesses have an instruction, and whether each label fits its
# instruction. Inputs in this order: libclang's lines (bytes of members, layouts), objdump's text,
# where variables are (places.awk) followed by the dump of the joinpoint table. Prints lines for
# report.awk.
#
# An access without an instruction counts as coalesced if another access of the same struct.member
# has one in one of these functions: the function of the source that both are in, the emitted
# function of that name, or one that the access's function is inlined into.
#
# A label fits when its instruction has a memory operand that touches the member's bytes. What the
# operand's base points to is looked for in DWARF first, then in the text, then in the structs'
# layouts. Each class is a condition that is evaluated:
#   fits         the displacement is the member's, counted from the struct that the source's chain
#                of members begins with
#   held         by DWARF a pointer variable is in the base register, and the struct that it points
#                to has the member there
#   frame        by DWARF and the frame's rules, a local variable of a struct with the member there
#                is at the operand
#   variable     by the relocation, a variable of file scope is there, whose type by DWARF has the
#                member there
#   definition   lea, mov or add made the register from another one for which one of the above holds
#   loaded       the base was loaded by an instruction with a label of a member that points to a
#                struct with the member there
#   overlay      a struct that the function accesses, or that is held, has an array of numbers
#                there, which is cast
#   after        the member's struct lies directly after the one that is pointed to, as
#                container_of and CMSG_DATA make it
#   bytes        the base was loaded from a labelled pointer to bytes (skb->data), at a constant
#                distance from the struct
#   initialiser  an initialiser's store into a local variable of the struct, next to the member
#   pair         another label of the access is at the member, within 16 bytes, with the same base:
#                GCC merged both
#   copy         another label of the access is at the member, and one of the two stores what the
#                other loads
#   asm          two labels are at one asm of several instructions, and the second instruction has
#                the member
#   registers    the user's registers, at the upper end of a task's stack
#   embedded     the struct is at this offset in another one that the function accesses; elsewhere:
#                in any struct of the unit
#   container    the base points to a part of the struct, as the address of a part does
#   sibling      the base points to a part of another struct that the function accesses and that
#                contains the struct
#   element      a whole number of elements of an array away
#   protector    the label is at the first of the instructions that GCC makes of one that sets the
#                stack's guard and then loads the member; the member is where
#                weaver/index/stack-protector.c moves such a label to
#   symbol, other, register, unknown   none of these
# The first six and `embedded`, `after`, `copy`, `asm`, `registers` and `protector` are called
# proven. The others hold for many wrong labels as well: report.awk shows it by labels whose
# accesses are exchanged. Operands with an index register count by the same conditions, by what is
# constant in them.

# Returns the name without the suffixes of clones.
function plain(name) { sub(/\..*/, "", name); return name }
function leaf(name) { sub(/.*\./, "", name); return name }
function other_kind(kind) { return kind ~ /^(get|set|rmw|call)$/ ? "" : "-other" }
function head(name) { sub(/\..*/, "", name); return name }
function remember(key) {
	if (index(places[key] " ", " " $8 ":" $9 " ") == 0)
		places[key] = places[key] " " $8 ":" $9
}

# The third input has the lines of places.awk, and after them those of the joinpoint table's dump.
FNR == 1 { input++ }

input == 1 && $1 == "part" {
	if (!(($2, $3) in at_offset)) {
		at_offset[$2, $3] = 1
		offsets[$2] = offsets[$2] " " $3
	}
	if (!(($2, $7) in bytes_of))
		bytes_of[$2, $7] = $3 ":" $3 + $4 * $5 - 1 ":" $2
	if ($8 != "-")
		pointee[$2, $7] = $8
	if ($6 != "-") {
		size_of[$6] = $4
		if (!(($2, $6) in inside))
			wholes[$6] = wholes[$6] " " $2
		inside[$2, $6] = inside[$2, $6] " " $3 ":" $5
	} else if ($5 > 1) {
		numbers[$2] = numbers[$2] " " $3 ":" $4 * $5
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
		end_of[at] = hex(address)
		before[section SUBSEP address] = at
		after[at] = section SUBSEP address
		at = section SUBSEP address
		sub(/^ +[0-9a-f]+:\t/, "")
		text[at] = $0
	}
	next
}

input == 3 && $1 == "inlined" {
	inlined_into[$2] = inlined_into[$2] " " $3
	next
}
input == 3 && $1 == "symbol" {
	i = ++nr_symbols[$2]
	symbol_value[$2, i] = hex($3)
	symbol_size[$2, i] = hex($4)
	symbol_name[$2, i] = $5
	next
}
input == 3 && $1 == "variable" { variable[$2] = variable[$2] " " $3; next }
input == 3 && $1 == "local" { locals[$2] = locals[$2] " " $3 ":" $4 ":" $5; next }
input == 3 && $1 == "holds" {
	holds[$2, ++nr_holds[$2]] = hex($3) ":" hex($4) ":" $5 ":" $6 ":" $7
	next
}
input == 3 && $1 == "frame" {
	$2 = hex($2) + 0
	$3 = hex($3) + 0
	frames[$2, $3] = frames[$2, $3] " " hex($4) + 0 ":" $5 ":" $6
	next
}
# The dump may have one access of the source under several numbers; `source` is the same for all of
# them.
input == 3 && $1 == "access" {
	split($8, place, ":")
	line_key[$2] = place[1] ":" place[2] SUBSEP leaf($4)
	place_key[$2] = (NF >= 10 ? $10 : $8) SUBSEP leaf($4)
	source = $8 SUBSEP (NF >= 10 ? $10 : "") SUBSEP $4 SUBSEP $3
	source_of[$2] = source
	kind_of[$2] = $3
	total[source] = $3
	member_of[source] = member_of[$2] = $4
	outermost[$2] = $5
	function_of[source] = function_of[$2] = $7
	next
}

input == 3 && $1 == "label" {
	exact[source_of[$4]] = 1
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
	if ($5 == "call" || $5 ~ /^argument/) {
		is_call = text[at] ~ /^(cs |ds |notrack )*(call|jmp|j[a-z]+ )/
		n["label:" (is_call ? "call" : "no-call")]++
		next
	}
	if ($5 == "address") {
		n["label:address"]++
		next
	}
	labels++
	label_at[labels] = at
	labels_at[at]++
	label_access[labels] = $4
	label_function[labels] = $6
	effect_of[$4, at] = $5
	if ($5 == "load")
		loads[at] = loads[at] " " $4
	next
}

function use_struct(where, name) {
	if (name != "-" && !((where, name) in uses)) {
		uses[where, name] = 1
		structs[where] = structs[where] " " name
	}
}

# Returns how many bytes an instruction's operand has, by the suffix of its name or by its register.
function size_of_operand(insn,   name) {
	name = insn
	sub(/^((lock|rep|repz|repnz|cs|ds|notrack|bnd) )+/, "", name)
	sub(/[ \t].*/, "", name)
	if (name ~ /^(movzb|movsb|set)|^movabsb/)
		return 1
	if (name ~ /^(movzw|movsw)/)
		return 2
	if (name ~ /^movsl/)
		return 4
	if (insn ~ /%xmm/ && name ~ /^(movu|mova|movdq|pxor|por)/)
		return 16
	if (name ~ /(add|sub|and|or|xor|neg|not|inc|dec|imul|mul|div|adc|sbb|cmp|test)[bwlq]$/ ||
	    name ~ /(mov|push|pop|xadd|cmpxchg|xchg|stos|movs)[bwlq]$/ ||
	    name ~ /(shl|shr|sar|rol|ror|bts|btr|btc|bt)[bwlq]$/)
		return name ~ /b$/ ? 1 : name ~ /w$/ ? 2 : name ~ /l$/ ? 4 : 8
	sub(/-?(0x[0-9a-f]+)?\([^)]*\)/, "", insn)
	if (insn ~ /%([abcd][lh]|[sd]il|[sb]pl|r[0-9]+b)/)
		return 1
	if (insn ~ /%(e[abcd]x|e[sd]i|e[sb]p|r[0-9]+d)/)
		return 4
	if (insn ~ /%r/)
		return 8
	return insn ~ /%([abcd]x|[sd]i|[sb]p)/ ? 2 : 8
}

# Returns whether the operand's bytes, from @at on, overlap the member's bytes @first to @last.
function touches(at, first, last) { return at <= last && at + operand_size > first }

# Returns whether the struct @struct is @whole, or in it, or in an array in it, so that the
# operand's bytes are the member's.
function is_within(whole, struct, at, first, last) {
	if (struct == "-")
		return whole ~ /^@/ && at >= 0 && substr(whole, 2) > 0 &&
			touches(at % substr(whole, 2), first, last)
	if (size_of[whole] > 0 && at >= size_of[whole])
		at %= size_of[whole]
	return is_inside(whole, struct, at, first, last)
}
function is_inside(whole, struct, at, first, last,   list, count, i, part, element) {
	count = split(inside[whole, struct], list, " ")
	for (i = 1; i <= count; i++) {
		split(list[i], part, ":")
		if (size_of[struct] <= 0)
			continue
		element = int((at - part[1]) / size_of[struct])
		if (element < 0 || element >= (part[2] > 1 ? part[2] : 1))
			element = 0
		if (touches(at - part[1] - element * size_of[struct], first, last))
			return 1
	}
	return 0
}

# Finds the symbol that relocates an instruction's operand: sets target and target_offset.
function find_target(insn, at,   part, n, where, kind, words) {
	n = split(insn, part, "\t")
	for (; n > 1; n--) {
		if (part[n - 1] !~ /^[0-9a-f]+: R_X86_64_/)
			continue
		split(part[n - 1], words, ": ")
		where = hex(words[1])
		# An operand and an immediate may both be relocated; the last four bytes are the
		# immediate.
		if (insn ~ /\$0x0/ && end_of[at] - where == 4)
			continue
		target = part[n]
		target_offset = 0
		if (match(target, /[+-]0x[0-9a-f]+$/)) {
			target_offset = hex(substr(target, RSTART + 3))
			if (substr(target, RSTART, 1) == "-")
				target_offset = -target_offset
			target = substr(target, 1, RSTART - 1)
		}
		if (words[2] ~ /_PC32|_PLT32/)
			target_offset += end_of[at] - where
		return 1
	}
	return 0
}

# Returns the symbol of a section that covers an offset; sets symbol_from and symbol_to.
function symbol_at(section, offset,   i) {
	for (i = 1; i <= nr_symbols[section]; i++)
		if (offset >= symbol_value[section, i] &&
		    offset < symbol_value[section, i] + symbol_size[section, i]) {
			symbol_from = symbol_value[section, i]
			symbol_to = symbol_from + symbol_size[section, i]
			return symbol_name[section, i]
		}
	return ""
}

# Returns whether the variable that the relocation refers to has the member at the operand's
# address.
function is_in_variable(candidates, count,   name, list, i, k, part, n) {
	name = target
	if (name in nr_symbols) {
		name = symbol_at(name, target_offset)
		target_offset -= symbol_from
	}
	sub(/\..*/, "", name)
	n = split(variable[name], list, " ")
	for (i = 1; i <= count; i++) {
		split(candidates[i], part, ":")
		for (k = 1; k <= n; k++)
			if (is_within(list[k], part[3], target_offset, part[1], part[2]))
				return 1
	}
	return 0
}

# Finds the canonical frame address at an instruction: sets frame_register and frame_offset.
function find_frame(at,   part, address, list, n, i) {
	frame_register = "-"
	split(at, part, SUBSEP)
	address = hex(part[2])
	if (symbol_at(part[1], address) == "")
		return
	n = split(frames[symbol_from, symbol_to], list, " ")
	for (i = 1; i <= n; i++) {
		split(list[i], part, ":")
		if (part[1] <= address) {
			frame_register = part[2]
			frame_offset = part[3]
		}
	}
}

# Returns whether a local variable, or the target of a pointer to the frame, has the member at the
# operand's address. Sets in_initialised if a local variable that contains the member's struct is
# there.
function is_in_frame(at, register, displacement, where, candidates, count,
		     part, offset, list, n, i, k, local) {
	in_initialised = 0
	find_frame(at)
	n = split(locals[plain(where)], list, " ")
	for (k = 1; k <= n; k++) {
		split(list[k], local, ":")
		if (local[1] == register)
			offset = displacement - local[2]
		else if (local[1] == "cfa" && frame_register == register)
			offset = displacement - frame_offset - local[2]
		else
			continue
		if (offset + operand_size <= 0)
			continue
		for (i = 1; i <= count; i++) {
			split(candidates[i], part, ":")
			if (is_within(local[3], part[3], offset, part[1], part[2]) ||
			    offset >= 0 && is_overlay(local[3], part[3], offset, part[1], part[2]))
				return 1
			if ((local[3], part[3]) in inside && offset >= 0 &&
			    offset < size_of[local[3]])
				in_initialised = 1
		}
	}
	return 0
}

# Returns how a register, by DWARF, holds a variable that points to a struct with the member: held,
# overlay, after or "".
function is_held(at, register, displacement, where, candidates, count,
		 part, address, n, i, k, held, best, offset) {
	split(at, part, SUBSEP)
	address = hex(part[2])
	n = nr_holds[plain(where)]
	best = ""
	for (k = 1; k <= n; k++) {
		split(holds[plain(where), k], held, ":")
		if (held[3] != register || address < held[1] || address >= held[2])
			continue
		offset = displacement - held[4]
		for (i = 1; i <= count; i++) {
			split(candidates[i], part, ":")
			if (is_within(held[5], part[3], offset, part[1], part[2]) ||
			    part[3] == "-" && is_named(held[5], offset))
				return "held"
			if (is_overlay(held[5], part[3], offset, part[1], part[2]))
				best = "overlay"
			else if (offset == size_of[held[5]] + part[1])
				best = "after"
		}
	}
	return best
}
# Returns whether the struct has a member of the wanted name there. For structs without a name.
function is_named(whole, at,   part) {
	if (!((whole, wanted_leaf) in bytes_of))
		return 0
	split(bytes_of[whole, wanted_leaf], part, ":")
	return touches(at, part[1], part[2])
}

# Finds the reaching definition of a register, going back from an instruction in the order of the
# text. Sets definition_register, from which the value is made, the number definition_add that was
# added to it, and definition_at. Returns 0 if the value is not such a sum.
function find_definition(at, register,   steps, insn, d, r) {
	for (steps = 0; steps < 40; steps++) {
		at = before[at]
		if (at == "" || text[at] ~ /^(jmp|ret|ud2)/)
			return 0
		insn = text[at]
		sub(/[ \t]*#.*|\t[0-9a-f]+: R_X86.*/, "", insn)
		if (insn ~ /^call/ && register !~ /^(rbx|rbp|rsp|r12|r13|r14|r15)$/)
			return 0
		if (insn !~ "%" register "$" || insn ~ /^(cmp|test|push)/)
			continue
		definition_at = at
		if (insn ~ /^lea +-?(0x[0-9a-f]+)?\(%r[a-z0-9]+\),/) {
			d = insn
			sub(/^lea +/, "", d)
			definition_add = number(substr(d, 1, index(d, "(") - 1))
			r = d
			sub(/^[^(]*\(%/, "", r)
			sub(/\).*/, "", r)
		} else if (insn ~ /^mov +%r[a-z0-9]+,/) {
			definition_add = 0
			r = insn
			sub(/^mov +%/, "", r)
			sub(/,.*/, "", r)
		} else if (insn ~ /^(add|sub) +\$-?0x[0-9a-f]+,/) {
			d = insn
			sub(/^[a-z]+ +\$/, "", d)
			sub(/,.*/, "", d)
			if (length(d) > 12)
				return 0
			definition_add = (insn ~ /^sub/ ? -1 : 1) * number(d)
			r = register
		} else {
			return 0
		}
		definition_register = r
		return 1
	}
	return 0
}

# Makes the same checks for a register that was made from another one.
function by_definition(at, register, displacement, where, candidates, count,   hops, found) {
	for (hops = 0; hops < 3 && find_definition(at, register); hops++) {
		at = definition_at
		register = definition_register
		displacement += definition_add
		if ((found = is_held(at, register, displacement, where, candidates, count)) != "")
			return found
		if (is_in_frame(at, register, displacement, where, candidates, count))
			return "frame"
		if (in_initialised)
			return "initialiser"
		for (found = 1; found <= count; found++) {
			split(candidates[found], part, ":")
			if (touches(displacement, part[1], part[2]))
				return "definition"
		}
	}
	return ""
}

# Returns how a pointer that was loaded from a labelled member leads to the wanted member: loaded,
# after, bytes or "".
function by_load(at, register, displacement, candidates, count,
		 steps, insn, list, n, i, k, part, whole, member) {
	for (steps = 0; steps < 40; steps++) {
		at = before[at]
		if (at == "" || text[at] ~ /^(jmp|ret|ud2)/)
			return ""
		insn = text[at]
		sub(/[ \t]*#.*|\t[0-9a-f]+: R_X86.*/, "", insn)
		if (insn ~ /^call/ && register !~ /^(rbx|rbp|rsp|r12|r13|r14|r15)$/)
			return ""
		if (insn ~ "%" register "$" && insn !~ /^(cmp|test|push)/)
			break
	}
	if (insn !~ /^mov .*\(/)
		return ""
	n = split(loads[at], list, " ")
	for (k = 1; k <= n; k++) {
		member = member_of[list[k]]
		whole = pointee[head(member), leaf(member)]
		if (whole == "bytes")
			return "bytes"
		for (i = 1; whole != "" && i <= count; i++) {
			split(candidates[i], part, ":")
			if (is_within(whole, part[3], displacement, part[1], part[2]))
				return "loaded"
			if (displacement == size_of[whole] + part[1])
				return "after"
		}
	}
	return ""
}

# Returns how many bytes a string instruction stores, by the count that is set before it.
function size_of_string(insn, at,   unit, steps, d) {
	unit = insn ~ /%rax|movsq/ ? 8 : insn ~ /%eax|movsl/ ? 4 : insn ~ /%ax/ ? 2 : 1
	if (insn !~ /^rep/)
		return unit
	for (steps = 0; steps < 40; steps++) {
		at = before[at]
		if (at == "" || text[at] ~ /^(jmp|ret|call)/)
			return unit
		if (text[at] ~ /^mov +\$0x[0-9a-f]+,%ecx$/) {
			d = text[at]
			sub(/^mov +\$0x/, "", d)
			sub(/,.*/, "", d)
			return unit * hex(d)
		}
		if (text[at] ~ /%[er]cx$/)
			return unit
	}
	return unit
}

# Returns the class of an instruction's memory operand, for the bytes of an access's member.
function operand(insn, access, at, where,
		 body, displacement, list, count, i, part, class, best, registers) {
	operand_size = size_of_operand(insn)
	list = (place_key[access] in places) ? places[place_key[access]] : places[line_key[access]]
	# The location of a designator is that of its value, so the member's bytes come from the
	# layout.
	if (list == "" && (head(member_of[access]), leaf(member_of[access])) in bytes_of)
		list = bytes_of[head(member_of[access]), leaf(member_of[access])]
	count = split(list, candidates, " ")
	if (!count)
		return "unknown"
	wanted_leaf = leaf(member_of[access])
	if (find_target(insn, at))
		return is_in_variable(candidates, count) ? "variable" : "symbol"
	sub(/#.*/, "", insn)
	if (insn ~ /^(rep|lods|stos|movs[bwlq]? .*%es:)/) {
		operand_size = size_of_string(insn, at)
		registers[1] = insn ~ /(lods|movs)/ && effect_of[access, at] == "load" ? \
			"rsi" : "rdi"
		displacement = 0
	} else if (match(insn, /-?(0x[0-9a-f]+)?\([^)]*\)/)) {
		body = substr(insn, RSTART, RLENGTH)
		displacement = 0
		if (match(body, /0x[0-9a-f]+/))
			displacement = hex(substr(body, RSTART + 2, RLENGTH - 2))
		if (body ~ /^-/)
			displacement = -displacement
		sub(/^[^(]*\(%?/, "", body)
		split(body, registers, /,%?|\)/)
	} else if (match(insn, /[ ,:]0x[0-9a-f]+/)) {
		# The address is constant: the member is accessed through a pointer that is known to
		# be NULL.
		displacement = hex(substr(insn, RSTART + 3, RLENGTH - 3))
		registers[1] = insn ~ /%gs:/ ? "gs" : "zero"
	} else {
		return "register"
	}
	for (i = 1; i <= count; i++) {
		split(candidates[i], part, ":")
		if (insn !~ /^rep/ && touches(displacement, part[1], part[2]))
			if (registers[1] != "gs")
				return "fits"
	}
	if ((class = is_held(at, registers[1], displacement, where, candidates, count)) == "held")
		return class
	if (is_in_frame(at, registers[1], displacement, where, candidates, count))
		return "frame"
	if (in_initialised && kind_of[access] == "init")
		return "initialiser"
	if (body ~ /,1\)$/ &&
	    is_held(at, registers[2], displacement, where, candidates, count) == "held")
		return "held"
	if (class != "")
		return class
	class = by_definition(at, registers[1], displacement, where, candidates, count)
	if (class != "")
		return class
	if (registers[1] == "gs")
		return displacement == 40 && is_after_guard(at, access, where) ? \
			"protector" : "symbol"
	if ((class = by_load(at, registers[1], displacement, candidates, count)) != "")
		return class
	best = "other"
	for (i = 1; i <= count; i++) {
		split(candidates[i], part, ":")
		class = moved(displacement, part[1], part[2], part[3], where)
		if (best == "other" || best == "elsewhere" && class != "other")
			best = class
	}
	if (best == "other" && is_thread_registers(displacement, candidates, count))
		return "registers"
	return best
}

# Returns whether the member is loaded right after the load and store of the stack's guard, and
# after the instruction that only clears the register: that is where `weft index` moves the label.
# Or the load there gets a pointer, and the next instruction goes through it and has a label of the
# same access.
function is_after_guard(at, access, where,   next_one, part) {
	next_one = after[after[at]]
	if (text[next_one] ~ /^xor / && split(text[next_one], part, /[ ,]+/) == 3 &&
	    part[2] == part[3])
		next_one = after[next_one]
	if (base_of(text[after[next_one]]) == loaded_by(text[next_one]) &&
	    (access, after[next_one]) in effect_of)
		next_one = after[next_one]
	return text[after[at]] ~ /^mov .*\(%rsp\)/ && is_there(next_one, access, where)
}

# Returns the register that a load fills, named as a base register.
function loaded_by(insn) {
	if (insn !~ /^mov .*\),%r[a-z0-9]+$/ || !match(insn, /[a-z0-9]+$/))
		return ""
	return substr(insn, RSTART, RLENGTH)
}

# Returns whether the instruction @at accesses the member.
function is_there(at, access, where,   class) {
	class = operand(text[at], access, at, where)
	return class ~ /^(fits|held|frame|variable|embedded|container|loaded)$/ ||
		class ~ /^(overlay|element|initialiser|definition)$/
}

# Returns whether the member is in task_pt_regs(), at the upper end of a task's stack of 16 KiB.
function is_thread_registers(displacement, candidates, count,   i, part) {
	for (i = 1; i <= count; i++) {
		split(candidates[i], part, ":")
		if (part[3] == "pt_regs" &&
		    touches(displacement - (16384 - size_of["pt_regs"]), part[1], part[2]))
			return 1
	}
	return 0
}

# Returns the class that explains why the register is not the base of the member's struct.
function moved(at, first, last, struct, where,   list, count, i) {
	if (struct == "-")
		return "other"
	if (is_part(struct, at, first, last))
		return "container"
	count = split(structs[where], list, " ")
	for (i = 1; i <= count; i++)
		if (is_inside(list[i], struct, at, first, last))
			return "embedded"
	for (i = 1; i <= count; i++)
		if (is_overlay(list[i], struct, at, first, last))
			return "overlay"
	if (size_of[struct] > 0 && touches((at - first) % size_of[struct] + first, first, last))
		return "element"
	for (i = 1; i <= count; i++)
		if (is_sibling(list[i], struct, at, first, last))
			return "sibling"
	count = split(wholes[struct], list, " ")
	for (i = 1; i <= count; i++)
		if (is_inside(list[i], struct, at, first, last))
			return "elsewhere"
	return "other"
}
# Returns whether the base may point to a part of the struct.
function is_part(struct, at, first, last,   list, count, i) {
	count = split(offsets[struct], list, " ")
	for (i = 1; i <= count; i++)
		if (touches(at + list[i], first, last))
			return 1
	return 0
}
# Returns whether the member's struct is cast from inside an array of numbers in @whole.
function is_overlay(whole, struct, at, first, last,   list, count, i, part) {
	count = split(numbers[whole], list, " ")
	for (i = 1; i <= count; i++) {
		split(list[i], part, ":")
		if (touches(at - part[1], first, last) && at >= part[1] && at < part[1] + part[2])
			return 1
		if (at - first >= part[1] && size_of[struct] > 0 &&
		    at - first + size_of[struct] <= part[1] + part[2])
			return 1
	}
	return 0
}
# Returns whether the base points to another part of a struct that contains the member's struct.
function is_sibling(whole, struct, at, first, last,   list, count, i) {
	if (!((whole, struct) in inside))
		return 0
	count = split(offsets[whole], list, " ")
	for (i = 1; i <= count; i++)
		if (is_inside(whole, struct, at + list[i], first, last))
			return 1
	return 0
}

function hex(digits,   i, value) {
	for (i = 1; i <= length(digits); i++)
		value = value * 16 + index("0123456789abcdef", substr(digits, i, 1)) - 1
	return value
}

function is_coalesced(source,   list, count, i) {
	if ((function_of[source], member_of[source]) in has)
		return 1
	count = split(inlined_into[function_of[source]], list, " ")
	for (i = 1; i <= count; i++)
		if ((list[i], member_of[source]) in has)
			return 1
	return 0
}

# Returns the register that an instruction loads from memory or stores to memory, without its size.
function data_register(insn,   name) {
	sub(/[ \t]*#.*|\t[0-9a-f]+: R_X86.*/, "", insn)
	if (insn ~ /%[a-z0-9]+$/)
		match(insn, /%[a-z0-9]+$/)
	else if (!match(insn, /%[a-z0-9]+,/))
		return "-"
	name = substr(insn, RSTART + 1, RLENGTH - 1)
	sub(/,/, "", name)
	sub(/^[er]/, "", name)
	sub(/[dwb]$/, "", name)
	sub(/^([abcd])[lhx]$/, "&", name)
	return name ~ /^[abcd][lhx]?$/ ? substr(name, 1, 1) : name
}
function base_of(insn) {
	if (!match(insn, /\(%[a-z0-9]+/))
		return "-"
	return substr(insn, RSTART + 2, RLENGTH - 2)
}
# Returns the number in an operand like -0x10; 0 where it has none.
function number(text) {
	if (text !~ /^-?0x/)
		return 0
	return text ~ /^-/ ? -hex(substr(text, 4)) : hex(substr(text, 3))
}
function displacement_of(insn) {
	if (!match(insn, /-?0x[0-9a-f]+\(/))
		return 0
	return number(substr(insn, RSTART, RLENGTH - 1))
}

# Compares a label with other labels of its access in the same function whose operand is the member.
# Returns pair: they are next to each other, and GCC merged both; copy: one stores what the other
# loads; or "".
function by_duplicate(i,   k, a, b, n, list, step, distance) {
	a = text[label_at[i]]
	n = split(of_access[label_access[i]], list, " ")
	for (step = 1; step <= n; step++) {
		k = list[step]
		if (k == i || label_function[k] != label_function[i] || weak[k])
			continue
		b = text[label_at[k]]
		distance = displacement_of(a) - displacement_of(b)
		if (base_of(a) == base_of(b) && distance <= 16 && distance >= -16)
			return "pair"
		if (effect_of[label_access[i], label_at[i]] != \
		    effect_of[label_access[k], label_at[k]] &&
		    data_register(a) == data_register(b))
			return "copy"
	}
	return ""
}

END {
	for (i = 1; i <= labels; i++) {
		at = label_at[i]
		class_of[i] = operand(text[at], label_access[i], at, label_function[i])
		# Shows that the test can fail: each label is also tested with the access of another
		# label, which should not fit.
		other = i + 7 <= labels ? i + 7 : 1
		n["control:" operand(text[at], label_access[other], at, label_function[i])]++
		weak[i] = class_of[i] ~ /^(other|elsewhere|symbol|unknown|register)$/
		of_access[label_access[i]] = of_access[label_access[i]] " " i
	}
	for (i = 1; i <= labels; i++) {
		class = class_of[i]
		# One asm or pattern may be several instructions, and the label is at the first of
		# them.
		at = label_at[i]
		if (class == "other" && labels_at[at] > 1 && text[after[at]] ~ /^adc / &&
		    is_there(after[at], label_access[i], label_function[i]))
			class = "asm"
		if (class ~ /other|elsewhere/ && (duplicate = by_duplicate(i)) != "")
			class = duplicate
		n["operand:" class]++
		if (DETAILS && class ~ /^(other|elsewhere|unknown|symbol|register|protector)$/) {
			split(label_at[i], part, SUBSEP)
			print "difference operand", class, line_key[label_access[i]],
				label_function[i], part[1] "+0x" part[2], text[label_at[i]]
		}
	}
	for (source in total) {
		kind = total[source]
		n["source:" kind]++
		if (source in exact)
			n["exact:" kind]++
		else if (is_coalesced(source))
			n["coalesced:" kind]++
		else if (!(function_of[source] in labelled))
			n["not-coalesced:function" other_kind(kind)]++
		else
			n["not-coalesced:member" other_kind(kind)]++
	}
	for (name in n)
		print "count", name, n[name]
}
