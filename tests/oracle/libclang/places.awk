# SPDX-License-Identifier: GPL-2.0-or-later
#
# Finds where the variables of an object are, by the compiler's DWARF. Reads `objdump -t`, `readelf
# --debug-dump=info`, `readelf --debug-dump=loc` and `readelf --debug-dump=frames-interp` of the
# object, in this order, and prints for exact.awk
#
#   inlined NAME INTO
#   symbol SECTION VALUE SIZE NAME               of functions and variables; the section is *UND*
#                                                if another object defines the symbol
#   variable NAME STRUCT                         of file scope
#   local FUNCTION BASE OFFSET STRUCT            a variable in the frame, or the target of a pointer
#                                                to the frame; OFFSET counts from `cfa`, the
#                                                canonical frame address, or from a register's value
#   holds FUNCTION FROM TO REGISTER ADD STRUCT   between two addresses, REGISTER + ADD is a pointer
#                                                to a STRUCT
#   frame FROM TO AT REGISTER OFFSET             in the function FROM to TO, from AT on, REGISTER +
#                                                OFFSET is the canonical frame address
#
# A struct without a name is @SIZE. Addresses count from their section, in hexadecimal without
# leading zeros; functions are named without the suffixes of clones.

function plain(name) { sub(/\..*/, "", name); return name }
function bare(digits) { sub(/^(0x)?0*/, "", digits); return digits == "" ? "0" : digits }
function reference(word) { gsub(/[<>]|0x/, "", word); return word }
function name_of(die) {
	return die in name ? name[die] : die in origin ? name_of(origin[die]) : "-"
}
function type_of(die) { return die in type ? type[die] : die in origin ? type_of(origin[die]) : "" }

# Returns the struct that a type is, or is an array of; "-" if it is none. A struct without a tag
# gets the name of its typedef.
function struct_of(die,   alias) {
	alias = "-"
	while (die != "" && tag[die] ~ /typedef|const|volatile|restrict|atomic|array/) {
		if (tag[die] ~ /typedef/)
			alias = name[die]
		die = type[die]
	}
	if (die == "" || tag[die] !~ /structure|union/)
		return "-"
	return die in name ? name[die] : alias != "-" ? alias : "@" size[die]
}
function pointee_of(die) {
	while (die != "" && tag[die] ~ /typedef|const|volatile|restrict|atomic/)
		die = type[die]
	return die != "" && tag[die] ~ /pointer/ ? struct_of(type[die]) : "-"
}

# Prints one location of one variable, which holds between the addresses @from and @to, or
# everywhere if they are "".
function locate(die, function_name, from, to, words,   part, struct) {
	if (words ~ /^\(DW_OP_fbreg: -?[0-9]+\)$/) {
		split(words, part, /[ )]/)
		if ((struct = struct_of(type_of(die))) != "-")
			once("local " function_name " cfa " part[2] " " struct)
	} else if (words ~ /^\(DW_OP_fbreg: -?[0-9]+; DW_OP_stack_value\)$/) {
		split(words, part, /[ ;]/)
		if ((struct = pointee_of(type_of(die))) != "-")
			once("local " function_name " cfa " part[2] " " struct)
	} else if (words ~ /^\(DW_OP_breg[67] \(r[sb]p\): -?[0-9]+\)$/) {
		split(words, part, /[()]+|: /)
		if ((struct = struct_of(type_of(die))) != "-")
			once("local " function_name " " part[3] " " part[5] " " struct)
	} else if (from != "" && (struct = pointee_of(type_of(die))) != "-") {
		if (words ~ /^\(DW_OP_reg[0-9]+ \([a-z0-9]+\)\)$/) {
			split(words, part, /[()]/)
			once("holds " function_name " " bare(from) " " bare(to) " " part[3] " 0 " \
				struct)
		} else if (words ~ \
			   /^\(DW_OP_breg[0-9]+ \([a-z0-9]+\): -?[0-9]+; DW_OP_stack_value\)$/) {
			split(words, part, /[()]|: |;/)
			once("holds " function_name " " bare(from) " " bare(to) " " part[3] " " \
				part[5] " " struct)
		}
	}
}
function once(line) {
	if (!(line in printed)) {
		printed[line] = 1
		print line
	}
}

