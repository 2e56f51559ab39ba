# SPDX-License-Identifier: GPL-2.0-or-later
#
# Adds up what compare.awk found in all files, names the causes of the differences, and compares the
# rates with their floors. Variables: files, failed, and the floors (recall, precision, kinds,
# exact, accounted, points, fates, calls, proven_floor, consistent: in hundredths of a per cent).

function rate(good, bad) { return good + bad ? int(10000 * good / (good + bad)) : 0 }
function verdict(name, value, floor) {
	printf "%s %-22s %6.2f %% (floor %.2f %%)\n", (value >= floor ? "ok    " : "FAILED"), name,
		value / 100, floor / 100
	if (value >= floor)
		passed++
	else
		failed++
}
function cause(n, text) {
	if (n)
		printf "  %5d  %s\n", n, text
}

function share(kind) {
	printf "  %5d  of %5d %-8s have an instruction: %.1f %%\n",
		n["exact:" kind], n["source:" kind], kind,
		rate(n["exact:" kind], n["source:" kind] - n["exact:" kind]) / 100
}
function sum(prefix, classes,   count, list, i, total) {
	count = split(classes, list, " ")
	for (i = 1; i <= count; i++)
		total += n[prefix list[i]]
	return total
}
function report_labels(   good, all, coalesced, proven, likely, named, open) {
	share("get")
	share("set")
	share("rmw")
	share("call")
	share("address")
	share("init")
	good = n["exact:get"] + n["exact:set"] + n["exact:rmw"] + n["exact:call"]
	all = n["source:get"] + n["source:set"] + n["source:rmw"] + n["source:call"]
	coalesced = n["coalesced:get"] + n["coalesced:set"] + n["coalesced:rmw"] + \
		n["coalesced:call"]
	cause(coalesced, "gets, sets, read-modify-writes and calls without one count as " \
		"coalesced: another access to their member has one in their function")
	cause(n["not-coalesced:member"], "have none, and nothing in their function has one for " \
		"their member: values in registers, merged with neighbours, or dead")
	cause(n["not-coalesced:function"], "stand in a function of which no label is left: " \
		"inlined and merged with others, or not in the object")
	verdict("exact instructions", rate(good, all - good), exact)
	verdict("exact or coalesced", rate(good + coalesced, all - good - coalesced), accounted)
	if (n["point:exact"]) {
		verdict("points exact/coalesced",
			rate(n["point:exact"] + n["point:coalesced"],
			     n["point:fate"] + n["point:neither"]), points)
		verdict("points with a fate",
			rate(n["point:exact"] + n["point:coalesced"] + n["point:fate"],
			     n["point:neither"]), fates)
		verdict("servants are right",
			rate(n["point:right"], n["point:coalesced"] - n["point:right"]), 10000)
	}
	printf "%d labels\n", n["label:all"]
	cause(n["label:call"], "at calls and jumps")
	cause(n["label:address"], "at instructions that make an address")
	cause(n["operand:fits"], "at operands that touch the member's bytes")
	cause(n["operand:held"],
		"by DWARF the base is a pointer variable whose struct has the member there")
	cause(n["operand:frame"], "by DWARF a local variable with the member there is in the frame")
	cause(n["operand:variable"], "by the relocation a variable with the member there")
	cause(n["operand:definition"], "base was made of a register for which one of these holds")
	cause(n["operand:loaded"], "base was loaded from a labelled member that points to a " \
		"struct with the member there")
	cause(n["operand:embedded"], "base is a struct that the function accesses, which has the " \
		"member's struct at this offset")
	cause(n["operand:overlay"],
		"base is a struct with an array there that the source casts, as skb->cb")
	cause(n["operand:container"], "base points to a part of the member's struct")
	cause(n["operand:sibling"],
		"base points to a part of another struct that the member's struct is in")
	cause(n["operand:element"], "base is a whole number of elements away: an array")
	cause(n["operand:elsewhere"], "base is a struct of the unit that has the member's struct " \
		"at this offset, but which the function accesses nothing of")
	cause(n["operand:after"],
		"the member's struct lies directly after the one that the base points to")
	cause(n["operand:bytes"], "base was loaded from a labelled pointer to bytes, as skb->data")
	cause(n["operand:initialiser"], "stores of an initialiser next to the member")
	cause(n["operand:pair"], "next to the member, where another label of the access is: merged")
	cause(n["operand:copy"],
		"the other side of a copy, of which the access has a label as well")
	cause(n["operand:asm"],
		"at the first instruction of an asm, of which the next one has the member")
	cause(n["operand:registers"], "the user's registers, at the upper end of a task's stack")
	cause(n["operand:protector"], "at the stack guard's load, and the member where weft " \
		"index takes such a label to, after the guard")
	cause(n["operand:symbol"], "not explained: relative to a symbol or segment")
	cause(n["operand:register"], "not explained: implied operands")
	cause(n["operand:unknown"], "not explained: libclang names no such member in the line")
	cause(n["operand:other"], "not explained")
	proven = sum("operand:", proofs)
	likely = sum("operand:", conditions)
	open = n["operand:symbol"] + n["operand:register"] + n["operand:unknown"] + \
		n["operand:other"]
	all = proven + likely + open
	printf "  %.2f %% of these labels with the access of another one would count as proven, " \
		"%.2f %% as explained by a layout\n",
		100 * sum("control:", proofs) / all, 100 * sum("control:", conditions) / all
	verdict("operands proven", rate(proven, likely + open), proven_floor)
	verdict("operands consistent", rate(proven + likely, open), consistent)
	verdict("exact calls", rate(n["exact:call"], n["source:call"] - n["exact:call"]), calls)
	verdict("instruction boundaries",
		rate(n["label:all"] - n["label:between-instructions"],
		     n["label:between-instructions"]), 10000)
	verdict("call labels", rate(n["label:call"], n["label:no-call"]), 10000)
}

