# SPDX-License-Identifier: GPL-2.0-or-later
#
# What every case in the guest starts with: the programs' folders, weft.ko loaded, results counted. A case is a bash script that
# calls these and ends with `finish`.
set -u

programs=$O/vm/programs
aspects=$O/vm/aspects
PATH=$O:$programs:$PATH
passed=0 failed=0 skipped=0

pass() { printf 'ok     %s\n' "$1"; passed=$((passed + 1)); }
fail() { printf 'FAILED %s: %s\n' "$1" "$2"; failed=$((failed + 1)); }

# check NAME COMMAND...: the command has to succeed; what it printed is shown when it does not.
check() {
	local name=$1 output
	shift
	if output=$("$@" 2>&1); then pass "$name"; else fail "$name" "exit $?: $output"; fi
}

# same NAME FOUND WANTED
same() {
	if [ "$2" = "$3" ]; then pass "$1"; else fail "$1" "'$2' instead of '$3'"; fi
}

# refuses NAME STATUS PATTERN COMMAND...: exits with that status and says one line, on stderr, that matches the pattern.
refuses() {
	local name=$1 want=$2 pattern=$3 status=0 said
	shift 3
	said=$("$@" 2>&1 >/dev/null) || status=$?
	if [ "$status" != "$want" ]; then fail "$name" "exit $status instead of $want: $said"
	elif [ "$(printf '%s\n' "$said" | wc -l)" != 1 ]; then fail "$name" "more than one line: $said"
	elif ! printf '%s\n' "$said" | grep -qE "$pattern"; then fail "$name" "no '$pattern' in: $said"
	else pass "$name"; fi
}

# foretold ASPECT LEDGER: the ledger is the one that `weft plan` has given on the host, by the image alone.
foretold() {
	same "$1: the ledger is what weft plan says" "$(sed -nE '1s/^[a-z_]+: (matched .*)/\1/p' "$2")" \
		"$(sed -n "s/^$1: //p" "$O/vm/plans")"
}

load_weft() { insmod "$O/kmod/weft.ko" || { echo "cannot load weft.ko"; exit 1; }; }

# state NAME: as `weft list` has it, or "none".
state() { weft list --json | sed -n "s/^{\"aspect\":\"$1\",\"state\":\"\([a-z]*\)\".*/\1/p" | grep . || echo none; }

# figure NAME KEY: a number of `weft list --json`.
figure() { weft list --json | grep "^{\"aspect\":\"$1\"," | sed "s/.*\"$2\":\([0-9]*\).*/\1/"; }

# ---- settling: held up, and waited for ----

# Nothing but the spinner and what RCU needs runs on CPU 1, so that the work that settling waits for does not: it has to run on every
# CPU.
give_way() {
	local comm
	for comm in /proc/[0-9]*/comm; do
		case $(cat $comm 2>/dev/null) in
		ksoftirqd/1 | rcu_preempt | rcu_tasks*) chrt -f -p 60 "$(echo $comm | cut -d/ -f3)" ;;
		esac
	done
}
# From stall to go_on a program runs on CPU 1 that lets nobody else run; what waits for all CPUs waits.
stall() {
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
}
# settled ASPECT: waits for it.
settled() {
	for ((i = 0; i < 100; i++)); do [ "$(figure "$1" settling)" = 0 ] && return; sleep 0.1; done
	weft list
	return 1
}
hits_during() { # ASPECT: hits that traffic makes
	local before
	before=$(figure "$1" hits)
	taskset -c 0 traffic 30 >/dev/null
	echo $(($(figure "$1" hits) - before))
}

finish() {
	printf '%d passed, %d failed, %d skipped\n' $passed $failed $skipped
	[ $failed = 0 ]
}
