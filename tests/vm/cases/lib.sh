# SPDX-License-Identifier: GPL-2.0-or-later
#
# Every case in the guest sources this file: it sets up the folders of programs and aspects, and has
# the functions that count results. A case is a bash script that calls these functions and ends with
# `finish`.
set -u

programs=$O/vm/programs
aspects=${WEFT_ASPECTS:-$O/vm/aspects}
PATH=$O:$programs:$PATH
# The guest's root file system is the host's, so the host's /tmp may have files by the names that
# cases write to. A file system of the guest's own hides them. It is not mounted if the tree or the
# objects are below /tmp, since it would hide these too.
case $O/:$WEFT_TOP/:$(realpath "$0") in
/tmp/* | *:/tmp/*) ;;
*) mount -t tmpfs -o mode=1777 tmp /tmp ;;
esac
# The number of CPUs, online or not.
cpus=$(ls -d /sys/devices/system/cpu/cpu[0-9]* | wc -l)
passed=0 failed=0 skipped=0

pass() { printf 'ok     %s\n' "$1"; passed=$((passed + 1)); }
fail() { printf 'FAILED %s: %s\n' "$1" "$2"; failed=$((failed + 1)); }

# check NAME COMMAND...: fails if COMMAND fails, and then shows its output.
check() {
	local name=$1 output
	shift
	if output=$("$@" 2>&1); then pass "$name"; else fail "$name" "exit $?: $output"; fi
}

# same NAME FOUND WANTED: fails if the two texts differ. Of texts with several lines only the lines
# that differ are shown.
same() {
	if [ "$2" = "$3" ]; then
		pass "$1"
	elif [[ $2$3 = *$'\n'* ]]; then
		fail "$1" "$(diff <(echo "$2") <(echo "$3") |
			sed -n 's/^</found /p; s/^>/wanted/p')"
	else
		fail "$1" "'$2' instead of '$3'"
	fi
}

# at_least NAME FOUND LEAST [DETAIL]: fails if the number FOUND is below LEAST, and then shows
# DETAIL.
at_least() {
	if [ "${2:-0}" -ge "$3" ]; then
		pass "$1 ($2)"
	else
		fail "$1" "${2:-none}, and at least $3 are needed${4:+: $4}"
	fi
}

# refuses NAME STATUS PATTERN COMMAND...: fails unless COMMAND exits with STATUS and prints exactly
# one line on stderr, besides notes, and that line matches PATTERN.
refuses() {
	local name=$1 want=$2 pattern=$3 status=0 said
	shift 3
	said=$("$@" 2>&1 >/dev/null) || status=$?
	said=$(sed '/^weft: note: /d' <<<"$said")
	if [ "$status" != "$want" ]; then
		fail "$name" "exit $status instead of $want: $said"
	elif [[ $said = *$'\n'* ]]; then
		fail "$name" "more than one line: $said"
	elif ! [[ $said =~ $pattern ]]; then
		fail "$name" "no '$pattern' in: $said"
	else
		pass "$name"
	fi
}

# take_cache: lets weft find the aspects that were compiled on the host. They are copied, since weft
# uses no cache that another user could replace, and another user may be able to write in a folder
# above this tree.
take_cache() {
	export XDG_CACHE_HOME=/tmp/cache
	mkdir -p $XDG_CACHE_HOME && cp -r "$O/vm/cache/weft" $XDG_CACHE_HOME/
}

# asks LABEL ARGUMENT...: runs the weft command with that label in the file $questions, which is a
# list of commands whose aspects were compiled on the host.
asks() {
	local line
	line=$(sed -n "s/^$1 //p" "$questions" | head -n 1)
	shift
	# In a background job, exec replaces the shell, so that $! is weft's own process.
	[ $BASHPID = $$ ] || eval "exec weft $line \"\$@\""
	eval "weft $line \"\$@\""
}
# foretold ASPECT SUMMARY: the summary of a weave, in the file SUMMARY, must be the one that `weft
# plan` has printed on the host, where only the image was known.
foretold() {
	same "$1: the summary is what weft plan says" \
		"$(sed -nE '1s/^[a-z_]+: (matched .*)/\1/p' "$2")" \
		"$(sed -n "s/^$1: //p" "$O/vm/plans")"
}

# Cases load the weft.ko that has checks for debugging, since run-cases.sh sets WEFT_KO; benchmarks
# load the one that is shipped.
weft_ko=${WEFT_KO:-$O/kmod/weft.ko}
# weft.ko gets these parameters wherever advice runs. In the emulator, advice takes a larger share
# of a CPU than an aspect may have by default, since little else runs; and the first hit, whose code
# has to be translated, takes longer than the default budget. Cases about share and budget set their
# own limits.
generous="share_percent=0 budget_us=1000000"
# load_weft PARAMETER...: loads weft.ko with the parameters in $generous and the given ones.
load_weft() {
	insmod "$weft_ko" $generous "$@" ||
		{ echo "cannot load weft.ko"; exit 1; }
}

# Succeeds if each byte of the kernel's text is what it was when the case wrote /tmp/before.
restored() { kernel-text /tmp/after >/dev/null && kernel-text /tmp/before /tmp/after; }

# summary FILE KIND: prints the number before KIND in the summary of a weave, which is in FILE.
summary() {
	local line
	while IFS= read -r line; do
		[[ $line =~ .*[:=+\ ]\ *$2\ ([0-9]+) ]] || continue
		echo "${BASH_REMATCH[1]}"
		return
	done <"$1"
}

# verdicts PROGRAM ARGUMENT...: runs a test program that prints its own results and ends with a line
# "N passed, N failed"; adds these numbers to the case's.
verdicts() {
	local p f
	"$@" >/tmp/verdicts
	cat /tmp/verdicts
	read -r p _ f _ <<<"$(tail -n 1 /tmp/verdicts)"
	passed=$((passed + p)) failed=$((failed + ${f%,}))
}

# Cases call the functions below often, and the emulator takes about ten milliseconds to start a
# program. So functions that read only a few lines use the shell alone.

# listed ASPECT: prints the aspect's line of `weft list --json`.
listed() {
	local line
	while IFS= read -r line; do
		[[ $line != "{\"aspect\":\"$1\","* ]] || printf '%s\n' "$line"
	done < <(weft list --json)
}
# state ASPECT: prints the state that `weft list` shows, or "none".
state() {
	[[ $(listed "$1") =~ ,\"state\":\"([a-z]*)\" ]] || { echo none; return; }
	echo "${BASH_REMATCH[1]}"
}

# await COMMAND...: repeats COMMAND until it succeeds, at most for a minute. If it has not succeeded
# by then, it is run once more and its output is shown.
await() {
	local end=$((SECONDS + 60))
	until "$@" >/dev/null 2>&1; do
		if [ $SECONDS -ge $end ]; then "$@"; return; fi
		sleep 0.1
	done
}
# in_state ASPECT STATE: succeeds if the aspect is in STATE.
in_state() { [ "$(state "$1")" = "$2" ]; }

# objects: prints how many JSON objects standard input has, which must be one in each line, or the
# parser's error.
objects() {
	python3 -c 'import json, sys
print(len([dict(json.loads(line)) for line in sys.stdin]))' 2>&1 | tail -n 1
}

# figure ASPECT KEY: prints the number that `weft list --json` has under KEY for the aspect.
figure() { listed "$1" | value "$2"; }
# fault_of ASPECT KEY: prints the value that `weft list --json` has under KEY in the aspect's fault.
fault_of() {
	listed "$1" | sed -n 's/.*"fault":{//p' | sed -n "s/.*\"$2\":\"*\([^\",}]*\).*/\1/p"
}

