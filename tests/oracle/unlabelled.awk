# SPDX-License-Identifier: GPL-2.0-or-later
#
# Finds the instructions of an access that are not shadows. Takes each joinpoint that has exact or
# operand shadows, and every instruction in the ranges of its line (by readelf's line table) that
# has the member's displacement and does what the access does (by objdump). That instruction is
# looked for among the member's shadows. Inputs in this order, all addresses in hexadecimal with 16
# digits:
#
#	FILE:LINE DISPLACEMENT MEMBER KIND      joinpoints; a displacement of 0 is "-"
#	ADDRESS FUNCTION MEMBER KIND USE PRECISION CHOSEN
#	                                        shadows; FUNCTION is the address of the function
#	                                        that holds it
#	ADDRESS                                 functions, ascending
#	ADDRESS FILE:LINE                       rows by address; the last row of an address counts;
#	                                        "-" ends a table
#	ADDRESS INSTRUCTION...                  by address
#
# Prints a line for each instruction, CLASS USE ADDRESS FILE:LINE MEMBER. USE is load, store or rmw,
# CLASS the first of
#   found       it is a shadow of this member
#   uncounted   it has a label of this member, which does not count for the kind of its access
#   other       all its labels are of other members
#   stack       its base is the stack pointer: the save of a register has the place of the statement
#               around it
#   split       it is the store of a read-modify-write of the member whose load in this function is
#               the shadow: one execution is one hit
#   left        none of these

FNR == 1 { input++ }

input == 1 {
	at[$1, $2] = at[$1, $2] " " $3 ":" $4
	next
}
input == 2 {
	if ($7 == "own" && $6 != "line") {
		chosen[$1, $3] = 1
		if ($4 == "rmw" && $5 == "load")
			split_in[$2, $3] = 1
	}
	if ($6 == "exact") {
		labelled[$1] = 1
		label_of[$1, $3] = 1
	}
	next
}
input == 3 {
	functions[++nr_functions] = $1
	next
}
input == 4 {
	nr_rows++
	row_address[nr_rows] = $1
	row_place[nr_rows] = $2
	next
}

# Returns what an instruction does with its memory operand: load, store, rmw or "".
function use_of(text, operand,   name) {
	sub(/^((lock|rep|repz|repnz|cs|ds|notrack|bnd|data16) )+/, "", text)
	name = text
	sub(/ .*/, "", name)
	if (name ~ /^(lea|nop|prefetch|invlpg|clflush|cl|endbr|f|verw|l[gi]dt|s[gi]dt)/)
		return ""
	if (index(text, operand) + length(operand) <= length(text) ||
	    name ~ /^(cmp[bwlq]?$|test|push|call|jmp|mul|div|idiv|imul|bt[wlq]?$)/)
		return "load"
	return name ~ /^(mov|set|pop|st)/ ? "store" : "rmw"
}

function fits(kind, use) {
	return kind == "get" ? use != "store" : kind ~ /^(set|rmw|init)$/ && use != "load"
}

input == 5 {
	while (row < nr_rows && row_address[row + 1] <= $1)
		row++
	while (function_at < nr_functions && functions[function_at + 1] <= $1)
		function_at++
	if (row_place[row] == "-" || !match($0, /[ ,*:]-?(0x[0-9a-f]+)?\(%[a-z0-9]+[,)]/) ||
	    substr($0, RSTART, 1) == ":")
		next
	operand = substr($0, RSTART + 1)
	sub(/\).*/, ")", operand)
	if (operand ~ /%rip/)
		next
	displacement = operand
	sub(/\(.*/, "", displacement)
	if (displacement == "" || displacement == "0x0")
		displacement = "-"
	if (!((row_place[row], displacement) in at))
		next
	text = $0
	sub(/^[^ ]* */, "", text)
	sub(/ *[<#].*/, "", text)
	sub(/ +$/, "", text)
	use = use_of(text, operand)
	n = split(at[row_place[row], displacement], list, " ")
	split("", seen)
	for (i = 1; i <= n && use != ""; i++) {
		split(list[i], part, ":")
		if ((part[1] in seen) || !fits(part[2], use))
			continue
		seen[part[1]] = 1
		class = "left"
		if (($1, part[1]) in chosen)
			class = "found"
		else if (($1, part[1]) in label_of)
			class = "uncounted"
		else if ($1 in labelled)
			class = "other"
		else if (operand ~ /\(%rsp/)
			class = "stack"
		else if (use == "store" && (functions[function_at], part[1]) in split_in)
			class = "split"
		print class, use, $1, row_place[row], part[1]
	}
}
