#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Measures the time from the return key to a woven aspect: from the start of `weft count FUNCTION
# --by comm -- COMMAND` until COMMAND runs, which weft starts when the aspect is woven. The same
# time of bpftrace is printed if bpftrace is installed.
#
# Each question is about a function that was not asked for before, so that no module is cached. weft
# has the recipe that `make kmod` has made (weft learn), and weft.ko is loaded. The first question
# of weft is compiled, and leaves the template of which the new questions' modules are made. The
# first question of each program also reads the program from the disk.
#
# `make bench-oneliners` runs this in a usual guest, and in a guest that counts instructions, where
# one instruction takes a nanosecond. There a wait for the disk counts as long as it lasts, which
# depends on who else uses the machine. Processor time has no waits, but has the end of the program
# too, after the aspect is unwoven. GOAL is the most processor time that a new question of weft may
# take, of what one of bpftrace takes. Usage: oneliners.sh ROUNDS [GOAL]
. "$(dirname "$0")/../vm/cases/lib.sh"
. "$(dirname "$0")/goals.sh"
load_weft
rounds=$1 goal=${2-}
functions=(vfs_open vfs_read vfs_write vfs_mkdir vfs_rmdir vfs_fsync)
export XDG_CACHE_HOME=/tmp/cache
TIMEFORMAT='%U %S'

# until_runs COMMAND...: runs COMMAND, whose last argument is a command that prints the time. Prints
# the milliseconds from the start of COMMAND until that command runs, and COMMAND's milliseconds of
# processor time.
until_runs() {
	local begun=$(date +%s%N)
	{ time "$@" >/tmp/out 2>/tmp/said; } 2>/tmp/time || { cat /tmp/said; return 1; }
	echo $((($(grep -oE '[0-9]{19}' /tmp/out /tmp/said -h | head -n 1) - begun) / 1000000)) \
		"$(awk '{ printf "%.0f", ($1 + $2) * 1000 }' /tmp/time)"
}
weft_count() { until_runs weft count "$1" --by comm -- date +%s%N; }
bpftrace_count() {
	until_runs bpftrace -e "kprobe:$1 { @[comm] = count(); }" -c "$(command -v date) +%s%N"
}
others() {
	for ((i = 1; i <= rounds && i < ${#functions[@]}; i++)); do "$1" "${functions[i]}"; done
}
again() { for ((i = 0; i < rounds; i++)); do "$@"; done; }

# took NAME COMMAND...: runs COMMAND, which runs until_runs, and prints a row with the least time of
# each kind. Both are digits if each question was answered. Sets cpu to the least processor time.
took() {
	local name=$1 answers
	shift
	answers=$("$@")
	row "$name" "$(awk '{ print $1 }' <<<"$answers" | sort -n | head -n 1)" ms
	cpu=$(awk '{ print $2 }' <<<"$answers" | sort -n | head -n 1)
	row "  processor time" "$cpu" ms
	if grep -qvE '^[0-9]+ [0-9]+$' <<<"$answers"; then
		echo "no answer: $answers"
		missed=$((missed + 1))
	else
		met=$((met + 1))
	fi
}

took "a program alone (date)" again until_runs date +%s%N
took "weft count, the first question" weft_count "${functions[0]}"
took "weft count, new questions" others weft_count
weft_new=$cpu
took "weft count, cached" again weft_count "${functions[0]}"
if command -v bpftrace >/dev/null; then
	took "bpftrace, the first question" bpftrace_count "${functions[0]}"
	took "bpftrace, new questions" others bpftrace_count
	row "weft's new questions, of bpftrace's: processor time" \
		"$(awk -v a="$weft_new" -v b="$cpu" 'BEGIN { printf "%.2f", b ? a / b : 999 }')" \
		x ${goal:+at-most $goal}
fi
end
