#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Tests `weft ktrace`, whose aspects are compiled on the host (tests/vm/ktrace.txt). System calls
# are compared with strace, line by line, in the same run: ktrace traces strace, which traces the
# program.
. "$(dirname "$0")/lib.sh"
load_weft
take_cache

# asks LABEL ARGUMENT...: runs the command with that label in tests/vm/ktrace.txt.
asks() {
	local line
	line=$(sed -n "s/^$1 //p" tests/vm/ktrace.txt)
	shift
	# In a background job, exec replaces the shell, so that $! is weft's own process.
	[ $BASHPID = $$ ] || eval "exec weft $line \"\$@\""
	eval "weft $line \"\$@\""
}

# ---- system calls, beside strace ----

# A line of strace is "TID NAME(ARGUMENT, ...) = RESULT", with as many arguments as the call has.
# Words after an error's name, and lines about signals and exits, are strace's alone.
of_strace() {
	local call='([0-9]+) +([a-z0-9_]+\(.*\))'
	sed -nE "s/^$call += (-1 E[A-Z]+|\? E[A-Z_]+|[0-9a-fx]+|\?).*/\1 \2 = \3/p" "$1"
}
# Cuts the lines in FOUND, which have six arguments each, to the arguments of the same lines in
# WANTED.
cut_to() {
	awk 'NR == FNR { n[NR] = gsub(/, /, ", ") + ($0 !~ /\(\)/); next }
		{ want = n[FNR]; open = index($0, "("); close_ = index($0, ")")
		  count = split(substr($0, open + 1, close_ - open - 1), arguments, ", ")
		  text = ""
		  for (i = 1; i <= want && i <= count; i++)
			text = text (i > 1 ? ", " : "") arguments[i]
		  print substr($0, 1, open) text substr($0, close_) }' "$2" "$1"
}

asks calls --calls -o /tmp/calls -- strace -f -e raw=all -o /tmp/strace ls -l /etc \
	>/tmp/out 2>/tmp/said
same "ktrace ends as the command does" $? 0
check "nothing was lost or missed" grep -qE '^ktrace unwoven: .* 0 missed, .* 0 lost$' /tmp/said
of_strace /tmp/strace >/tmp/wanted
tid=$(head -n 1 /tmp/wanted | cut -d ' ' -f 1)
# Of the same thread, from its execve() on: before that it is strace's child.
grep "^$tid " /tmp/calls | sed -n '/ execve(/,$p' >/tmp/same
cut_to /tmp/same /tmp/wanted >/tmp/found
at_least "strace has seen calls" "$(wc -l </tmp/wanted)" 100
check "ktrace has seen the same calls, arguments and results" diff /tmp/wanted /tmp/found
finish
