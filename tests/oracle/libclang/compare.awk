# SPDX-License-Identifier: GPL-2.0-or-later
#
# Compares one file's joinpoint table (table-dump) with libclang's list of accesses in the same
# source (members). Inputs in this order: libclang's lines, the dump. Prints lines for report.awk:
#
#	count NAME NUMBER
#	difference CLASS PLACE MEMBER DETAIL
#
# An access is (file, line, member). In headers, only functions of which the table has an access are
# compared: the table leaves out functions that are not in the object. Kinds are compared only where
# both have the access at the same operator.

function leaf(name) { sub(/.*\./, "", name); return name }
function add(list, key, kind) {
	if (index(" " list[key] " ", " " kind " ") == 0)
		list[key] = list[key] == "" ? kind : list[key] " " kind
}
function bump(name) { counted[name]++ }
function differ(class, key, detail) {
	bump("class:" class)
	split(key, part, SUBSEP)
	print "difference", class, part[1], part[2], detail
}
# Returns whether two sets of kinds agree; one location may have several accesses. "asm" agrees with
# any kind that an asm can have. Besides "address", the table may also have what an inlined function
# does through that address.
function agree(ours, theirs,   o, t, n, m, i, j, hit) {
	n = split(ours, o, " ")
	m = split(theirs, t, " ")
	for (i = 1; i <= n; i++) {
		hit = o[i] ~ /^(get|set|rmw)$/ && (" " theirs " ") ~ / address /
		for (j = 1; j <= m; j++)
			hit = hit || o[i] == t[j] || (t[j] == "asm" && o[i] ~ /^(get|set|rmw)$/)
		if (!hit)
			return 0
	}
	for (j = 1; j <= m; j++) {
		hit = 0
		for (i = 1; i <= n; i++)
			hit = hit || o[i] == t[j] || (t[j] == "asm" && o[i] ~ /^(get|set|rmw)$/)
		if (!hit)
			return 0
	}
	return 1
}

FNR == 1 { input++ }

input == 1 && $1 == "member" {
	n++
	o_kind[n] = $2; o_at[n] = $3; o_spelled[n] = $4
	o_member[n] = $5; o_function[n] = $6; o_code[n] = $7
	next
}
input == 1 && $1 == "init" {
	split($2, at, ":")
	inits++
	i_file[inits] = at[1]; i_first[inits] = at[2]; i_last[inits] = at[3]; i_member[inits] = $3
	i_function[inits] = $4
	next
}

input == 2 && $1 == "unit" { main = $3; next }
input == 2 && $1 == "access" {
	member = leaf($4)
	split($8, at, ":")
	file = at[1]; line = at[2]
	if ($7 != "-")
		have_function[file, $7] = 1
	if ($3 == "init") {
		ours_init[file, line, member] = 1
		next
	}
	key = file ":" line SUBSEP member
	if (!(key in ours))
		ours_list[++nr_ours] = key
	add(ours, key, $3)
	add(ours_at, key SUBSEP (NF >= 10 ? $10 : $8), $3)
	in_macro[key] = in_macro[key] " " (NF >= 10 ? $9 : "-")
	of_function[key] = $7
	next
}

END {
	for (i = 1; i <= n; i++) {
		split(o_at[i], at, ":")
		key = o_at[i] SUBSEP o_member[i]
		known[key] = 1
		if (at[1] != main && !((at[1], o_function[i]) in have_function))
			continue
		if (!(key in theirs))
			theirs_list[++nr_theirs] = key
		add(theirs, key, o_kind[i])
		add(theirs_at, key SUBSEP o_spelled[i], o_kind[i])
		spelled[key] = o_spelled[i]
		where[key] = o_function[i]
		if (o_code[i] == "live")
			live[key] = 1
	}
	for (i = 1; i <= nr_theirs; i++) {
		key = theirs_list[i]
		if (key in ours) {
			bump("recall:found")
		} else if (!(key in live)) {
			differ("missing-in-dead-code", key, where[key])
		} else {
			differ("missing", key, theirs[key] " " spelled[key] " " where[key])
		}
	}
	for (i = 1; i <= nr_ours; i++) {
		key = ours_list[i]
		if (key in known)
			bump("precision:found")
		else
			differ("extra", key, ours[key] " " in_macro[key] " " of_function[key])
	}
	for (place in theirs_at) {
		split(place, part, SUBSEP)
		key = part[1] SUBSEP part[2]
		if (!(place in ours_at)) {
			if (key in ours) {
				bump("place:differs")
				print "difference", "place", part[1], part[2], theirs_at[place],
					"at", part[3], in_macro[key]
			}
			continue
		}
		bump("place:same")
		if (theirs_at[place] ~ /asm/)
			bump("kind:asm")
		if (agree(ours_at[place], theirs_at[place]))
			bump("kind:same")
		else
			differ("kind", key, "theirs " theirs_at[place] ", ours " ours_at[place] \
				" at " part[3])
	}
	for (i = 1; i <= inits; i++) {
		if (i_file[i] != main && !((i_file[i], i_function[i]) in have_function))
			continue
		for (line = i_first[i]; line <= i_last[i]; line++)
			if ((i_file[i], line, i_member[i]) in ours_init)
				break
		if (line <= i_last[i])
			bump("init:found")
		else
			differ("missing-init", i_file[i] ":" i_first[i] SUBSEP i_member[i],
				i_function[i])
	}
	for (name in counted)
		print "count", name, counted[name]
}
