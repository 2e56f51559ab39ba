#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Measures what the plugin costs in a compilation. Compiles files of a built kernel by the commands
# that its build has recorded, without and with the plugin in turn. Compares the least processor
# time (user and system, assembler included) that each file took in any round, since other work on
# the machine only ever adds time. Ends with the sum, which is compared with the goal. Usage:
# compile.sh KERNEL PLUGIN [ROUNDS]
set -euo pipefail
kernel=${1:?the folder of a built kernel} plugin=$(realpath "$2") rounds=${3:-5}
goal=300 # The goal in hundredths of a per cent.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
files='fs/namei fs/open net/core/sock net/ipv4/tcp_input mm/memory kernel/signal drivers/base/core'
files+=' lib/iov_iter'

# command_of FILE: prints the compiler's command that kbuild has recorded for FILE, without the
# options for the plugin and the dependency file. $OUTPUT and $PLUGIN stand for the object and for
# options that measure() adds.
command_of() {
	sed -nE '1 {
		s/^(saved)?cmd_[^ ]* := //; s/ ; .*//
		s/-Wp,-MMD,[^ ]*//; s/-fplugin=[^ ]*//g
		s/\$\(pound\)/#/g; s/\$\$/$/g
		s/ -o [^ ]+/ -o "$OUTPUT" $PLUGIN/
		p
	}' "$kernel/$(dirname "$1")/.$(basename "$1").o.cmd"
}

# measure FILE OPTION: compiles FILE with OPTION added, and prints the milliseconds of processor
# time.
measure() {
	local TIMEFORMAT='%U %S'
	{
		time (cd "$kernel" && OUTPUT=$work/object.o PLUGIN=$2 \
			bash -c "$(command_of "$1")" 2>"$work/errors")
	} 2>&1 | awk '{ printf "%d", ($1 + $2) * 1000 }'
}

for ((round = 1; round <= rounds; round++)); do
	for file in $files; do
		echo "$file $(measure "$file" '') $(measure "$file" "-fplugin=$plugin")"
	done
done | awk -v rounds="$rounds" -v goal=$goal '
	!($1 in bare) { order[++n] = $1; bare[$1] = $2; with[$1] = $3 }
	$2 < bare[$1] { bare[$1] = $2 }
	$3 < with[$1] { with[$1] = $3 }
	END {
		for (i = 1; i <= n; i++) {
			file = order[i]
			printf "%-24s %6d ms without the plugin %6d ms with it %+5.1f %%\n",
				file, bare[file], with[file], 100 * with[file] / bare[file] - 100
			a += bare[file]
			b += with[file]
		}
		bad = !n || a == 0 || (b / a - 1) * 10000 > goal
		printf "%s %d files, least of %d rounds: %+.2f %% (goal %.0f %% at most)\n",
			bad ? "FAILED" : "ok    ", n, rounds, n && a ? 100 * b / a - 100 : 0,
			goal / 100
		printf "%d passed, %d failed, 0 skipped\n", !bad, bad
		exit bad
	}'
