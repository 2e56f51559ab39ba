# SPDX-License-Identifier: GPL-2.0-or-later
#
# Compares what the database has of accesses with the syntax trees. Inputs in this order:
# errors.txt, the joinpoints (dump.sh), the trees' lines (ast.c, sorted, each once). Variables:
# ALL=1 if every file was read, otherwise FILES names the files; DETAILS=1 prints every difference.
# Prints
#
#	figure NAME GOOD ALL       for report.awk
#	count NAME NUMBER
#	difference CLASS FILE:LINE STRUCT.MEMBER ...
#	derived JOINPOINT KIND ... the derived accesses, whose instructions machine.c looks at
#
# A place is where an access is and where it is spelled, with columns; a line is its file and line.
# Precision is computed only over what was read: the joinpoints of FILES, or all.

function op_kind(name) {
	sub(/^=/, "", name)
	# An operation that also takes a lock, or runs a list of notifiers, is a function and no
	# operator.
	if (name !~ ops || name ~ /_and_(mutex_|rtnl_)?lock(_irqsave)?$/ ||
	    name ~ /notifier|refcount_dec_(not|if)_one/)
		return ""
	if (name ~ /^(arch_|raw_)?(atomic(64|_long)?_read|refcount_read|kref_read)(_acquire)?$/)
		return "get"
	if (name ~ /(^|_)test_bit(_acquire)?$|^const_test_bit$|^static_key_count$/)
		return "get"
	if (name ~ /^(arch_|raw_)?(atomic(64|_long)?_set|refcount_set)(_release)?$|^kref_init$/)
		return "set"
	if (name ~ /^(__ai_ptr|__ai_oldp)$|xchg/)
		return "set rmw get"
	return "rmw"
}
function has(list, word) { return index(" " list " ", " " word " ") }
function add(list, key, word) {
	if (!has(list[key], word))
		list[key] = list[key] == "" ? word : list[key] " " word
}
# Returns whether errors.txt has the difference, which then counts in the raw figures only.
function excused(class, line, what) {
	if (!((class, line, what) in errors))
		return 0
	used[class, line, what] = 1
	return 1
}
function differ(class, line, what, detail) {
	n["diff:" class]++
	if (excused(class, line, what))
		n["excused:" class]++
	else if (DETAILS)
		print "difference", class, line, what, detail
}
# Returns whether the kinds that the database and the trees have of accesses at one location agree.
# "asm" stands for any kind that an asm can have. Besides the address of a member, the database may
# have the accesses that are done through the address.
function agree(ours, theirs,   o, t, i, k, m) {
	m = split(theirs, t, " ")
	for (i = 1; i <= m; i++) {
		if (t[i] == "asm" ? ours !~ /(get|set|rmw)/ : !has(ours, t[i]))
			return 0
	}
	k = split(ours, o, " ")
	for (i = 1; i <= k; i++) {
		if (has(theirs, o[i]) || o[i] == "init")
			continue
		if (o[i] ~ /^(get|set|rmw)$/ && (has(theirs, "asm") || has(theirs, "address")))
			continue
		return 0
	}
	return 1
}

BEGIN {
	split(FILES, few, " ")
	for (i in few)
		is_read[few[i]] = 1
	ops = "^(arch_|raw_)?(atomic|atomic64|atomic_long|refcount)_[a-z_]+$|" \
		"^_*(const_|arch_|generic_)*_*(test_and_)?(set|clear|change|test)_bit" \
		"(_lock|_unlock|_acquire)?$|^__ai_(ptr|oldp)$|^(arch_)?(cmp)?xchg|" \
		"^kref_(get|read|init)"
}
FNR == 1 { input++ }

input == 1 {
	if ($0 ~ /^[a-z]/)
		errors[$1, $2, $3] = 1
	next
}

input == 2 {
	joinpoints++
	line = $6 ":" $7
	what = $2 "." $3
	if ($4 == "init") {
		init_at[line, what] = 1
		inits[++nr_inits] = line SUBSEP what
		init_file[nr_inits] = $6
		next
	}
	place = line ":" $8 SUBSEP $9 ":" $10 ":" $11 SUBSEP what
	add(ours, place, $4)
	add(ours_line, line SUBSEP what, $4)
	if ($13 == "exact") {
		exact[place, $4] = 1
		exact_line[line, what, $4] = 1
	}
	told[place, $4] = told[place, $4] $13 " " $14 " "
	told_line[line, what, $4] = told_line[line, what, $4] $13 " " $14 " "
	id_of[line, what, $4] = $1
	if (ALL || ($6 in is_read)) {
		ours_list[++nr_ours] = line SUBSEP what
		ours_kind[nr_ours] = $4
	}
	next
}

$1 == "a" {
	line = $3 ":" $4
	what = $9 "." $10
	place = line ":" $5 SUBSEP $6 ":" $7 ":" $8 SUBSEP what
	known[line, what] = 1
	if ($12 == "dead")
		next
	if ($12 == "live" && !(place in is_live)) {
		is_live[place] = 1
		live[++nr_live] = place
		live_line[nr_live] = line
		live_what[nr_live] = what
	}
	add(theirs, place, $2)
	if ($11 != "-")
		in_function[place] = $11
	if ($2 == "address" && (kind = op_kind($15)) != "" && $11 != "-") {
		if (!(place in op)) {
			op[place] = ++nr_ops
			op_line[nr_ops] = line
			op_what[nr_ops] = what
			op_kinds[nr_ops] = kind
		}
		# The compiler takes either test_bit() or const_test_bit(); the other one is dead.
		add(op_names, op[place], $15)
		if ($12 == "live" || $15 ~ /const_test_bit/)
			op_live[op[place]] = 1
	}
	next
}
$1 == "i" {
	for (l = $3; l <= $4 && l < $3 + 3000; l++)
		known_init[$2 ":" l, $5 "." $6] = 1
	if ($8 == "live" && !(($2, $3, $4, $5, $6, $7) in seen_init)) {
		seen_init[$2, $3, $4, $5, $6, $7] = 1
		t_init[++nr_t_init] = $2 SUBSEP $3 SUBSEP $4 SUBSEP $5 "." $6
	}
}

