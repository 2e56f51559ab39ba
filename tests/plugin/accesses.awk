# SPDX-License-Identifier: GPL-2.0-or-later
#
# Compares one object's table with the EXPECT comments of its sources and with the disassembly.
# Inputs in this order, distinguished by FILENAME: sources (*.c, *.h), offsets (lines "NAME OFFSET
# SIZE"), objdump's text, the dump of the table, of whose lines it takes "access", "label" and
# "fate". Variables: USES (0: labels are not compared), CASE (for messages). Prints lines "ok" or
# "FAILED".

function base(path) { sub(/.*\//, "", path); return path }
function say(good, what) { printf "%s %s: %s\n", good ? "ok    " : "FAILED", CASE, what }

FILENAME ~ /\.(c|h)$/ {
	file = base(FILENAME)
	source[file, FNR] = $0
	if (match($0, /EXPECT .*\*\//)) {
		count = split(substr($0, RSTART + 7, RLENGTH - 10), items, /, */)
		for (i = 1; i <= count; i++)
			expected[++expectations] = file " " FNR " " items[i]
	}
	next
}

FILENAME ~ /\.offsets$/ { offset[$1] = $2; size[$1] = $3; next }

FILENAME ~ /\.objdump$/ {
	if (/^Disassembly of section/) {
		section = substr($4, 1, length($4) - 1)
	} else if (match($0, /^ +[0-9a-f]+:\t/)) {
		address = $1
		sub(/:$/, "", address)
		sub(/^ +[0-9a-f]+:\t/, "")
		instruction[section, address] = $0
	}
	next
}

$1 == "unit" { next }

$1 == "access" {
	split($7, place, ":")
	sub(/.*\//, "", place[1])
	kind[$2] = $3
	if ($3 == "address")
		address_at[$4, $5, $8, $10] = 1
	by_address[$2] = $4 SUBSEP $5 SUBSEP $8 SUBSEP $10
	name[$2] = $5 == "-" ? $4 : $5
	flags[$2] = $6
	function_of[$2] = $7 == "-" ? "" : $7
	split($8, at, ":")
	access_file[$2] = base(at[1])
	access_line[$2] = at[2]
	access_column[$2] = at[3]
	macro[$2] = NF > 8
	if (NF > 8) {
		split($10, at, ":")
	}
	spelling_file[$2] = base(at[1])
	spelling_line[$2] = at[2]
	spelling_column[$2] = at[3]
	accesses = $2 + 1
	next
}

$1 == "label" {
	labels++
	used[$4, $5] = 1
	effect_at[$2, $3, $4] = $5
	where = $2 " " $3
	if (!(($2, $3) in instruction)) {
		say(0, "label at " where " is on no instruction's first byte")
		next
	}
	check_label($4, $5, instruction[$2, $3], $6, where)
	next
}

$1 == "fate" {
	text = $3
	if (NF > 4)
		text = text "@" access_line[$7]
	if (NF > 4 && kind[$7] == "rmw" && effect_at[$5, $6, $7] != "rmw")
		text = text "(" effect_at[$5, $6, $7] ")"
	if (!(($2, text) in has_fate)) {
		has_fate[$2, text] = 1
		fates[$2] = fates[$2] (fates[$2] == "" ? "" : "+") text
	}
	next
}

# Checks a label: a call label must be on a call or a tail call; a load or store in the object
# itself must have the member's displacement.
function check_label(access, use, text, range, where,    operand, displacement, first) {
	if (use == "call" || use ~ /^argument/) {
		if (text !~ /(call|jmp)/)
			say(0, "call label at " where " is on `" text "`")
		return
	}
	# An access that is derived from an address may be reached through another address.
	if (by_address[access] in address_at)
		return
	# Without optimization the address is made first and then used. The cases of lowered.c have
	# wide stores, and pointers that GCC has moved; those of folded.c load neighbours at once.
	if (CASE ~ /-O0/ || CASE ~ /^(lowered|folded) / || use == "address" ||
	    function_of[access] != range || !(name[access] in offset))
		return
	if (!match(text, /-?(0x[0-9a-f]+)?\(%[re][a-z0-9]+\)/))
		return
	operand = substr(text, RSTART, RLENGTH)
	if (operand ~ /%[re](sp|bp|ip)/ || text ~ /^(call|jmp|rep)/)
		return
	displacement = hexadecimal(operand)
	displacements++
	first = offset[name[access]]
	if (displacement < first || displacement >= first + size[name[access]])
		if (text !~ /lea/)
			say(0, name[access] " is at offset " first ", but the label at " where \
				" is on `" text "`")
}

function hexadecimal(text,    value, i) {
	if (text ~ /^-/)
		return -1
	sub(/^0x/, "", text)
	value = 0
	for (i = 1; (c = index("0123456789abcdef", substr(text, i, 1))) && i <= length(text); i++)
		value = value * 16 + c - 1
	return value
}

function uses_of(access,    text) {
	text = ""
	for (u = 1; u <= uses; u++)
		if ((access, order[u]) in used)
			text = text (text == "" ? "" : "+") order[u]
	return text == "" ? "none" : text
}

# Returns what the table has of an access, for comparison with @want: its labels, or, if @want is a
# fate, its fates: "dead", "coalesced@LINE" (with an access in that line; for a read-modify-write of
# two instructions also which one, "coalesced@LINE(store)"), several joined by "+".
function said_of(access, want) {
	if (want ~ /^(coalesced|dead|registers|copied|constant)/)
		return uses_of(access) == "none" ? fates[access] : uses_of(access)
	if (want == "unknown" && fates[access] != "")
		return fates[access]
	return want == "unknown" && uses_of(access) == "none" ? want : uses_of(access)
}

# Returns whether the text at the access's location begins with the member's name.
function column_is_right(access,    text, member) {
	member = name[access]
	sub(/.*\./, "", member)
	text = substr(source[spelling_file[access], spelling_line[access]], spelling_column[access])
	return text ~ ("^(\\.|->)[ \t]*" member "([^A-Za-z0-9_]|$)")
}

BEGIN {
	uses = split("load store rmw call address argument0 argument1 argument2 argument3 " \
		"argument4 argument5", order, " ")
}

END {
	for (e = 1; e <= expectations; e++) {
		split(expected[e], want, " ")
		found = -1
		for (r = 0; r < accesses; r++) {
			if (taken[r] || access_file[r] != want[1] || access_line[r] != want[2] ||
			    kind[r] != want[3] || name[r] != want[4])
				continue
			found = r
			if (!USES || want[5] == "any" || said_of(r, want[5]) == want[5])
				break
		}
		text = want[1] ":" want[2] " " want[3] " " want[4]
		# Without inlining there is no instruction from which a derived access could be
		# found.
		if (found < 0 && want[6] == "derived" && (!USES || want[5] == "none"))
			continue
		if (found < 0) {
			say(0, text ": no access")
			continue
		}
		taken[found] = 1
		if (USES && want[5] != "any" && said_of(found, want[5]) != want[5])
			say(0, text ": labels " said_of(found, want[5]) " in the place of " want[5])
		else if (want[3] != "init" && want[6] != "elsewhere" && !column_is_right(found))
			say(0, text ": column " spelling_column[found] " is not the member's")
		else
			say(1, text " " uses_of(found))
	}
	for (r = 0; r < accesses; r++)
		if (!taken[r])
			say(0, "nothing expects access " r ": " kind[r] " " name[r] " at " \
				access_file[r] ":" access_line[r])
	say(1, labels + 0 " labels on instructions, " displacements + 0 " displacements compared")
}
