# SPDX-License-Identifier: GPL-2.0-or-later
#
# What the database says of one file's accesses, against its object: reads places.awk's lines (which
# function is inlined into which) and, of each get, set, read-modify-write and call in the file,
# STATE MEMBER FUNCTION SYMBOL BY-MEMBER BY-FUNCTION LABELS separated by bars: whether it is exact,
# served by an instruction that is named, has another fate, or neither; and of the one that serves
# it the function it lies in, the member and the function of the access whose instruction it is, and
# how many shadows that has there. Prints lines for report.awk.
#
# What serves an access has to be an instruction for the same member, in the function of its source,
# or in the emitted one, or in one that it was inlined into.
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
