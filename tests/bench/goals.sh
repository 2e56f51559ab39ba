# SPDX-License-Identifier: GPL-2.0-or-later
#
# Sourced by the benchmarks: rows of figures, each with the goal that it has to meet.
missed=0

# row WHAT FIGURE UNIT [at-most|at-least GOAL]
row() {
	local verdict=''
	if [ $# -gt 3 ]; then
		verdict="goal: ${4/-/ } $5 $3"
		if ! awk -v f="$2" -v g="$5" -v how="$4" 'BEGIN { exit !(how == "at-most" ? f <= g : f >= g) }'; then
			verdict="$verdict: MISSED"
			missed=$((missed + 1))
		fi
	fi
	printf '%-60s %10s %-5s %s\n' "$1" "$2" "$3" "$verdict" | sed 's/ *$//'
}

# The benchmark's exit status.
end() {
	[ $missed = 0 ] || { printf '%d goals missed\n' $missed; exit 1; }
}
