#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Tests around-advice on a kernel as shipped: of a function, and of calls through a member, by jumps
# and by traps. Two aspects make every third allocation for a pipe, and every third read, fail in
# processes of one name; a third one keeps woken tasks on their CPUs. The case fails if more or
# fewer calls fail, or if a call of a process of another name does.
#
# aspects: fail_allocations fail_reads adapt_wakeups
. "$(dirname "$0")/../../vm/cases/lib.sh"
load_weft
uname -r
# Makes ten pipes, each of which takes one kmalloc(); prints how many there are.
pipes() { perl -e '$0 = $ARGV[0]; for (1 .. 10) { pipe($r[$_], $w[$_]) and $n++ } print $n' "$1"; }
# Reads a file nine times; prints how many of the reads succeed.
reads() {
	perl -e 'open F, "<", "/tmp/file"; $0 = $ARGV[0];
		for (1 .. 9) { $n += defined sysread(F, $b, 1) } print $n' "$1"
}
records() { weft read "$1" | grep -c -e "$2"; }

seq 100 >/tmp/file
traffic 20 >/dev/null
kernel-text /tmp/before >/dev/null
for how in --optimized --traps; do
	for name in fail_allocations fail_reads adapt_wakeups; do
		check "weave $name ($how)" weft weave $how "$aspects/$name.ko"
	done
	same "every third pipe cannot be made ($how)" "$(pipes faulty)" 7
	same "by the process of that name alone ($how)" "$(pipes sound)" 10
	same "every third read fails ($how)" "$(reads faulty)" 6
	same "of that process alone ($how)" "$(reads sound)" 9
	check "traffic, with wakeups ($how)" traffic 30
	at_least "wakeups go through the advice ($how)" "$(figure adapt_wakeups hits)" 30
	check "unweave ($how)" weft unweave --all
	for name in fail_allocations fail_reads adapt_wakeups; do await in_state $name loaded; done
	same "failures are recorded ($how)" \
		"$(records fail_allocations 'none given') $(records fail_reads 'is not called')" \
		"3 3"
	at_least "and the end ($how)" "$(records adapt_wakeups 'have stayed')" 1
	check "the kernel's text is the same to the byte ($how)" restored
done
same "all can, then" "$(pipes faulty) $(reads faulty)" "10 9"
check "weft.ko unloads" bash -c 'weft read >/dev/null; rmmod weft'
finish
