# SPDX-License-Identifier: GPL-2.0-or-later
#
# Checks what the database has of one file's accesses against the file's object. Reads libclang's
# lines (the layouts of structs), those of places.awk (which function is inlined into which) and, of
# each get, set, read-modify-write and call in the file, STATE MEMBER FUNCTION SYMBOL BY-MEMBER
# BY-FUNCTION LABELS, separated by bars. STATE: it is exact, coalesced with a servant that the
# database names, has another fate, or neither. If it is coalesced: the function that the servant's
# instruction is in, the servant's member and function, and how many shadows the servant has there.
# Prints lines for report.awk.
#
# The servant must be an access to the same member, or, of `p->m.part`, to the part of m. Its
# instruction must be in the function of the access's source, in the emitted function, or in one
# that the access's function was inlined into.
BEGIN { FS = "[ |]" }
function plain(name) { sub(/\..*/, "", name); return name }
function head(name) { sub(/\..*/, "", name); return name }
function is_same_or_part(by, member) {
	return by == member || ((type_of[member], head(by)) in contains)
}
$1 == "part" {
	contains[$2, $6] = 1
	if (!(($2 "." $7) in type_of))
		type_of[$2 "." $7] = $6
	next
}
$1 == "member" || $1 == "init" { next }
$1 == "inlined" { into[$2, $3] = 1; next }
$1 == "symbol" || $1 == "variable" || $1 == "local" || $1 == "holds" || $1 == "frame" { next }
{
	n["point:" $1]++
	if ($1 != "coalesced")
		next
	if (is_same_or_part($5, $2) && $7 > 0 &&
	    ($6 == $3 || plain($4) == $3 || ($3, plain($4)) in into))
		n["point:right"]++
	else
		print "difference coalesced", $0
}
END {
	for (name in n)
		print "count", name, n[name]
}
