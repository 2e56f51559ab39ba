# SPDX-License-Identifier: GPL-2.0-or-later
#
# Which functions are inlined into which, by DWARF: reads `readelf --debug-dump=info OBJECT` and prints "inlined NAME INTO" lines.

/^ *<[0-9a-f]+><[0-9a-f]+>: Abbrev Number: [0-9]+ \(/ {
	split($1, part, /[<>]+/)
	tag = $NF
	die = ""
	if (part[2] == 1)
		top = tag == "(DW_TAG_subprogram)" ? part[3] : ""
	if (tag == "(DW_TAG_subprogram)" || tag == "(DW_TAG_inlined_subroutine)")
		die = part[3]
	next
}
die == "" { next }
/DW_AT_name/ { name[die] = $NF }
/DW_AT_abstract_origin/ {
	at = $NF
	gsub(/[<>]|0x/, "", at)
	origin[die] = at
	if (tag == "(DW_TAG_inlined_subroutine)" && top != "")
		into[at, top] = 1
}

function name_of(die) { return die in name ? name[die] : die in origin ? name_of(origin[die]) : "-" }

END {
	for (pair in into) {
		split(pair, part, SUBSEP)
		print "inlined", name_of(part[1]), name_of(part[2])
	}
}