function judge_recall(   i, found, key) {
	for (i = 1; i <= nr_live; i++) {
		key = live_line[i] SUBSEP live_what[i]
		if (live[i] in ours) {
			found++
			n["place:same"]++
		} else if (key in ours_line) {
			found++
			n["place:line"]++
		} else {
			differ("missing", live_line[i], live_what[i], theirs[live[i]] " " \
				in_function[live[i]])
		}
	}
	print "figure recall-raw", found + 0, nr_live
	print "figure recall", found + 0, nr_live - n["excused:missing"]
	print "figure columns", n["place:same"] + 0, found + 0
}
function judge_precision(   i, found, split_key) {
	for (i = 1; i <= nr_ours; i++) {
		split(ours_list[i], split_key, SUBSEP)
		if (ours_list[i] in known)
			found++
		else
			differ("extra", split_key[1], split_key[2], ours_kind[i])
	}
	print "figure precision-raw", found + 0, nr_ours
	print "figure precision", found + 0, nr_ours - n["excused:extra"]
}
function judge_kinds(   i, same, all) {
	for (i = 1; i <= nr_live; i++) {
		if (!(live[i] in ours))
			continue
		all++
		if (agree(ours[live[i]], theirs[live[i]]))
			same++
		else
			differ("kind", live_line[i], live_what[i], "tree: " theirs[live[i]] \
				"; database: " ours[live[i]])
	}
	print "figure kinds-raw", same + 0, all + 0
	print "figure kinds", same + 0, all - n["excused:kind"]
}
# Counts, of each kind of access of the trees, how many are exact in the database; and of all but
# addresses, for how many the database has an instruction or a fate.
function judge_exact(   i, k, m, kinds, all, good, kind, tale, total, total_good, told_all) {
	for (i = 1; i <= nr_live; i++) {
		if (!(live[i] in in_function))
			continue
		m = split(theirs[live[i]], kinds, " ")
		for (k = 1; k <= m; k++) {
			kind = kinds[k]
			if (kind == "asm")
				continue
			all[kind]++
			if (live[i] in ours) {
				good[kind] += ((live[i], kind) in exact)
				tale = told[live[i], kind]
			} else {
				good[kind] += ((live_line[i], live_what[i], kind) in exact_line)
				tale = told_line[live_line[i], live_what[i], kind]
			}
			if (kind == "address")
				continue
			told_all++
			if (tale ~ /exact/)
				n["told:exact"]++
			else if (tale ~ /operand/)
				n["told:operand"]++
			else if (match(tale, /fate-[a-z]+/))
				n["told:" substr(tale, RSTART, RLENGTH)]++
			else if (tale ~ /column|line/)
				n["told:line-or-column"]++
			else
				n["told:nothing"]++
		}
	}
	for (kind in all) {
		print "figure exact-" kind, good[kind] + 0, all[kind]
		if (kind != "address") {
			total += all[kind]
			total_good += good[kind]
		}
	}
	print "figure exact", total_good + 0, total + 0
	print "figure told", told_all - n["told:nothing"] - n["told:line-or-column"], told_all + 0
}
function judge_operations(   i, k, m, kinds, good, any, wrong, key, all) {
	for (i = 1; i <= nr_ops; i++) {
		if (!(i in op_live))
			continue
		all++
		any = 0
		m = split("get set rmw", kinds, " ")
		for (k = 1; k <= m; k++) {
			key = op_line[i] SUBSEP op_what[i] SUBSEP kinds[k]
			if (!(key in exact_line))
				continue
			if (!has(op_kinds[i], kinds[k])) {
				wrong++
				continue
			}
			any = 1
			if (!(key in shown)) {
				shown[key] = 1
				print "derived", id_of[key], kinds[k], op_line[i], op_what[i]
			}
		}
		good += any
		if (!any && DETAILS)
			print "difference operation", op_line[i], op_what[i], op_names[i], \
				op_kinds[i]
	}
	print "figure operations", good + 0, all + 0
	print "count operations-of-another-kind", wrong + 0
}
function judge_inits(   i, l, part, found, good) {
	for (i = 1; i <= nr_t_init; i++) {
		split(t_init[i], part, SUBSEP)
		for (l = part[2]; l <= part[3]; l++)
			if ((part[1] ":" l, part[4]) in init_at)
				break
		if (l <= part[3])
			found++
		else
			differ("missing-init", part[1] ":" part[2], part[4], "")
	}
	print "figure inits", found + 0, nr_t_init - n["excused:missing-init"]
	for (i = 1; i <= nr_inits; i++) {
		if (!ALL && !(init_file[i] in is_read))
			continue
		split(inits[i], part, SUBSEP)
		n["inits-asked"]++
		if (inits[i] in known_init)
			good++
		else
			differ("extra-init", part[1], part[2], "")
	}
	print "figure inits-precision", good + 0, n["inits-asked"] - n["excused:extra-init"]
}
END {
	judge_recall()
	judge_precision()
	judge_kinds()
	judge_exact()
	judge_operations()
	judge_inits()
	for (key in errors)
		if (!(key in used))
			n["errors-unused"]++
	for (key in n)
		print "count", key, n[key]
}
