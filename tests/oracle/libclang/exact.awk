# SPDX-License-Identifier: GPL-2.0-or-later
#
# How many of one object's records have an instruction, and whether each label fits its instruction. Inputs in this order: the
# oracle's lines (bytes of members), objdump's text, the dump of the table. Prints lines for report.awk.
#
# A label fits when its instruction has a memory operand that touches the member's bytes. Other operands are no error as such,
# because optimisers move the base; they are counted by what they are:
#   moved     the base register points to another place than the chain's first object (a part's address, a loop's cursor)
#   symbol    the operand is relative to a symbol: the object is a variable
#   indexed   an index is in the operand, or in the source
#   register  the instruction has no such operand (an implied one, as of a string instruction)

function leaf(name) { sub(/.*\./, "", name); return name }

FNR == 1 { input++ }

input == 1 && $1 == "member" && $8 != "-" {
	split($8, bytes, ":")
	key = $3 SUBSEP $5
	if (!(key in first)) {
		first[key] = bytes[1]
		last[key] = bytes[2]
	} else if (first[key] != bytes[1]) {
		several[key] = 1
	}
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

input == 3 && $1 == "record" {
	kind[$2] = $3
	split($8, place, ":")
	key = place[1] ":" place[2] SUBSEP leaf($4)
	key_of[$2] = key
	access = $8 SUBSEP (NF >= 10 ? $10 : "") SUBSEP $4 SUBSEP $3
	access_of[$2] = access
	total[access] = $3
	next
}

input == 3 && $1 == "label" {
	exact[access_of[$4]] = 1
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
	if ($5 == "address")
		next
	n["operand:" operand(text[at], key_of[$4], at)]++
}

# How the memory operand of an instruction is related to a member's bytes.
function operand(insn, key, at,   rest, body, displacement) {
	sub(/#.*/, "", insn)
	rest = insn
	if (!match(rest, /-?(0x[0-9a-f]+)?\([^)]*\)/))
		return insn ~ /%gs:|%fs:/ || at in relocated ? "symbol" : "register"
	body = substr(rest, RSTART, RLENGTH)
	if (body ~ /%rip|%gs:/ || at in relocated)
		return "symbol"
	if (body ~ /,/ || !(key in first) || key in several)
		return "indexed"
	displacement = 0
	if (match(body, /0x[0-9a-f]+/))
		displacement = hex(substr(body, RSTART + 2, RLENGTH - 2))
	if (body ~ /^-/)
		displacement = -displacement
	# An instruction touches at most 16 bytes from its displacement on, which widened accesses of bit-fields use.
	if (displacement <= last[key] && displacement + 8 > first[key])
		return "fits"
	return "moved"
}

function hex(digits,   i, value) {
	for (i = 1; i <= length(digits); i++)
		value = value * 16 + index("0123456789abcdef", substr(digits, i, 1)) - 1
	return value
}

END {
	for (access in total) {
		n["source:" total[access]]++
		if (access in exact)
			n["exact:" total[access]]++
	}
	for (name in n)
		print "count", name, n[name]
}