FNR == 1 { input++ }

input == 1 && split($0, part, "\t") == 2 {
	split(part[2], last, " ")
	print "symbol", substr(part[1], 26), bare(substr(part[1], 1, 16)), bare(last[1]), $NF
	next
}

input == 2 && /^ *<[0-9a-f]+><[0-9a-f]+>: Abbrev Number: [0-9]+ \(/ {
	split($1, part, /[<>]+/)
	die = part[3]
	tag[die] = $NF
	if (part[2] == 1)
		top = $NF == "(DW_TAG_subprogram)" ? die : ""
	next
}
input == 2 && /DW_AT_name / { name[die] = $NF; next }
input == 2 && /DW_AT_type / { type[die] = reference($NF); next }
input == 2 && /DW_AT_byte_size/ { size[die] = $NF; next }
input == 2 && /DW_AT_(abstract_origin|specification)/ {
	origin[die] = reference($NF)
	if (tag[die] == "(DW_TAG_inlined_subroutine)" && top != "")
		into[origin[die], top] = 1
	next
}
input == 2 && /DW_AT_location / && tag[die] ~ /variable|formal_parameter/ {
	where[die] = top
	if ($NF == "list)")
		owners[bare($4)] = owners[bare($4)] " " die
	else if (match($0, /\(DW_OP.*\)/))
		fixed[die] = substr($0, RSTART, RLENGTH)
	next
}
input == 2 && /DW_AT_external/ && tag[die] ~ /variable/ && top == "" { where[die] = ""; next }

# All of the second input was read, so all types are known.
input == 3 && FNR == 1 {
	for (die in where) {
		if (die in fixed && where[die] != "")
			locate(die, plain(name_of(where[die])), "", "", fixed[die])
		if (!(die in fixed) || fixed[die] ~ /DW_OP_addr/)
			if ((struct = struct_of(type_of(die))) != "-")
				once("variable " name_of(die) " " struct)
	}
	for (pair in into) {
		split(pair, part, SUBSEP)
		once("inlined " name_of(part[1]) " " name_of(part[2]))
	}
}
# A list of locations begins at the offset to which an attribute refers. Each entry has its
# addresses, then a location.
input == 3 && $1 ~ /^[0-9a-f]+$/ && $2 ~ /^v?[0-9a-f]+$/ && bare($1) in owners {
	current = owners[bare($1)]
}
input == 3 && /<End of list>/ { current = ""; next }
input == 3 && /\(DW_OP/ && current != "" {
	match($0, /\(DW_OP.*/)
	words = substr($0, RSTART)
	n = split(substr($0, 1, RSTART - 1), part, " ")
	count = split(current, list, " ")
	for (i = 1; i <= count; i++)
		if (where[list[i]] != "")
			locate(list[i], plain(name_of(where[list[i]])), part[n - 1], part[n], words)
	next
}

# A function without rows of its own has the row of its CIE.
input == 4 && / FDE / {
	split($NF, part, /=|\.\./)
	fde = bare(part[2]) " " bare(part[3])
	print "frame", fde, bare(part[2]), common
	next
}
input == 4 && / CIE / { fde = ""; next }
input == 4 && $2 ~ /^[a-z0-9]+[+-][0-9]+$/ {
	match($2, /[+-]/)
	sign = substr($2, RSTART, 1) == "-" ? "-" : ""
	rule = substr($2, 1, RSTART - 1) " " sign substr($2, RSTART + 1)
	if (fde == "")
		common = rule
	else
		print "frame", fde, bare($1), rule
}
# A frame address that an expression computes is taken for unknown.
input == 4 && fde != "" && $2 == "exp" { print "frame", fde, bare($1), "- 0" }
