#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Tests the harness that runs guests: each way in which a run can fail must be reported as that
# failure, and in a good run everything must be there that the tests in the guest take for granted.
# Options are passed on to vm.sh (--kernel, --accel, ...).
set -uo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
top=$(cd "$here/../.." && pwd)
export O=${O:-$top/build}
options=("$@")
passed=0 failed=0 skipped=0
mkdir -p "$O/vm"
work=$(mktemp -d "$O/vm/selftest-XXXXXX")
trap 'rm -rf "$work"' EXIT
kernel=$("$here/kernel.sh" path)
for ((i = 0; i < ${#options[@]}; i++)); do
	if [ "${options[i]}" = --kernel ]; then kernel=${options[i + 1]}; fi
done

pass() { printf 'ok     %s\n' "$1"; passed=$((passed + 1)); }
fail() { printf 'FAILED %s: %s\n' "$1" "$2"; failed=$((failed + 1)); }

# holds NAME REASON COMMAND...: fails with REASON if COMMAND fails.
holds() {
	if "${@:3}"; then pass "$1"; else fail "$1" "$2"; fi
}

# expect NAME STATUS GUEST-COMMANDS [vm.sh option...]: runs the commands in a guest; vm.sh must exit
# with STATUS.
expect() {
	local name=$1 want=$2 got=0

	printf '%s\n' "$3" >"$work/script"
	"$here/vm.sh" --quiet --out "$work/run" "${options[@]}" "${@:4}" "$work/script" \
		>"$work/stdout" 2>"$work/stderr" || got=$?
	holds "$name" "exit $got instead of $want: $(tail -n 1 "$work/stderr")" [ $got = "$want" ]
}

# expect_text NAME FILE PATTERN: FILE of the last run must have a line that matches PATTERN.
expect_text() {
	holds "$1" "no '$3' in $2" grep -qE "$3" "$work/$2"
}

build_module() {
	mkdir -p "$work/module"
	cp "$here/selftest/weft_selftest.c" "$work/module/"
	echo 'obj-m := weft_selftest.o' >"$work/module/Kbuild"
	# O= and V= have other meanings for the kernel's make, which therefore must not inherit
	# them.
	env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL -u O -u V make -s -C "$kernel" M="$work/module" \
		modules >"$work/module/log" 2>&1 ||
		{ tail "$work/module/log"; return 1; }
}

good_run() {
	local name status=0

	build_module || { fail "host-built module" "does not build"; return; }
	mkdir "$work/share"
	echo hello >"$work/share/from-host"
	"$here/vm.sh" --quiet --out "$work/run" --share "$work/share" \
		--env "SELFTEST=a 'quoted' \"value\"" "${options[@]}" "$here/selftest/guest.sh" \
		"two words" '$HOME *' "$work/module/weft_selftest.ko" \
		>"$work/stdout" 2>"$work/stderr" ||
		status=$?
	holds "a good run succeeds" "exit $status: $(tail -n 1 "$work/stderr")" [ $status = 0 ]
	while read -r name; do
		case $name in
		ok\ *) pass "${name#ok }" ;;
		skip\ *) printf 'SKIP   %s\n' "${name#skip }"; skipped=$((skipped + 1)) ;;
		*) fail "${name#not ok }" "see selftest/guest.sh" ;;
		esac
	done < <(grep -E '^((not )?ok|skip) ' "$work/stdout")
	holds "the share comes back" "no from-guest" \
		cmp -s "$work/share/from-host" "$work/share/from-guest"
	holds "the host's root is left alone" "/etc/weft-selftest is there" \
		[ ! -e /etc/weft-selftest ]
	holds "output file equals output" "they differ" cmp -s "$work/run/output.log" "$work/stdout"
}