# ---- functions that hold optimizing up, and that wait for it ----

# give_way: gives RCU's threads and ksoftirqd/1 a higher priority than the program that stall()
# starts, so that they still run on CPU 1. Only the work that optimizing waits for, which has to run
# on every CPU, cannot run there.
give_way() {
	local comm
	for comm in /proc/[0-9]*/comm; do
		case $(cat $comm 2>/dev/null) in
		ksoftirqd/1 | rcu_preempt | rcu_tasks*)
			chrt -f -p 60 "$(echo $comm | cut -d/ -f3)"
			;;
		esac
	done
}
# stall: starts a program that occupies CPU 1 and lets no other task run there, until go_on stops
# it. Tasks that wait for all CPUs may then wait for minutes on a slow machine, so the kernel's
# reports of hung tasks are switched off.
stall() {
	echo 0 >/proc/sys/kernel/hung_task_timeout_secs
	echo -1 >/proc/sys/kernel/sched_rt_runtime_us
	rm -f /tmp/spinning
	chrt -f 50 taskset -c 1 bash -c ': >/tmp/spinning; while :; do :; done' &
	spinner=$!
	while [ ! -e /tmp/spinning ]; do sleep 0.05; done
}
go_on() {
	kill $spinner
	wait $spinner 2>/dev/null
	echo 950000 >/proc/sys/kernel/sched_rt_runtime_us
	echo 60 >/proc/sys/kernel/hung_task_timeout_secs
}
# optimized ASPECT: waits until no splice of the aspect is optimizing any more.
optimized() { await are_optimizing "$1" 0 || { weft list; return 1; }; }
are_optimizing() { [ "$(figure "$1" optimizing)" = "$2" ]; }
# retired ASPECT: waits until the aspect is not retiring: no CPU or task is in its trampolines any
# more.
retired() { await is_retired "$1" || { weft list; return 1; }; }
is_retired() { [ "$(state "$1")" != retiring ]; }
# hits_during ASPECT: makes some traffic and prints how many hits the aspect had from it.
hits_during() {
	local before
	before=$(figure "$1" hits)
	taskset -c 0 traffic 30 >/dev/null
	echo $(($(figure "$1" hits) - before))
}

