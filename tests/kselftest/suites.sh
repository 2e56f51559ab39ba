# SPDX-License-Identifier: GPL-2.0-or-later
#
# Functions that run the kernel's own selftests, suite by suite. Scripts in the guest source this
# file. Each function suite_NAME prints a line for each test of the suite,
# SUITE<tab>TEST<tab>RESULT, and writes the test's own output to $logs. The tests, and the modules
# that some of them load, come from the kernel's source ($WEFT_KERNEL).
set -u
selftests=$WEFT_KERNEL/tools/testing/selftests
logs=${logs:-/tmp/logs}
# The limit in seconds for each test, far more than any test takes. A test that does not end has a
# result too.
limit_s=900

# Makes the modules of the kernel's build available to modprobe, and a ping for tests that use it;
# gives slow tests more time, but leaves the watchdogs on, to find hangs.
prepare_guest() {
	local folder=/lib/modules/$(uname -r) module

	mkdir -p "$logs" "$folder/kernel"
	while read -r module; do
		cp "$WEFT_KERNEL/${module%.*}.ko" "$folder/kernel/"
	done <"$WEFT_KERNEL/modules.order"
	touch "$folder"/modules.{order,builtin,builtin.modinfo}
	depmod
	command -v ping >/dev/null || ln -s /bin/busybox /usr/local/bin/ping
	echo 60 >/proc/sys/kernel/watchdog_thresh
	echo 600 >/proc/sys/kernel/hung_task_timeout_secs
}

# mark LINE: writes LINE to the kernel log. since LINE: prints the kernel log from the last such
# mark on, without times.
mark() { echo "kselftest: $1" >/dev/kmsg; }
since() { dmesg | sed 's/^\[[ 0-9.]*\] //' | awk -v m="kselftest: $1" '$0 == m { n = "" ; next }
	{ n = n $0 "\n" } END { printf "%s", n }'; }

# ---- ftrace, and kprobe events, with the result words of ftracetest ------------------------------

# ftrace_case FILE: runs one test alone, so that it has its own time limit and log. ftracetest runs
# some tests a second time in an instance of tracefs, so one FILE may have two results.
ftrace_case() {
	local name=${1#"$selftests/ftrace/test.d/"} said status=0

	said=$(cd "$selftests/ftrace" &&
		timeout -k 10 $limit_s ./ftracetest -l "$logs/ftrace-${name//\//_}" "$1" 2>&1) ||
		status=$?
	echo "$said" | sed -nE 's/^\[[0-9]+\]( \(instance\) )?.*\t\[([A-Z]+)\]$/\2\1/p' |
		while read -r result instance; do
			printf 'ftrace\t%s%s\t%s\n' "$name" "${instance:+ $instance}" "$result"
		done
	[ $status -lt 124 ] || printf 'ftrace\t%s\tTIMEOUT\n' "$name"
}

suite_ftrace() {
	local folder=$selftests/ftrace/test.d which=${WEFT_FTRACE:-*} file

	find "$folder" -name '*.tc' -path "$folder/$which" | sort | while read -r file; do
		ftrace_case "$file" </dev/null
	done
}

# ---- live patching and jump labels, which are tested by scripts ----------------------------------

# word_of STATUS: prints kselftest's word for a script's status.
word_of() {
	case $1 in
	0) echo PASS ;;
	4) echo SKIP ;;
	124 | 137) echo TIMEOUT ;;
	*) echo FAIL ;;
	esac
}

# Each script of the suite runs several tests, and ends with the first one that fails.
suite_livepatch() {
	local script name status

	for script in "$selftests"/livepatch/test-*.sh; do
		name=$(basename "$script" .sh) status=0
		(cd "$selftests/livepatch" && timeout -k 10 $limit_s "$script") \
			>"$logs/livepatch-$name" 2>&1 </dev/null || status=$?
		sed -nE "s/^TEST: (.*) \.\.\. (ok|not ok|SKIP|ERROR).*/livepatch\t$name: \1\t\2/p" \
			"$logs/livepatch-$name"
		printf 'livepatch\t%s\t%s\n' "$name" "$(word_of $status)"
	done
}

suite_static_keys() {
	local status=0

	timeout -k 10 $limit_s "$selftests/static_keys/test_static_keys.sh" \
		>"$logs/static_keys" 2>&1 || status=$?
	printf 'static_keys\ttest_static_keys\t%s\n' "$(word_of $status)"
	sed -nE 's/^static_keys?: (.*)$/static_keys\tsaid\t\1/p' "$logs/static_keys"
}

# ---- modules that run tests when they are loaded -------------------------------------------------

# The results of KUnit are in the kernel log.
suite_kprobes() {
	mark kprobes
	modprobe kunit enable=1 && modprobe test_kprobes
	since kprobes >"$logs/kprobes"
	rmmod test_kprobes
	sed -nE 's/^ +(ok|not ok) [0-9]+ -? ?(test_[a-z_]*).*/kprobes\t\2\t\1/p' "$logs/kprobes"
}

# Tests of events that modules make by calls of the kernel.
suite_events() {
	local module

	for module in kprobe_event_gen_test synth_event_gen_test; do
		modprobe $module >"$logs/events-$module" 2>&1
		printf 'events\t%s, loading\t%s\n' $module "$(word_of $?)"
		rmmod $module >>"$logs/events-$module" 2>&1
		printf 'events\t%s, unloading\t%s\n' $module "$(word_of $?)"
	done
}

# lib/test_bpf.c tests the JIT, tail calls and segmentation. Its results are in the kernel log.
suite_bpf() {
	local part

	for part in test_bpf test_tail_calls test_skb_segment; do
		mark $part
		timeout -k 10 $limit_s modprobe test_bpf test_suite=$part \
			>"$logs/bpf-$part-status" 2>&1
		since $part >"$logs/bpf-$part"
		rmmod test_bpf 2>/dev/null
		sed -nE -e "s/^test_bpf: #([0-9]+) (.*) (jited:[01]) .*(PASS|FAIL).*/\
bpf\t$part \1: \2 \3\t\4/p" -e t \
			-e "s/^test_bpf: #([0-9]+) (.*) (PASS|FAIL).*/bpf\t$part \1: \2\t\3/p" \
			"$logs/bpf-$part"
	done
}
