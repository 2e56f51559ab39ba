# SPDX-License-Identifier: GPL-2.0-or-later
#
# Functions that print rows of figures, each with the goal that it has to meet. The benchmarks
# source this file.
met=0 missed=0

# row WHAT FIGURE UNIT [at-most|at-least GOAL]: prints a row, and counts its goal as met or missed.
row() {
	local verdict=''
	if [ $# -gt 3 ]; then
		verdict="goal: ${4/-/ } $5 $3"
		if ! awk -v f="$2" -v g="$5" -v how="$4" \
			'BEGIN { exit !(how == "at-most" ? f <= g : f >= g) }'; then
			verdict="$verdict: MISSED"
			missed=$((missed + 1))
		else
			met=$((met + 1))
		fi
	fi
	printf '%-60s %10s %-5s %s\n' "$1" "$2" "$3" "$verdict" | sed 's/ *$//'
}

# end: prints the last line `N passed, N failed, N skipped`, in which each goal counts as a test.
# Ends the benchmark with 1 if a goal was missed.
end() {
	printf '%d passed, %d failed, 0 skipped\n' $met $missed
	[ $missed = 0 ] || exit 1
}