# traffic_on REST: starts traffic on each CPU, with REST microseconds between two rounds.
# traffic_off LEAST: stops the traffic. Writes the traffic's errors to /tmp/trouble, and a line for
# each CPU on which it has made fewer than LEAST rounds.
traffic_on() {
	for ((cpu = 0; cpu < cpus; cpu++)); do
		taskset -c $cpu traffic 100000000 "$1" >/tmp/traffic$cpu 2>>/tmp/trouble &
		sources[cpu]=$!
	done
}
traffic_off() {
	local made
	for ((cpu = 0; cpu < cpus; cpu++)); do
		kill "${sources[cpu]}"
		wait "${sources[cpu]}" || echo "traffic on CPU $cpu failed" >>/tmp/trouble
		read -r made _ </tmp/traffic$cpu
		[ "${made:-0}" -ge "$1" ] ||
			echo "CPU $cpu made only ${made:-0} rounds of traffic" >>/tmp/trouble
	done
}

# ---- functions that read a report, and that count by other tracers ----

# These functions read the output of `weft report --json` in the file $json. metric NAME: prints the
# line of that metric. row NAME KEY: prints the row with that key of that metric. value KEY: prints
# the number that KEY has in the object on standard input.
json=$(mktemp) said=$(mktemp)
metric() {
	local line
	while IFS= read -r line; do
		[[ $line != *"\"metric\":\"$1\""* ]] || printf '%s\n' "$line"
	done <"$json"
}
row() {
	local rest line
	while IFS= read -r line; do
		while rest=${line#*"{\"key\":\"$2\""}; [ "$rest" != "$line" ]; do
			printf '%s\n' "{\"key\":\"$2\"${rest%%\}*}}"
			line=$rest
		done
	done < <(metric "$1")
}
value() {
	local line
	while IFS= read -r line; do
		[[ ! $line =~ .*\"$1\":(-?[0-9]*) ]] || echo "${BASH_REMATCH[1]}"
	done
}
# lines NAME FOUND WANTED: fails if the two texts differ, or if they are empty.
lines() {
	if [ -z "$3" ]; then fail "$1" "nothing to compare with"
	elif [ "$2" = "$3" ]; then pass "$1 ($(wc -l <<<"$3") lines)"
	else fail "$1" "$(diff <(echo "$2") <(echo "$3") | head -5)"; fi
}
# between NAME FOUND LEAST MOST: fails unless LEAST <= FOUND <= MOST.
between() {
	if [ "$2" -ge "$3" ] && [ "$2" -le "$4" ]; then
		pass "$1"
	else
		fail "$1" "$2 is not between $3 and $4"
	fi
}

tracing=/sys/kernel/tracing
# counting EVENT KEYS [FILTER [FIELD]]: from now on tracefs counts EVENT by KEYS, and adds up FIELD.
# counted EVENT [PATTERN]: prints how often EVENT has happened, with keys that match PATTERN.
counting() {
	echo "hist:keys=$2${4:+:vals=$4}:size=1024${3:+ if $3}" >"$tracing/events/$1/trigger"
}
counted() {
	sed 's/  */ /g' "$tracing/events/$1/hist" |
		awk -v p="${2-}" '/hitcount:/ && $0 ~ p { n += $NF } END { print n + 0 }'
}
told() { awk -v key="$1" '$1 == key { print $2 }' "$said"; }

# profiled COMMAND...: ftrace's profiler counts and times the functions in set_ftrace_filter while
# COMMAND runs. profile FUNCTION: prints "HITS NANOSECONDS" of FUNCTION, over all CPUs.
profiled() {
	local status=0
	echo 1 >$tracing/function_profile_enabled
	"$@" || status=$?
	echo 0 >$tracing/function_profile_enabled
	return $status
}
profile() {
	awk -v f="$1" '$1 == f { n += $2; t += $3 } END { printf "%d %.0f\n", n, t * 1000 }' \
		$tracing/trace_stat/function*
}

# count METRIC KEY, sum METRIC KEY: each prints that number of the row with KEY, or 0 without such a
# row.
count() { of_row count "$@"; }
sum() { of_row sum "$@"; }
of_row() {
	local found
	found=$(row "${@:2}" | value "$1")
	echo "${found:-0}"
}
# sums METRIC: prints the sum over all rows of the metric.
sums() { metric "$1" | grep -o '"sum":[0-9]*' | awk -F: '{ n += $2 } END { printf "%.0f\n", n }'; }

# observe ASPECT COMMAND...: weaves ASPECT while COMMAND runs. Keeps COMMAND's output, which told()
# reads, and the aspect's report, which metric() reads.
observe() {
	local aspect=$1
	shift
	check "$aspect" weft weave "$aspects/$aspect.ko"
	"$@" >"$said" || fail "$aspect: $*" "exit $?"
	weft report --json "$aspect" >"$json" 2>/dev/null
	weft unweave "$aspect" >/dev/null || fail "$aspect: unweave" "exit $?"
}

# equal NAME FOUND WANTED: fails if the numbers differ, or if they are 0.
equal() {
	if [ "${3:-0}" -gt 0 ]; then
		same "$1 ($3)" "$2" "$3"
	else
		fail "$1" "nothing to compare with"
	fi
}

# stub_returns: prints whether weft.ko's stub for int3s (kmod/splice/int3-hook.c) returns by the
# same thunk as the kernel's functions do. asm_exc_int3 calls the stub, either directly or through a
# jump in the padding before exc_int3, and calls nothing else outside of the kernel: by this the
# stub is found. The stub's last instruction jumps to a return, whose thunk is the one to compare.
stub_returns() {
	python3 -S - <<-'END'
	import struct
	symbols = {l.split()[2]: int(l.split()[0], 16) for l in open("/proc/kallsyms")}
	core = open("/proc/kcore", "rb")
	head = core.read(64)
	core.seek(struct.unpack_from("<Q", head, 32)[0])
	count = struct.unpack_from("<H", head, 56)[0]
	loads = [struct.unpack("<IIQQQQQQ", core.read(56)) for _ in range(count)]
	def read(at, n):
	    for kind, _, offset, start, _, size, _, _ in loads:
	        if kind == 1 and start <= at < start + size:
	            core.seek(offset + at - start)
	            return core.read(n)
	def target(at): return (at + 5 + struct.unpack("<i", read(at + 1, 4))[0]) % 2**64
	entry = symbols["asm_exc_int3"]
	calls = [target(entry + i) for i, byte in enumerate(read(entry, 128)) if byte == 0xe8]
	calls += [target(at) for at in calls if read(at, 1) == b"\xe9"]
	stub = next(at for at in calls if at >= symbols["_etext"] and read(at, 1) == b"\x57")
	back = target(stub + 16)
	while read(back, 1) not in (b"\xe9", b"\xc3"): back += 4 # skips an endbr
	plain = read(back, 1) == b"\xc3"
	active, = struct.unpack("<Q", read(symbols["x86_return_thunk"], 8))
	wanted = symbols["__x86_return_thunk"] if plain else target(back)
	# With the ITS mitigation, a return in the upper half of its cache line may be a plain ret.
	if plain and back & 0x20 and active == symbols["its_return_thunk"]: wanted = active
	print("like the kernel" if wanted == active else "%x instead of %x" % (wanted, active))
	END
}

# several_instructions: prints how many jumps of weft have displaced more than one instruction.
# objdump counts the instructions in the original bytes.
several_instructions() {
	weft list --bytes | awk '$3 == "jump" { print $NF }' | python3 -S -c '
import subprocess, sys
SLOT = 64 # More bytes than any splice has; nops fill the rest of a slot.
before = [bytes.fromhex(line) for line in sys.stdin]
open("/tmp/before-jumps", "wb").write(b"".join(b.ljust(SLOT, b"\x90") for b in before))
listing = subprocess.run(["objdump", "-D", "-b", "binary", "-m", "i386:x86-64",
                          "/tmp/before-jumps"], check=True, capture_output=True, text=True)
starts = [int(line.split(":")[0], 16) for line in listing.stdout.splitlines()
          if line[:1] == " " and line.count("\t") >= 2]
print(len({at // SLOT for at in starts if 0 < at % SLOT < len(before[at // SLOT])}))'
}

# again COMMAND...: repeats COMMAND until the file /tmp/enough exists. Writes a line to /tmp/trouble
# for each exit status that a race with other processes does not explain.
again() {
	local status output=/tmp/again.$BASHPID

	while [ ! -e /tmp/enough ]; do
		sleep 0.02
		"$@" >$output 2>&1
		status=$?
		case $status in
		0 | 10 | 11 | 12) ;;
		*) echo "$* $status: $(cat $output)" >>/tmp/trouble ;;
		esac
	done
}

# needs_kernel_file FILE OPTION: ends the case as skipped if the kernel does not have FILE, and so
# was built without OPTION.
needs_kernel_file() {
	[ ! -e "$1" ] || return 0
	echo "SKIP   this kernel has no $2"
	skipped=$((skipped + 1))
	finish
	exit
}

# is_through: succeeds if no task has yet to be switched to or from the live patch of
# nesting/replaced.ko.
is_through() { [ "$(cat /sys/kernel/livepatch/replaced/transition 2>/dev/null || echo 0)" != 1 ]; }

# patched NAME: checks that a live patch of another function can be applied and removed without
# waiting for any task.
patched() {
	insmod "$O/vm/nesting/replaced.ko" || fail "$1: a live patch" "$?"
	check "$1: a live patch comes over all tasks" await is_through
	echo 0 >/sys/kernel/livepatch/replaced/enabled
	check "$1: and goes" await is_through
	await rmmod replaced
	same "$1: it signalled nobody" "$(dmesg | grep -c 'signaling remaining tasks')" 0
}

finish() {
	printf '%d passed, %d failed, %d skipped\n' $passed $failed $skipped
	[ $failed = 0 ]
}
