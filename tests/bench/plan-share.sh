# SPDX-License-Identifier: GPL-2.0-or-later
#
# share FILE KEY...: prints the sum of the counts of these keys in percent of all instructions, from
# FILE, the output of `weft plan --all --json`. Benchmarks of plans source this file.
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
