# SPDX-License-Identifier: GPL-2.0-or-later
#
# Checks pointcuts against the disassembly. Inputs in this order: pointcuts.txt, the joinpoints and
# the shadows (dump.sh), machine.c's output. An instruction must be a shadow of STRUCT.MEMBER if all
# of this holds: it accesses memory through a pointer with the member's displacement and width; it
# does what a kind of the pointcut does; by the syntax trees, no other member is accessed so in its
# line or in the line of a call that was inlined around it. Prints the instructions that are none, a
# line for each pointcut, and the figure of all.
FNR == 1 { input++ }
input == 1 {
	if ($1 ~ /^#/)
		next
	name[++nr] = $1 "." $2
	kinds[$1 "." $2] = $3
	next
}
input == 2 {
	if ($2 "." $3 in kinds && $4 ~ "^(" kinds[$2 "." $3] ")$")
		field[$1] = $2 "." $3
	next
}
input == 3 {
	if ($2 in field && $3) {
		if ($4 == "exact" || $4 == "operand")
			shadow[field[$2], $1] = 1
		else
			vague[field[$2]]++
	}
	next
}
$1 != "memory" { next }
{
	# Members that contain the wanted member, or are contained in it, do not count as other
	# members.
	n = split($8, list, ",")
	$8 = ""
	for (i = 1; i <= n; i++) {
		if (list[i] ~ /^(atomic_t|atomic64_t)\.counter$|^refcount_struct\.refs$/ ||
		    list[i] == "sock.__sk_common")
			continue
		$8 = $8 == "" ? list[i] : "several"
	}
	if (!($8 in kinds))
		next
	if ($5 == "load" ? kinds[$8] !~ /get/ : kinds[$8] !~ /set|rmw/)
		next
	all[$8]++
	total++
	if (($8, $9) in shadow) {
		good[$8]++
		total_good++
	} else {
		print "difference pointcut", $8, $2, $5, $10
	}
}
END {
	for (i = 1; i <= nr; i++)
		printf "pointcut %-24s %-11s found %d of %d; %d shadows by line or column\n", \
			name[i], kinds[name[i]], good[name[i]], all[name[i]], vague[name[i]]
	print "figure pointcuts", total_good + 0, total + 0
}
