# SPDX-License-Identifier: GPL-2.0-or-later
#
# Adds up what compare.awk found in all files, names the causes of the differences, and holds the rates against their floors (recall,
# precision, kinds, exact, calls: in hundredths of a per cent). Variables: files, failed.

function rate(good, bad) { return good + bad ? int(10000 * good / (good + bad)) : 0 }
function verdict(name, value, floor) {
	printf "%s %-22s %6.2f %% (floor %.2f %%)\n", (value >= floor ? "ok    " : "FAILED"), name, value / 100, floor / 100
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
	printf "  %5d  of %5d %-8s have an instruction: %.1f %%\n", n["exact:" kind], n["source:" kind], kind,
		rate(n["exact:" kind], n["source:" kind] - n["exact:" kind]) / 100
}
function report_labels(   good, all) {
	share("get")
	share("set")
	share("rmw")
	share("call")
	share("address")
	share("init")
	printf "%d labels\n", n["label:all"]
	cause(n["label:call"], "at calls and jumps")
	cause(n["operand:fits"], "at operands that touch the member's bytes")
	cause(n["operand:moved"], "at operands whose base is another object: the member is a part of what was inlined or embedded")
	cause(n["operand:indexed"], "at operands with an index, or behind one in the source")
	cause(n["operand:symbol"], "at operands relative to a symbol: the object is a variable")
	cause(n["operand:register"], "at instructions with an implied operand")
	good = n["exact:get"] + n["exact:set"] + n["exact:rmw"] + n["exact:call"]
	all = n["source:get"] + n["source:set"] + n["source:rmw"] + n["source:call"]
	verdict("exact instructions", rate(good, all - good), exact)
	verdict("exact calls", rate(n["exact:call"], n["source:call"] - n["exact:call"]), calls)
	verdict("instruction boundaries", rate(n["label:all"] - n["label:between-instructions"], n["label:between-instructions"]), 10000)
	verdict("call labels", rate(n["label:call"], n["label:no-call"]), 10000)
}

$1 == "count" { n[$2] += $3 }

# Causes of an access that the table has not, or has too much.
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
$1 == "difference" && $2 == "kind" { $1 = $2 = $3 = $4 = ""; sub(/ at .*/, ""); sub(/^ +/, ""); kind[$0]++ }

END {
	found = n["recall:found"]
	lost = n["class:missing"] + n["class:missing-in-dead-code"]
	printf "%d files: %d accesses of libclang, %d of them in the table\n", files, found + lost, found
	cause(n["class:missing-in-dead-code"], "missing: behind a constant condition, which the front end drops")
	cause(zero_offset, "missing: address of a variable's first member, converted: it is folded to the variable's")
	cause(merged, "missing: merged with a neighbouring test")
	cause(moved, "extra: the same, at the line of the operator that merged them")
	cause(neighbours, "extra: neighbours of a bit-field that a merged test covers")
	cause(n["class:missing-init"], "designators that the table has at another line")
	for (text in kind)
		cause(kind[text], "kind: " text)
	cause(n["place:differs"], "the same line, but another column or macro (kinds are not compared)")
	cause(n["kind:asm"], "operands of asm, of which libclang does not show whether they are read or written")
	verdict("recall", rate(found, lost), recall)
	verdict("precision", rate(n["precision:found"], n["class:extra"]), precision)
	verdict("kinds", rate(n["kind:same"], n["class:kind"]), kinds)
	verdict("designators", rate(n["init:found"], n["class:missing-init"]), recall)
	report_labels()
	printf "%d passed, %d failed, 0 skipped\n", passed, failed
	exit failed > 0
}
