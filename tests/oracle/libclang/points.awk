# SPDX-License-Identifier: GPL-2.0-or-later
#
# Checks what the database has of one file's accesses against the file's object. Reads the lines of
# places.awk (which function is inlined into which) and, of each get, set, read-modify-write and
# call in the file, STATE MEMBER FUNCTION SYMBOL BY-MEMBER BY-FUNCTION LABELS, separated by bars.
# STATE: it is exact, served by an instruction that the database names, has another fate, or
# neither. If it is served: the function that the serving instruction is in, the member and the
# function of the access whose instruction that is, and how many shadows that access has there.
# Prints lines for report.awk.
#
# The serving instruction must be one for the same member, in the function of the access's source,
# in the emitted function, or in one that it was inlined into.
BEGIN { FS = "[ |]" }
function plain(name) { sub(/\..*/, "", name); return name }
$1 == "inlined" { into[$2, $3] = 1; next }
$1 == "symbol" || $1 == "variable" || $1 == "local" || $1 == "holds" || $1 == "frame" { next }
{
	n["point:" $1]++
	if ($1 != "served")
		next
	if ($5 == $2 && $7 > 0 && ($6 == $3 || plain($4) == $3 || ($3, plain($4)) in into))
		n["point:right"]++
	else
		print "difference served", $0
}
END {
	for (name in n)
		print "count", name, n[name]
}
