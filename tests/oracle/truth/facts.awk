# SPDX-License-Identifier: GPL-2.0-or-later
#
# Prints the FACTS for machine.c. Inputs in this order: judge.awk's output, the joinpoints, the
# syntax trees' lines, the shadows and the fates (dump.sh). The bytes of a joinpoint are printed
# only if they are beyond doubt: not if the trees have its member twice at its place, at different
# bytes.

function bytes(first, size) {
	return int(first / 8) " " int((first + size - 1) / 8) - int(first / 8) + 1
}
FNR == 1 { input++ }
input == 1 && $1 == "derived" { print "derived", $2, $3; next }
input == 1 { next }
input == 2 {
	place[$1] = $6 ":" $7 ":" $8 " " $9 ":" $10 ":" $11 " " $2 "." $3
	line[$1] = $6 ":" $7
	what[$1] = $2 "." $3
	kind[$1] = $4
	next
}
input == 3 && $1 == "a" && $14 > 0 {
	key = $3 ":" $4 ":" $5 " " $6 ":" $7 ":" $8 " " $9 "." $10
	span = bytes($13, $14)
	if (!(key in bits))
		bits[key] = span
	else if (bits[key] != span)
		bits[key] = "-"
	if ($12 != "dead" && $11 != "-") {
		tree = "tree " $3 ":" $4 " " span " " ($2 == "asm" ? "xasm" : $2) " " $9 "." $10
		if (!(tree in seen)) {
			seen[tree] = 1
			print tree
		}
	}
	next
}
input == 4 {
	if (!started) {
		started = 1
		for (id in place)
			if (place[id] in bits && bits[place[id]] != "-")
				print "member", id, bits[place[id]], what[id]
	}
	if ($3 && $4 == "exact" && kind[$2] ~ /^(get|set|rmw)$/ && $5 ~ /^(load|store|rmw)$/)
		print "shadow", $1, $2, $5
	else if ($3 || $4 == "exact")
		print "label", $1
	next
}
input == 5 {
	if ($2 == "coalesced" && $3 >= 0)
		print "servant", $1, $3, kind[$1] == "get" && $4 == "rmw" ? "new" : "any"
	else if ($2 ~ /^(dead|registers|constant)$/)
		print "gone", $1, line[$1]
}