BEGIN {
	proofs = "fits held frame variable definition loaded embedded after copy asm registers " \
		"protector"
	conditions = "overlay container sibling element elsewhere bytes initialiser pair"
}
$1 == "count" { n[$2] += $3 }

# Finds the cause of an access that only libclang has ("missing") or only the table has ("extra").
$1 == "difference" && $2 == "missing" {
	if ($4 == "bits" && $6 ~ /cpumask\.h/)
		zero_offset++
	else {
		missing[$3, $4] = 1
		merged++
	}
}
$1 == "difference" && $2 == "extra" {
	line = $3
	sub(/.*:/, "", line)
	file = substr($3, 1, length($3) - length(line) - 1)
	near = 0
	for (i = line - 3; i <= line + 3; i++)
		near = near || ((file ":" i, $4) in missing)
	if (near)
		moved++
	else
		neighbours++
}
$1 == "difference" && $2 == "kind" {
	$1 = $2 = $3 = $4 = ""
	sub(/ at .*/, "")
	sub(/^ +/, "")
	kind[$0]++
}

END {
	found = n["recall:found"]
	lost = n["class:missing"] + n["class:missing-in-dead-code"]
	printf "%d files: %d accesses of libclang, %d of them in the table\n",
		files, found + lost, found
	cause(n["class:missing-in-dead-code"],
		"missing: under a constant condition, which the front end drops")
	cause(zero_offset, "missing: address of a variable's first member, converted: it is " \
		"folded to the variable's")
	cause(merged, "missing: merged with a neighbouring test")
	cause(moved, "extra: the same, at the line of the operator that merged them")
	cause(neighbours, "extra: neighbours of a bit-field that a merged test covers")
	cause(n["class:missing-init"], "designators that the table has at another line")
	for (text in kind)
		cause(kind[text], "kind: " text)
	cause(n["place:differs"],
		"the same line, but another column or macro (kinds are not compared)")
	cause(n["kind:asm"],
		"operands of asm, of which libclang does not show whether they are read or written")
	verdict("recall", rate(found, lost), recall)
	verdict("precision", rate(n["precision:found"], n["class:extra"]), precision)
	verdict("kinds", rate(n["kind:same"], n["class:kind"]), kinds)
	verdict("designators", rate(n["init:found"], n["class:missing-init"]), recall)
	report_labels()
	printf "%d passed, %d failed, 0 skipped\n", passed, failed
	exit failed > 0
}
