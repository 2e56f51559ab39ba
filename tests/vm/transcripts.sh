#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Functions for scripts that run a document's transcript for real and compare the output; the
# scripts source this file. In a transcript, a line that begins with a prompt (`$ `, `# `) is a
# command; if it ends with a backslash, the next line belongs to it. The other lines are output. A
# line `...` stands for any number of lines.

# block FILE KIND: prints what stands between ```KIND and ``` in FILE.
block() { awk -v fence="\`\`\`$2" '$0 == fence { on = 1; next } /^```/ { on = 0 } on' "$1"; }

# commands PROMPT: prints the commands with that prompt, from the transcript on standard input.
commands() {
	awk -v prompt="$1 " '
		index($0, prompt) == 1 { $0 = substr($0, 3); on = 1 }
		on { print; on = /\\$/ }'
}

# script PROMPT [TIMES]: prints a bash script that runs the commands on standard input, shows each
# command as a person would have typed it, and stops at the first one that fails. In the commands
# build/ stands for the object folder. The file TIMES gets a line for each command: seconds, and
# processor seconds (user, system).
script() {
	local command more

	echo 'set -eo pipefail'
	echo "TIMEFORMAT='%R %U %S'"
	while IFS= read -r command; do
		while [[ $command = *\\ ]] && IFS= read -r more; do command+=$'\n'$more; done
		printf 'echo %q\n' "$1 $command"
		command=${command//build\//$O/}
		if [ -n "${2-}" ]; then
			printf '{ time { %s\n} 2>&7; } 7>&2 2>>%q\n' "$command" "$2"
		else
			printf '%s\n' "$command"
		fi
	done
}

# Replaces what differs from run to run, or from kernel build to kernel build, by N, and runs of
# blanks by one. Also replaces how many minutes `weft prepare` expects, since that depends on what
# else the machine does. And it replaces ksoftirqd by traffic as the name of a task: softirqs mostly
# run in the task that they interrupt, but on a machine that is held up the thread ksoftirqd runs
# them.
blot() {
	sed -E -e "s#$O/#build/#g" -e 's/[0-9]+\.[0-9]{9}/N/g' -e 's/\[[0-9]{3}\]/[N]/g' \
		-e 's/(\+|0x)[0-9a-f]+/N/g' -e 's/[0-9a-f]{16}/N/g' -e 's/[0-9]+/N/g' \
		-e 's/about N minutes/about N minute/' \
		-e 's/[ \t]+/ /g' -e 's/ $//' -e 's#ksoftirqd/N-N#traffic-N#'
}

# elide EXPECTED FOUND: prints FOUND. Where EXPECTED has a line `...`, it prints `...` instead of
# all lines up to the line that follows the `...` in EXPECTED.
elide() {
	awk 'BEGIN { at = 1 }
		NR == FNR { wanted[++n] = $0; next }
		wanted[at] == "..." && (at == n || $0 != wanted[at + 1]) { next }
		wanted[at] == "..." { print "..."; at++ }
		{ print; at++ }
		END { if (at == n && wanted[n] == "...") print "..." }' "$1" "$2"
}

# transcript_differs EXPECTED FOUND: prints the differences; succeeds if there are any.
transcript_differs() {
	local expected

	expected=$(blot <"$1")
	! diff -u --label document --label found <(echo "$expected") \
		<(elide <(echo "$expected") <(blot <"$2"))
}
