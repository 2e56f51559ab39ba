# SPDX-License-Identifier: GPL-2.0-or-later
#
# Functions with which cases compare the lines of `weft ktrace --calls` with those of strace -e
# raw=all. Cases source this file.

# of_strace: prints strace's lines in ktrace's form, "TID NAME(ARGUMENT, ...) = RESULT", with as
# many arguments as the call has. It leaves out the text after an error's name, and lines about
# signals and exits, which ktrace does not print.
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

# compare_with_strace NAME LEAST: compares strace's output in /tmp/strace with ktrace's in
# /tmp/calls. There must be at least LEAST calls.
compare_with_strace() {
	local tid
	of_strace /tmp/strace >/tmp/wanted
	tid=$(head -n 1 /tmp/wanted | cut -d ' ' -f 1)
	# Takes the lines of the same thread from its execve() on. Before that the thread is
	# strace's child, which strace does not show.
	grep "^$tid " /tmp/calls | sed -n '/ execve(/,$p' >/tmp/same
	cut_to /tmp/same /tmp/wanted >/tmp/found
	at_least "$1: strace has seen calls" "$(wc -l </tmp/wanted)" "$2"
	diff /tmp/wanted /tmp/found >/tmp/differ
	same "$1: ktrace has seen the same calls, arguments and results" \
		"$(head -n 6 /tmp/differ)" ""
}
