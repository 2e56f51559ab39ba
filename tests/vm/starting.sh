#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Writes the two aspects of the hotplug case. The functions come from the output of objdump and
# readelf; of weft only a list of names is used. Usage: starting.sh VMLINUX EARLY.xml LATE.xml
#
# EARLY has every instruction of the functions that a starting CPU runs before it has an interrupt
# table, so before load_current_idt(). These are the functions that secondary_startup_64 calls, and
# those that start_secondary calls up to cpu_init_secondary, whose first call leads to
# load_current_idt. Some calls are not followed: warnings, which end in a ud2, those of the stack
# protector and of preemption, and callbacks of tracepoints, which are made only if the CPU is
# online. EARLY also has the first instruction of functions that share their name with one of these
# or with one of runtime/blacklist-names.h, or that the compiler cloned from one.
#
# LATE has every instruction of the other functions that start_secondary and cpu_init call, and the
# first instruction of every function whose entry ftrace does not own.
set -euo pipefail
vmlinux=$1 early=$2 late=$3
listed=$(dirname "${BASH_SOURCE[0]}")/../../runtime/blacklist-names.h
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export LC_ALL=C

# Writes the symbols whose name is unique, as lines "NAME SIZE TYPE".
readelf -sW "$vmlinux" >"$work/readelf"
awk '$4 == "FUNC" || $4 == "NOTYPE" { n[$8]++; size[$8] = $3; type[$8] = $4 }
	END { for (name in n) if (n[name] == 1) print name, size[name], type[name] }' \
	"$work/readelf" >"$work/symbols"
# Writes a line "f ADDRESS FUNCTION" for each function, and a line "i ADDRESS INSTRUCTION" for each
# of its instructions. Entry code and thunks, which follow __entry_text_start, are left out.
end=$(awk '$8 == "__entry_text_start" { print "0x" $2 }' "$work/readelf")
objdump -d --no-show-raw-insn -j .text --stop-address="$end" "$vmlinux" |
	sed -nE 's/^([0-9a-f]+) <(.*)>:$/f \1 \2/p; s/^ *([0-9a-f]+):\t(.*)/i \1 \2/p' >"$work/text"
awk -v work="$work" '
	$1 == "f" { name = $3; first = 1; print $3, $2 >(work "/starts"); next }
	first && $3 != "endbr64" {
		first = 0
		if (!/<__fentry__>/) print name, $2 >(work "/entries")
	}
	$3 ~ /^(call|j)/ && $5 ~ /^</ {
		sub(/^</, "", $5)
		sub(/[+>].*/, "", $5)
		if ($5 != name) print name, $5 >(work "/calls")
	}' "$work/text"
awk '
	function follow(to) { if (!(to in seen)) { seen[to] = 1; queue[++last] = to } }
	{ call[$1, ++nr[$1]] = $2 }
	END {
		n = split("__warn_printk __stack_chk_fail __SCT__preempt_schedule_notrace " \
			"__SCT__tp_func_write_msr", ends, " ")
		for (i = 1; i <= n; i++) seen[ends[i]] = 1
		n = split("secondary_startup_64 secondary_startup_64_no_verify start_cpu0 " \
			"start_secondary", roots, " ")
		for (i = 1; i <= n; i++) follow(roots[i])
		for (i = 1; i <= last; i++)
			for (j = 1; j <= nr[queue[i]]; j++) {
				follow(call[queue[i], j])
				# When the first call in cpu_init_secondary returns, the CPU has its
				# interrupt table.
				if (call[queue[i], j] == "cpu_init_secondary" ||
				    queue[i] == "cpu_init_secondary") break
			}
		for (i = 1; i <= last; i++) print queue[i], "early"
		early = last
		for (j = 1; j <= nr["start_secondary"]; j++) follow(call["start_secondary", j])
		for (j = 1; j <= nr["cpu_init"]; j++) follow(call["cpu_init", j])
		for (i = early + 1; i <= last; i++) print queue[i], "late"
	}' "$work/calls" >"$work/functions"
grep -qx 'load_current_idt early' "$work/functions" || {
	echo "starting.sh: no way to load_current_idt" >&2
	exit 1
}
awk -v functions="$work/functions" '
	BEGIN {
		while ((getline line <functions) > 0) {
			split(line, word, " ")
			part[word[1]] = word[2]
		}
	}
	$1 == "f" { name = $3; next }
	(name in part) && !/<__fentry__>/ { print name, $2, part[name] }' "$work/text" \
	>"$work/shadows"
sed 's/$/ late entry/' "$work/entries" >>"$work/shadows"
sort -u -k 1,3 "$work/shadows" >"$work/sorted"

# Prints the functions that have the same name as a listed one, or that the compiler cloned from a
# listed one (its name with a suffix).
family() {
	{
		awk '$2 == "early" { print $1 }' "$1"
		sed -nE 's/.*entry\("([^"]*)", NULL, WEFT_REFUSAL_BLACKLISTED.*/\1/p' "$listed"
	} |
		awk 'NR == FNR { listed[$1]; next }
			$4 == "FUNC" && $7 != "UND" {
				base = $8
				sub(/\..*/, "", base)
				if (base in listed) n[$8]++
			}
			END {
				for (name in n) {
					if (n[name] == 1 && name in listed) continue
					printf "<instruction symbol=\"%s\" offset=\"0\"/>\n", name
				}
			}' - "$2" | sort
}

for part in early late; do
	echo '<?xml version="1.0"?>'
	echo "<aspect name=\"start_$part\"><pointcut><or>"
	awk -v part=$part -v work="$work" '
		function low(hex,   i, value) {
			for (i = length(hex) - 7; i <= length(hex); i++) {
				value *= 16
				value += index("0123456789abcdef", substr(hex, i, 1)) - 1
			}
			return value
		}
		BEGIN {
			while ((getline line <(work "/symbols")) > 0) {
				split(line, word, " ")
				size[word[1]] = word[2]
				type[word[1]] = word[3]
			}
			while ((getline line <(work "/starts")) > 0) {
				split(line, word, " ")
				start[word[1]] = word[2]
			}
		}
		$3 != part || !($1 in type) || ($4 == "entry" && type[$1] != "FUNC") { next }
		{ offset = low($2) - low(start[$1]) }
		# What follows the end of a function is padding.
		!size[$1] || offset < size[$1] + 0 {
			printf "<instruction symbol=\"%s\" offset=\"%d\"/>\n", $1, offset
		}' "$work/sorted"
	[ $part = late ] || family "$work/functions" "$work/readelf"
	echo '</or></pointcut><before-advice>;</before-advice></aspect>'
done | awk -v early="$early" -v late="$late" '/^<\?xml/ { out = n++ ? late : early } { print >out }'
