# SPDX-License-Identifier: GPL-2.0-or-later
#
# Finds a module's indirect branches, and its functions whose address is taken. Reads, one after the
# other, the output of `readelf -SW`, `readelf -sW`, `readelf -rW` and
# `objdump -d --no-show-raw-insn`. Prints, separated by tabs:
#	branch SECTION ADDRESS FUNCTION KIND	KIND: pointer, thunk or paravirt
#	taken FUNCTION STATE BY			STATE: endbr, sealed or none; BY: a section that
#						has the address
# Not counted as taking an address: sections that the kernel reads and never branches by.

function hex(digits,   i, value) {
	value = 0
	digits = tolower(digits)
	for (i = 1; i <= length(digits); i++)
		value = value * 16 + index("0123456789abcdef", substr(digits, i, 1)) - 1
	return value
}

# Notes a taken address, if the target of the relocation at @place, plus @more bytes, is a function.
function take(place, more, by,   symbol, at) {
	symbol = symbol_of[place]
	if (!(symbol in section_of))
		return
	at = section_of[symbol] SUBSEP value_of[symbol] + addend_of[place] + more
	if (at in function_at)
		taken[at] = by
}

# Ends the instruction that was read last. Called at the next line, which shows where the
# instruction ends.
function end_instruction(end,   at, place, kind, branches) {
	if (text == "")
		return
	branches = text ~ /^(bnd |notrack )*(call|jmp|j[a-z]+)/
	kind = branches && text ~ /(call|jmp)[a-z]* +\*/ ? "pointer" : ""
	for (at = start + 1; at < end; at++) {
		place = section SUBSEP at
		if (!(place in symbol_of))
			continue
		if (branches && name_of[symbol_of[place]] ~ /^__x86_indirect_.*thunk/)
			kind = "thunk"
		else if (kind == "pointer" && name_of[symbol_of[place]] ~ /^pv_ops/)
			kind = "paravirt"
		else if (type_of[place] == "R_X86_64_32S" || type_of[place] == "R_X86_64_64")
			take(place, 0, section)
		else if (text ~ /^lea/)
			take(place, 4, section)
	}
	if (kind != "")
		printf "branch\t%s\t0x%x\t%s\t%s\n", section, start, in_function, kind
	text = ""
}

/^Section Headers:/ { part = "sections" }
/^Symbol table/ { part = "symbols" }
/^Relocation section/ {
	part = "relocations"
	section = $3
	gsub(/^'\.rela|'$/, "", section)
}
/^Disassembly of section/ {
	end_instruction(start + 16)
	part = "code"
	section = $4
	sub(/:$/, "", section)
	next
}

part == "sections" && /^ *\[ *[0-9]+\]/ {
	sub(/^ *\[ */, "")
	sub(/\]/, "")
	section_name[$1] = $2
}

part == "symbols" && $1 ~ /^[0-9]+:$/ {
	number = $1 + 0
	name_of[number] = $8
	if (!($7 in section_name))
		next
	section_of[number] = section_name[$7]
	value_of[number] = hex($2)
	if ($4 == "FUNC")
		function_at[section_of[number] SUBSEP value_of[number]] = $8
}

part == "relocations" && $3 ~ /^R_X86_64_/ {
	place = section SUBSEP hex($1)
	symbol_of[place] = hex(substr($2, 1, 8))
	type_of[place] = $3
	addend_of[place] = hex($NF) * ($(NF - 1) == "-" ? -1 : 1)
	if (section == ".ibt_endbr_seal")
		sealed[section_of[symbol_of[place]] SUBSEP \
			value_of[symbol_of[place]] + addend_of[place]] = 1
	else if ($3 == "R_X86_64_64" &&
		 section !~ /^\.(debug|discard|orc|eh_frame|altinstr|static_call)/ &&
		 section !~ /^(_kprobe_blacklist|__mcount_loc|__patchable)/)
		take(place, 0, section)
}

part == "code" && /^[0-9a-f]+ <.*>:$/ {
	end_instruction(hex($1))
	in_function = substr($2, 2, length($2) - 3)
}

part == "code" && /^ *[0-9a-f]+:\t/ {
	split($0, field, "\t")
	gsub(/[ :]/, "", field[1])
	end_instruction(hex(field[1]))
	start = hex(field[1])
	text = field[2]
	if (text ~ /^endbr64/)
		lands[section SUBSEP start] = 1
}

END {
	end_instruction(start + 16)
	for (at in taken)
		printf "taken\t%s\t%s\t%s\n", function_at[at], !(at in lands) ? "none" : \
			at in sealed ? "sealed" : "endbr", taken[at]
}
