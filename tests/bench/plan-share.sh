# SPDX-License-Identifier: GPL-2.0-or-later
#
# Sourced by benchmarks of plans. share FILE KEY...: FILE has the output of `weft plan --all
# --json`; prints the sum of these keys' counts, in percent of all instructions.
share() {
	local file=$1
	shift
	awk -v keys="$*" -F '[{:,}]' '{
		for (i = 2; i < NF; i++) { gsub(/"/, "", $i); if (!($i in n)) n[$i] = $(i + 1) }
		m = split(keys, key, " ")
		for (i = 1; i <= m; i++) sum += n[key[i]]
		printf "%.2f", 100 * sum / n["instructions"]
	}' "$file"
}
