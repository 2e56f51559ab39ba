#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Makes the records of a kernel that was built elsewhere, without the plugin: its source is parsed,
# under its configuration, and no code is made. `records.sh --help` says how it is called; `weft
# index VMLINUX --records FOLDER` is what comes next.
#
# The work is kbuild's, with a compiler (records-cc) that leaves a joinpoint table in the place of
# each object. So what is included, defined and configured is what a build would have, an
# interrupted run goes on where it was, and a changed file is parsed again. The stamp weft-records,
# written last, makes a folder of objects a folder of records.
set -euo pipefail

here=$(cd "$(dirname "$(realpath "${BASH_SOURCE[0]}")")" && pwd)
exit_failure=1 exit_usage=2 exit_mismatch=7	# as in docs/exit-codes.md
memory_kb=8000000	# what a compiler gone wild may take; a unit needs a twentieth
source='' config='' out='' cc='' plugin='' jobs=$(nproc) keep_going=0 modules=0 quiet=0
folders=()

usage() {
	cat <<-'END'
	usage: records.sh --source TREE --config CONFIG --out FOLDER [options] [PART...]

	  --source TREE     the kernel's source, of the very version that the kernel was built from,
	                    and not built in
	  --config CONFIG   its configuration: /boot/config-RELEASE
	  --out FOLDER      where the records go; a run that was interrupted goes on there
	  PART              folders of the source to parse, such as fs net/core (default: all that
	                    the kernel is made of)

	  --modules         modules too (default: what is built in)
	  --cc COMPILER     default: the one that CONFIG names, where it is installed, else gcc
	  --plugin FILE     weft_joinpoints.so, built for that compiler (default: beside this
	                    program)
	  --jobs N          default: the number of processors
	  --keep-going      units that cannot be parsed are left out instead of making the whole a
	                    failure
	  --quiet           no progress bar
	END
}

die() { printf 'records.sh: %s\n' "$2" >&2; exit "$1"; }

parse_options() {
	while [ $# -gt 0 ]; do
		case $1 in
		--help) usage; exit 0 ;;
		--modules) modules=1 ;;
		--keep-going) keep_going=1 ;;
		--quiet) quiet=1 ;;
		--source | --config | --out | --cc | --plugin | --jobs)
			[ $# -gt 1 ] || die $exit_usage "$1 needs a value"
			printf -v "${1#--}" %s "$2"
			shift ;;
		-*) die $exit_usage "unknown option $1 (see --help)" ;;
		*) folders+=("${1%/}/") ;;
		esac
		shift
	done
	[ -n "$source" ] && [ -n "$config" ] && [ -n "$out" ] ||
		die $exit_usage "--source, --config and --out are needed (see --help)"
}

