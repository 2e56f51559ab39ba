#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Tests around-advice of calls: direct calls, tail calls, and calls through members. Such advice
# runs instead of the called function, for this call only: other calls of the same function are not
# affected. The advices skip the call and give it a result, change an argument, change a result,
# call twice, and sleep in the call. At some of the calls there is other advice as well, of this
# aspect or of a second one, and the order of all of them is compared. A task that sleeps in such a
# call must have a complete stack (a live patch is applied), and the aspect's module must stay until
# the task has left, while the text is restored at once.
. "$(dirname "$0")/lib.sh"
load_weft
work=$(mktemp -d)
records() { grep -c -e "$1" "$work/read"; }
is_inside() { [ "$(figure "$1" inside)" = "$2" ]; }
parent() { perl -e '$0 = "skipper" if @ARGV; print getppid' "$@"; }
readable() { (printf %s "$1" >/proc/self/comm; [ -r /etc/passwd ] && echo yes || echo no); }
# take COMM: prints what read(2) and pread64(2) of 1000 bytes return.
take() {
	perl -e '$0 = $ARGV[0]; open F, "<", "/etc/services"; $n = sysread(F, $b, 1000);
		print $n, " ", syscall(17, fileno(F), $b, 1000, 0)' "$1"
}
# took and seek_to use a file of tmpfs, because the operations of tmpfs call the operations of no
# other file system. took COMM: prints what read(2) of 1000 bytes returns, or its error. seek_to
# COMM: prints where lseek(2) to 7 leads.
took() {
	perl -e '$0 = $ARGV[0]; open F, "<", $ARGV[1]; $n = sysread(F, $b, 1000);
		print defined $n ? $n : $! + 0' "$1" "$work/file"
}
seek_to() {
	perl -e '$0 = $ARGV[0]; open F, "<", $ARGV[1]; print sysseek(F, 7, 0)' "$1" "$work/file"
}
# pipes COMM: makes ten pipes, and prints how many there are.
pipes() {
	perl -e '$0 = $ARGV[0]; for (1 .. 10) { pipe($r[$_], $w[$_]) and $n++ } print $n + 0' "$1"
}
# entries COMM: prints how many lines /proc/filesystems has, which the kernel writes one by one.
entries() {
	perl -e '$0 = $ARGV[0]; open F, "<", "/proc/filesystems"; @l = <F>; print scalar @l' "$1"
}
head -c 5000 /dev/zero >"$work/file"

traffic 20 >/dev/null # The first packets make the kernel switch jump labels on, for good.
kernel-text /tmp/before >/dev/null
plain=$(entries somebody)
for how in --optimized --traps; do
	check "weave ($how)" weft weave $how "$aspects/around_calls.ko"
	same "a direct call is skipped: the result is the advice's ($how)" "$(parent skip)" 42
	same "for tasks of other names it is made ($how)" "$(parent)" $$
	same "another argument and another result; another caller has its own ($how)" \
		"$(take reader)" "9 1000"
	same "and other tasks as much as they want ($how)" "$(take other)" "1000 1000"
	same "a tail call, another result ($how)" "$(readable nobody)" no
	same "and for others as it is ($how)" "$(readable somebody)" yes
	same "a tail call that is made twice ($how)" "$(readable twice)" yes
	same "a call under an if is made never ($how)" "$(pipes maker)" 0
	same "and by others ($how)" "$(pipes other)" 10
	same "a task that sleeps in the call ($how)" \
		"$(perl -e '$0 = "sleeper"; sleep 1; print "awake"')" awake
	same "a call through a member is skipped ($how)" "$(took failing)" 5
	same "and made ($how)" "$(took waiting)" 1000
	same "and twice ($how)" "$(entries doubler)" $((2 * plain))
	same "and not twice for others ($how)" "$(entries somebody)" "$plain"
	same "a tail call through a member, with another argument ($how)" "$(seek_to seeker)" 107
	same "and by others with their own ($how)" "$(seek_to other)" 7
	same "around a function that begins with a call ($how)" \
		"$(perl -e '$0 = "leader"; print syscall(112)')" 8589934592
	await is_inside around_calls 0
	same "nobody is inside ($how)" "$(figure around_calls inside)" 0
	weft report --json around_calls >"$json"
	same "a counter counts the same call ($how)" "$(metric reads | value count)" 1
	same "a call with around-advice is timed ($how)" "$(metric sleep | value count)" 1
	at_least "for as long as it slept ($how)" "$(metric sleep | value max)" 900000000
	check "unweave ($how)" weft unweave --all
	await in_state around_calls loaded
	weft read around_calls >"$work/read"
	same "before-advice, around-advice, after-advice, in this order ($how)" \
		"$(grep -o ': 1000 wanted\|: 10 read\|: 9 returned' "$work/read" | tr '\n' ' ')" \
		": 1000 wanted : 10 read : 9 returned "
	same "both results ($how)" "$(records ': 0, then 0')" 1
	same "the sleep, from both sides ($how)" \
		"$(records ': falls asleep') $(records ': slept: 0')" "1 1"
	at_least "what a call through a member calls ($how)" \
		"$(records ': calls [a-z0-9_]*_read_iter')" 1
	same "its result, and after-advice's ($how)" \
		"$(records ': got 1000') $(records ': through: 1000')" "1 1"
	check "the text is restored ($how)" restored