# key_after NAME same|other FILE SED-COMMAND: in a copy of what the kernel's key depends on, FILE is
# edited; the key must then be the same as before, or another one.
key_after() {
	local -x WEFT_KERNEL_PLUGIN=1 WEFT_KERNEL_FLAVOUR=
	local tree=$work/tree before after

	rm -rf "$tree"
	mkdir -p "$tree/tests/vm" "$tree/runtime"
	cp -r "$top/gcc-plugin" "$top/scripts" "$tree/"
	cp "$top/runtime/joinpoint-table.h" "$tree/runtime/"
	cp "$here"/kernel* "$tree/tests/vm/"
	before=$("$tree/tests/vm/kernel.sh" path)
	sed -i "$4" "$tree/$3"
	after=$("$tree/tests/vm/kernel.sh" path)
	if cmp -s "$top/$3" "$tree/$3"; then after="an edit that changes nothing"
	elif [ "$before" = "$after" ]; then after=same
	else after=other
	fi
	holds "$1" "$after instead of $2" [ "$after" = "$2" ]
}

kernel_keys() {
	local plugin=gcc-plugin/fate.cc table=runtime/joinpoint-table.h

	key_after "a comment of the plugin keeps the kernel" same $plugin \
		'1a /* A new comment\n * of two lines. */\n\n// Another one.'
	key_after "another indentation keeps it" same $plugin 's/^\t/        /'
	key_after "a comment of the table's format keeps it" same $table '1a /* A comment. */'
	key_after "a comment in its rules keeps it" same gcc-plugin/build.mk '1a # A comment.'
	key_after "a statement is another kernel" other $plugin \
		'$a static int one(void) { return 1; }'
	key_after "a blank in a string is another one" other $table 's/"WEFT"/"WE FT"/'
	key_after "a definition is another one" other $table '0,/^#define .* /s//&1 + /'
	key_after "an option of the compiler is another one" other gcc-plugin/build.mk 's/-O2/-O1/'
}

lkdtm='insmod $WEFT_KERNEL/drivers/misc/lkdtm/lkdtm.ko
	provoke() { echo $1 >/sys/kernel/debug/provoke-crash/DIRECT; }'

kernel_keys
good_run
expect "exit 3 comes back as 3" 3 'echo to-stdout; echo to-stderr >&2; exit 3'
expect_text "output of a failed script is there" stdout '^to-stderr'
expect "a killed script is a failure" 126 'kill -9 $$'
expect "a panic is a failure" 120 'echo c >/proc/sysrq-trigger; sleep 5'
expect_text "a panic shows the kernel log" stderr 'sysrq triggered crash'
expect "an oops is a panic" 120 "$lkdtm; provoke EXCEPTION; sleep 5"
expect "a silent reboot is a failure" 120 'echo b >/proc/sysrq-trigger; sleep 5'
# The time limit for a guest that hangs must be long enough to boot the guest on this machine.
limit_s=$(awk '/^started/ { printf "%d", 10 + 3 * $2 }' "$work/run/verdict")
expect "a hang ends by timeout" 124 'echo before; sleep 1000' --timeout "$limit_s"
expect_text "output before the hang is there" stdout '^before'
expect "a warning fails a happy script" 121 "$lkdtm; provoke WARNING; exit 0"
expect_text "the warning is shown" stderr 'cut here'
expect "--allow-splat lets it pass" 0 "$lkdtm; provoke WARNING; exit 0" --allow-splat
expect "an instruction-counting run has one CPU" 0 '[ $(nproc) = 1 ]' --icount
expect "a guest that finds no timers starts at last" 0 'true' --append nolapic_timer
expect_text "it was booted again" run/verdict '^boots 5$'
gcc -O2 -o "$work/flags" "$here/emulator/flags.c"
expect "cmpxchg16b returns flags that there are, or is not there" 0 "$work/flags"
expect "a kernel that is not there is a harness failure" 125 'true' --kernel "$work"

printf '%d passed, %d failed, %d skipped\n' $passed $failed $skipped
[ $failed = 0 ]
