# SPDX-License-Identifier: GPL-2.0-or-later
#
# Prints the figures and compares them with their floors. Lines of floors.txt: NAME, floors in
# hundredths of a per cent (all, few), at least so many cases (all, few), TEXT. A figure with too
# few cases fails, and so does a figure that is missing; `-` is no floor. Usage: report.awk
# floors.txt FIGURES..., with COLUMN=3 for all files, COLUMN=4 for the few, COLUMN=0 for no floors.
FNR == 1 { input++ }
input == 1 && /^[a-z]/ {
	names[++nr] = $1
	floor[$1] = COLUMN ? $(COLUMN - 1) : "-"
	least[$1] = COLUMN ? $(COLUMN + 1) : "-"
	text = ""
	for (i = 6; i <= NF; i++)
		text = text (i == 6 ? "" : " ") $i
	what[$1] = text
	next
}
$1 == "figure" { good[$2] = $3; all[$2] = $4 }
$1 == "count" && $3 != "" { count[$2] = $3 }
$1 == "difference" { differences[$2]++ }
END {
	for (i = 1; i <= nr; i++) {
		name = names[i]
		value = all[name] ? int(10000 * good[name] / all[name] + 0.0001) : 0
		verdict = "      "
		if (floor[name] != "-" && (all[name] || least[name] > 0)) {
			bad = floor[name] != "-" && value < floor[name]
			few = least[name] != "-" && all[name] + 0 < least[name]
			verdict = bad || few ? "FAILED" : "ok    "
			if (bad || few)
				failed++
			else
				passed++
		}
		printf "%s %6.2f %% %s of %s%s  %s\n", verdict, value / 100, good[name] + 0, \
			all[name] + 0, (floor[name] == "-" ? "" : \
			sprintf(" (floor %.2f)", floor[name] / 100)), what[name] \
			(few ? ": too few" : "")
		few = 0
	}
	printf "  told:"
	split("exact operand fate-coalesced fate-dead fate-registers fate-copied fate-constant " \
		"line-or-column nothing", words, " ")
	for (i = 1; i in words; i++)
		printf "%s %s %d", (i > 1 ? "," : ""), words[i], count["told:" words[i]]
	printf "\n  the oracle's own errors, by errors.txt: %d missing, %d extra, %d kinds; " \
		"%d of them excuse nothing here\n", count["excused:missing"], \
		count["excused:extra"], \
		count["excused:kind"], count["errors-unused"]
	if (UNREAD) {
		failed++
		printf "FAILED %d files could not be read\n", UNREAD
	}
	if (differences["proof"]) {
		failed++
		printf "FAILED errors.txt: %d proofs are not in the source\n", differences["proof"]
	}
	printf "%d passed, %d failed, 0 skipped\n", passed, failed
	exit failed > 0
}