done

# ---- fault injection -----------------------------------------------------------------------------

# reads COMM: prints how many of nine reads of one byte succeed.
reads() {
	perl -e '$0 = $ARGV[0]; open F, "<", $ARGV[1];
		for (1 .. 9) { $n += defined sysread(F, $b, 1) } print $n' "$1" "$work/file"
}
check "weave the fault injection" weft weave "$aspects/fail_reads.ko"
same "every third read fails" "$(reads faulty)" 6
same "of the process of that name alone" "$(reads sound)" 9
check "unweave it" weft unweave fail_reads
same "then none fails" "$(reads faulty)" 9
weft read fail_reads >"$work/read"
same "the failures are recorded, with what was to be called" \
	"$(records ': shmem_file_read_iter is not called')" 3

# ---- adaptation ----------------------------------------------------------------------------------

check "weave the adaptation" weft weave "$aspects/adapt_wakeups.ko"
# A busy machine may need several attempts until enough tasks are woken within 10 ms.
for ((attempt = 0; attempt < 20; attempt++)); do
	traffic 500 >/dev/null
	sleep 0.2
	weft read adapt_wakeups >>"$work/swaps"
	grep -q 'tasks are moved again$' "$work/swaps" && break
done
check "unweave it" weft unweave adapt_wakeups
weft read adapt_wakeups >>"$work/swaps"
mv "$work/swaps" "$work/read"
at_least "the implementations were swapped" "$(records 'wakeups: tasks stay$')" 1
at_least "and swapped back" "$(records 'wakeups: tasks are moved again$')" 1
swapped=$(sed -n 's/.*: \([0-9]*\) have stayed, \([0-9]*\) were .*/\1 \2/p' "$work/read")
at_least "the one was used" "${swapped% *}" 1
at_least "and the other" "${swapped#* }" 20

# ---- two aspects at one call ---------------------------------------------------------------------

check "weave one" weft weave --optimized "$aspects/around_calls.ko"
check "weave another at the same calls" weft weave --optimized "$aspects/around_calls_inner.ko"
same "the first is the outer one" "$(take reader)" "9 1000"
same "a skipped call skips the inner one" "$(parent skip)" 42
same "a call through a member, twice by each" "$(entries doubler)" $((4 * plain))
weft read around_calls_inner >"$work/read"
same "the inner one sees what the outer one has changed" "$(records ': inner: 10, 10')" 1
same "and nothing of a skipped call" "$(records 'inner: parent')" 0
check "unweave the outer one" weft unweave around_calls
same "the inner one is left" "$(take reader)" "1000 1000"
same "and doubles alone" "$(entries doubler)" $((2 * plain))
check "weave the first again, which is the inner one now" \
	weft weave --optimized "$aspects/around_calls.ko"
same "its advice runs" "$(take reader)" "9 1000"
weft read around_calls_inner >"$work/read"
same "the outer one has seen the caller's argument, and what the inner one has returned" \
	"$(records ': inner: 1000, 9')" 1
check "unweave both" weft unweave --all
check "the text is restored" restored
await in_state around_calls loaded

# ---- a task is inside while the aspect goes ------------------------------------------------------

check "weave once more" weft weave --optimized "$aspects/around_calls.ko"
perl -e '$0 = "sleeper"; sleep 1000' &
sleeper=$!
mkfifo "$work/fifo"
perl -e '$0 = "waiting"; open F, "<", $ARGV[0]; print sysread(F, $b, 1000)' "$work/fifo" \
	>"$work/got" &
reader=$!
exec 5>"$work/fifo"
await grep -q nanosleep "/proc/$sleeper/stack"
await grep -q pipe_read "/proc/$reader/stack"
same "two are inside" "$(figure around_calls inside)" 2
same "a stack leads through the advice to the caller" \
	"$(grep -o 'weft_around\|\[around_calls\]\|hrtimer_nanosleep' "/proc/$sleeper/stack" |
		uniq | tr '\n' ' ')" \
	"weft_around [around_calls] hrtimer_nanosleep "
same "and one through a member" \
	"$(grep -o 'pipe_read\|\[around_calls\]\|vfs_read' "/proc/$reader/stack" |
		uniq | tr '\n' ' ')" \
	"pipe_read [around_calls] vfs_read "
patched "while tasks are inside"
check "unweaving does not wait for them" timeout 60 weft unweave around_calls
check "the text is restored while they sleep" restored
same "the aspect is still there" "$(state around_calls)" retiring
check "the module cannot be unloaded" sh -c '! rmmod around_calls'
echo something >&5
exec 5>&-
wait $reader
same "the call through a member has returned" "$(cat "$work/got")" 10
same "one is still inside" "$(figure around_calls inside)" 1
kill -TERM $sleeper
wait $sleeper
await in_state around_calls loaded
check "when all have left, the module can be unloaded" rmmod around_calls
finish