# One clear line each, before anything is made.
check_input() {
	local folder tool

	[ -d "$source" ] || die $exit_failure "$source: no such folder"
	[ -r "$config" ] || die $exit_failure "$config: cannot read it"
	source=$(realpath "$source") config=$(realpath "$config")
	[ -e "$source/Kbuild" ] && [ -e "$source/scripts/Makefile.build" ] ||
		die $exit_failure "$source: not a kernel's source tree"
	if [ -e "$source/.config" ] || [ -d "$source/include/config" ]; then
		die $exit_failure "$source: a kernel was built in it; \
unpack it anew, or run make mrproper there"
	fi
	for folder in ${folders[@]+"${folders[@]}"}; do
		[ -d "$source/$folder" ] || die $exit_failure "$source has no folder $folder"
	done
	for tool in make flex bison bc as; do
		command -v $tool >/dev/null ||
			die $exit_failure \
				"$tool is missing: apt-get install make flex bison bc binutils"
	done
	if grep -q '^CONFIG_DEBUG_INFO_BTF=y' "$config"; then
		command -v pahole >/dev/null ||
			die $exit_failure "pahole is missing: apt-get install pahole"
	fi
	if [ ${#folders[@]} = 0 ]; then
		for folder in arch/x86 block crypto drivers fs init io_uring ipc kernel lib mm net \
			security sound virt; do
			[ ! -d "$source/$folder" ] || folders+=("$folder/")
		done
	fi
}

choose_compiler() {
	local named

	named=$(sed -n 's/^CONFIG_CC_VERSION_TEXT="\([^ "]*\).*/\1/p' "$config")
	if [ -z "$cc" ]; then
		cc=gcc
		if [ -n "$named" ] && command -v "$named" >/dev/null; then cc=$named; fi
	fi
	command -v "$cc" >/dev/null || die $exit_failure "$cc is missing"
	for named in "$here/../build/gcc-plugin" "$here"; do
		if [ -z "$plugin" ] && [ -e "$named/weft_joinpoints.so" ]; then
			plugin=$named/weft_joinpoints.so
		fi
	done
	[ -n "$plugin" ] && [ -e "$plugin" ] ||
		die $exit_failure "no weft_joinpoints.so: make plugin, or name it with --plugin"
	plugin=$(realpath "$plugin")
	named=$("$cc" -fsyntax-only -fplugin="$plugin" \
		-fplugin-arg-weft_joinpoints-records=/dev/null -x c /dev/null 2>&1) ||
		die $exit_failure \
			"the plugin does not work in $cc: $(printf '%s\n' "$named" | head -n 1)"
}

kmake() {
	(
		unset MAKEFLAGS MFLAGS MAKEOVERRIDES MAKELEVEL O V ARCH CROSS_COMPILE KCFLAGS \
			KBUILD_OUTPUT
		ulimit -v $memory_kb
		export LC_ALL=C WEFT_RECORDS_CC=$cc WEFT_RECORDS_PLUGIN=$plugin \
			WEFT_RECORDS_SOURCE=$source
		exec make -C "$source" O="$out" CC="$here/records-cc" objtool=: "$@"
	)
}

# What Kconfig has to change in the configuration tells that it is of another source. What depends
# on tools alone may differ; without a Rust compiler nothing written in Rust is there, of which
# nothing is parsed.
check_config() {
	local of_config lost
	local of_tools='[A-Z]+_VERSION(_TEXT)?|RUST|[A-Z0-9_]+_RUST(_[A-Z0-9_]+)?'

	of_tools+='|(CC|AS|LD|TOOLS|PAHOLE|GCC|RUSTC?|BINDGEN|OPENSSL)_[A-Z0-9_]*'

	version=$(kmake -s kernelversion)
	of_config=$(sed -n 's/^# Linux\/[^ ]* \([^ ]*\) Kernel Configuration$/\1/p' "$config")
	[ -z "$of_config" ] || [ "$of_config" = "$version" ] ||
		die $exit_mismatch "$config is of Linux $of_config, and $source is Linux $version"
	cp "$config" "$out/.config"
	kmake -s olddefconfig >>"$log" 2>&1 || fail_with_log "make olddefconfig"
	lost=$(grep '^CONFIG_' "$config" | grep -vxFf "$out/.config" |
		grep -vE "^CONFIG_($of_tools|SYSTEM_TRUSTED_KEYS)=" || true)
	[ -z "$lost" ] ||
		die $exit_mismatch "$config is not of $source: $(printf '%s\n' "$lost" | wc -l) of \
its options do not survive, the first is $(printf '%s\n' "$lost" | head -n 1)"
}

# kbuild does not know that another plugin makes other tables.
drop_old_tables() {
	local sum

	sum=$(sha256sum <"$plugin")
	if [ -e "$out/weft-plugin" ] && [ "$(cat "$out/weft-plugin")" != "$sum" ]; then
		find "$out" -name '*.o' -delete
	fi
	printf '%s\n' "$sum" >"$out/weft-plugin"
}

configure() {
	drop_old_tables
	if [ -e "$out/weft-config" ] && cmp -s "$config" "$out/weft-config" &&
		[ -e "$out/.config" ]; then
		version=$(kmake -s kernelversion)
	else
		check_config
	fi
	kmake -s -j"$jobs" prepare >>"$log" 2>&1 || fail_with_log "make prepare"
	cp "$config" "$out/weft-config"
}

fail_with_log() {
	tail -n 15 "$log" >&2
	die $exit_failure "$1 failed; the whole log is $log"
}

# The units that are still to be parsed: what make would do.
count_units() {
	kmake -n "${goals[@]}" 2>/dev/null |
		grep -oE " -c -o ($(IFS='|'; echo "${folders[*]}"))[^ ]+\.o " | sort -u | wc -l ||
		true
}

show_progress() {
	local units now elapsed width=40 filled

	[ $quiet = 0 ] || return 0
	units=$(grep -cE '^  CC ' "$log" || true)
	elapsed=$((SECONDS - started))
	if [ "$units" -gt "$total" ]; then total=$units; fi
	if [ -t 2 ]; then
		filled=$((total ? units * width / total : width))
		printf -v now '%*s' $filled ''
		printf '\rrecords: [%-*s] %d of %d units, %d:%02d ' $width "${now// /#}" "$units" \
			"$total" $((elapsed / 60)) $((elapsed % 60)) >&2
	elif [ "$units" -ge "$next_line" ]; then
		printf 'records: %d of %d units, %d:%02d\n' "$units" "$total" $((elapsed / 60)) \
			$((elapsed % 60)) >&2
		next_line=$((units + 100))
	fi
}

# make runs in the background, so that the progress bar and the signals are ours; there it ignores
# SIGINT, hence SIGTERM. It removes its half-written targets.
parse() {
	local pid status=0

	goals=("${folders[@]}")
	if [ $modules = 0 ]; then goals+=(KBUILD_MODULES=); fi
	total=$(count_units)
	started=$SECONDS next_line=0
	kmake -k -j"$jobs" "${goals[@]}" >>"$log" 2>&1 &
	pid=$!
	trap 'kill -TERM $pid 2>/dev/null || true; wait $pid || true; echo >&2
		die 130 "interrupted; run it again to go on"' INT TERM
	while kill -0 $pid 2>/dev/null; do
		show_progress
		sleep 1
	done
	wait $pid || status=$?
	trap - INT TERM
	show_progress
	if [ $quiet = 0 ] && [ -t 2 ]; then echo >&2; fi
	parse_seconds=$((SECONDS - started))
	[ $status = 0 ] || judge_failures
}

# units_text N: "1 unit", "2 units"
units_text() { if [ "$1" = 1 ]; then echo "1 unit"; else echo "$1 units"; fi; }

judge_failures() {
	local failed

	failed=$(sed -nE 's/^make\[[0-9]+\]: \*\*\* \[[^ ]*: ([^ ]+\.o)\] Error .*/\1/p' "$log" |
		sort -u)
	if [ -z "$failed" ]; then fail_with_log make; fi
	nr_failed=$(printf '%s\n' "$failed" | wc -l)
	printf 'records.sh: %s could not be parsed, the first is %s; the log is %s\n' \
		"$(units_text "$nr_failed")" "$(head -n 1 <<<"$failed")" "$log" >&2
	[ $keep_going = 1 ] || exit $exit_failure
}

main() {
	local nr_failed=0

	parse_options "$@"
	check_input
	choose_compiler
	mkdir -p "$out"
	out=$(realpath "$out")
	log=$out/records.log
	: >"$log"
	rm -f "$out/weft-records"
	configure
	parse
	printf '%s\n' "version $version" "source $source" \
		"compiler $("$cc" --version | head -n 1)" "parts ${folders[*]}" \
		"failed $nr_failed" >"$out/weft-records.new"
	mv "$out/weft-records.new" "$out/weft-records"
	printf '%s: records of Linux %s: %s parsed in %d:%02d, %d failed, %s\n' "$out" "$version" \
		"$(units_text "$(grep -cE '^  CC ' "$log" || true)")" $((parse_seconds / 60)) \
		$((parse_seconds % 60)) "$nr_failed" \
		"$(find "$out" -name '*.o' -newer "$out/weft-config" -printf '%s\n' |
			awk '{ s += $1 } END { printf "%.1f MB", s / 1e6 }')"
}

main "$@"
