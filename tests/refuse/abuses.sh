#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The table of mistakes that authors of aspects can make in advice: how each is found, and with
# which message.
#
#	abuses.sh compile WEFT [OPTION...]	compiles all whose TOLD is `compile`: a test
#	abuses.sh rows TOLD...			"NAME TOLD PATTERN" of those with one of these TOLD
#	abuses.sh xml NAME			an aspect that does it at each call of in4_pton()
#
# TOLD is how the mistake is found: `compile`, as an error of `weft compile`; `check`, by
# `weft weave --check` when it happens; `run`, without that option when it happens; `open`, not at
# all. Mistakes that are found when they happen are tried by tests/vm/cases/abuses.sh.
set -u

headers='linux/delay.h linux/fs.h linux/mutex.h linux/slab.h linux/spinlock.h linux/uaccess.h'
declare='static __maybe_unused DEFINE_MUTEX(mutex);
static __maybe_unused char room[8];
static noinline __maybe_unused void disable(void) { preempt_disable(); }
static noinline __maybe_unused void mask(void) { local_irq_disable(); }'

# Each row: NAME, TOLD, PATTERN (an extended regular expression for the message), C in one line.
table() {
	row large_array compile 'this advice needs 20[0-9]{3} bytes of stack, more than 1024' \
		'char a[20480]; strscpy(a, current->comm, sizeof(a)); weft_log("%s", a);'
	row endless open 'time' \
		'for (;;) cpu_relax();'
	row msleep compile 'msleep\(\) may sleep, and advice must not: msleep -> ' \
		'msleep(1);'
	row schedule compile 'schedule\(\) may sleep, and advice must not: schedule' \
		'schedule();'
	row filp_open compile 'filp_open\(\) may sleep, and advice must not: filp_open -> ' \
		'filp_open("/etc/hostname", O_RDONLY, 0);'
	row kmalloc compile 'an allocation with these flags may sleep, and advice must not' \
		'kfree(kmalloc(8, GFP_KERNEL));'
	row mutex compile 'mutex_lock\(\) may sleep, and advice must not: mutex_lock -> ' \
		'mutex_lock(&mutex); mutex_unlock(&mutex);'
	row user_memory compile 'strncpy_from_user\(\) may sleep, and advice must not: ' \
		'weft_log("%ld", strncpy_from_user(room, (void __user *)8, sizeof(room)));'
	row preemption compile 'does not give back what it takes, .*: preemption' \
		'preempt_disable();'
	row interrupts compile 'does not give back what it takes, .*: interrupts' \
		'local_irq_disable();'
	row return_address check 'unbalanced: a return address' \
		'*(unsigned long *)$rsp = 0;'
	row preemption_by_helper check 'unbalanced: preemption' \
		'disable();'
	row interrupts_by_helper check 'unbalanced: interrupts' \
		'mask();'
	row bug run 'BUG\(\) or invalid opcode' \
		'BUG();'
	row null run 'page fault' \
		'*(volatile int *)NULL = 1;'
}

print_row() {
	[ "$2" = open ] && [ "$wanted" != all ] && return
	case " $wanted " in *" $2 "* | " all ") printf '%s %s %s\n' "$1" "$2" "$3" ;; esac
}

head_of() {
	local header

	printf '<aspect name="%s">\n' "$1"
	for header in $headers; do printf '<include header="%s"/>\n' "$header"; done
	printf '<declare><![CDATA[\n%s\n]]></declare>\n' "$declare"
	printf '<pointcut><function name="in4_pton"/></pointcut>\n'
}
advice_of() { printf '<before-advice><![CDATA[ %s ]]></before-advice>\n' "$1"; }

case ${1-} in
rows)
	shift
	wanted=$*
	row() { print_row "$@"; }
	table
	;;
xml)
	wanted=$2
	row() { [ "$1" != "$wanted" ] || { head_of "abuse_$1"; advice_of "$4"; }; }
	table
	echo '</aspect>'
	;;
compile)
	shift
	work=$(mktemp -d)
	trap 'rm -rf "$work"' EXIT
	passed=0 failed=0 tried=()
	add() {
		[ "$2" = compile ] || return
		advice_of "$4" >>"$work/abuses.xml"
		tried+=("$(wc -l <"$work/abuses.xml") $1 $3")
	}
	head_of abuses >"$work/abuses.xml"
	row() { add "$@"; }
	table
	echo '</aspect>' >>"$work/abuses.xml"
	"$1" compile -o "$work/abuses.ko" "${@:2}" "$work/abuses.xml" >"$work/out" 2>&1
	status=$?
	[ $status -eq 4 ] || { echo "FAILED exit status $status, not 4"; failed=1; }
	for row in "${tried[@]}"; do
		read -r line name pattern <<<"$row"
		if grep -qE "abuses\.xml:$line:[0-9]+: .*$pattern" "$work/out"; then
			passed=$((passed + 1))
		else
			echo "FAILED $name is not told: no '$pattern' of line $line"
			failed=$((failed + 1))
		fi
	done
	[ $failed -eq 0 ] || cat "$work/out"
	echo "$passed passed, $failed failed, 0 skipped"
	[ $failed -eq 0 ]
	;;
*)
	sed -n 's/^#	//p' "$0" >&2
	exit 2
	;;
esac
