#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# run.sh [--quick|--plan|--prepare|--compile] SUITE...: tests weft on Debian's kernels as shipped
# (shipped.sh has the suites). For each it makes the weaver and the plugin where its compiler is,
# weft.ko, and the database (`weft prepare`, of the few units whose exact labels aspects and cases
# need), and compiles every shipped aspect. Then it boots a guest for each script of cases/, and for
# some of the demo kernel's (tests/vm). A script lists the other aspects that it needs in a line
# `# aspects: NAME...`, and those with joinpoints in the distribution's modules in a line
# `# module aspects: NAME...`. All are in $WEFT_ASPECTS.
#
# --quick tests one kernel that is in the cache and is not of the demo kernel's version, chosen by
# WEFT_SEED: it takes two minutes of a processor, most of them for weft.ko, and boots one guest.
# Everything else is listed as skipped.
#
# --plan prints which share of the instructions of each kernel, and of ten of its modules, can be
# woven at jump speed, and compares a part of the weaver's plan with objdump. It needs neither a
# guest nor a compiler.
#
# --prepare prints how long `weft prepare --all` takes, and how much of the kernel it proves
# identical, without a guest. With SAMPLE=N it compiles N units only, and estimates the rest.
#
# --compile compiles the weaver, the plugin, weft.ko and the shipped aspects, and checks their
# indirect branches, without a guest. Aspects of struct members are left out, since the database has
# no accesses.
#
# Results are kept in $O/kernels/SUITE and made again when something that they depend on has
# changed. Environment: O; POINTCUT and UNITS, which units are compiled; CASES, names of scripts;
# JOBS.
set -euo pipefail

. "$(dirname "$0")/../oracle/names.sh"
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
top=$(cd "$here/../.." && pwd)
export O=${O:-$top/build}
shipped=$here/shipped.sh
pointcut=${POINTCUT:-sk_buff.destructor}
units=${UNITS:-fs/read_write.c fs/namei.c kernel/time/hrtimer.c kernel/sched/core.c kernel/softirq.c
	mm/filemap.c}
jobs=${JOBS:-$(nproc)}
# These cases of the demo kernel have aspects that match on any kernel.
vm_cases="$top/tests/vm/cases/records.sh $top/tests/vm/cases/modules.sh
	$top/tests/vm/cases/stacks.sh $top/tests/vm/cases/processes.sh
	$top/tests/vm/cases/processes_mixed.sh $top/tests/vm/long/stress.sh"
# The modules whose plans are measured: file systems, networks, block devices. The modules of
# shipped_modules.sh are among them.
planned_modules='nf_conntrack nf_tables virtio_net veth bridge loop xfs btrfs cifs sctp'
stressed_functions=300
how=whole passed=0 failed=0 skipped=0

pass() { printf 'ok     %s\n' "$1"; passed=$((passed + 1)); }
fail() { printf 'FAILED %s: %s\n' "$1" "$2"; failed=$((failed + 1)); }
skip() { printf 'skip   %s: %s\n' "$1" "$2"; skipped=$((skipped + 1)); }

# step NAME COMMAND...: runs COMMAND, which must succeed. Its output is kept, and its end is shown
# if it fails.
step() {
	local name=$1 log=$folder/${1// /-}.log start=$SECONDS

	shift
	if "$@" >"$log" 2>&1 </dev/null; then
		pass "$suite: $name ($((SECONDS - start)) s)"
	else
		fail "$suite: $name" "exit $?; the end of $log:"
		tail -n 5 "$log"
		return 1
	fi
}

# use SUITE: sets suite, kernel, release, folder (for what is made for the suite) and tools (the
# object folder of the weaver and the plugin, which suites of one release share).
use() {
	suite=$1
	kernel=$("$shipped" path "$suite")
	release=$(sed -n 's/^release //p' "$kernel/weft-shipped")
	folder=$O/kernels/$suite
	tools=$O
	# shellcheck source=/dev/null
	if [ "$(. /etc/os-release && echo "${VERSION_CODENAME:-}")" != "${suite%-backports}" ]; then
		tools=$O/kernels/${suite%-backports}
	fi
	mkdir -p "$folder" "$tools"
}

# there COMMAND...: runs COMMAND where the suite's compiler is.
there() { "$shipped" in "$suite" "$@"; }
# The settings of the make that runs this script must not reach the make that this function runs.
make_there() {
	there env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL make -j"$jobs" --no-print-directory \
		DEPS=build "$@"
}

make_tools() { make_there O="$tools" all; }
make_kmod() { make_there O="$folder" KERNEL="$kernel/headers" "$@"; }

# is_newer FILE OTHER...: succeeds if FILE is newer than all OTHERs that exist.
is_newer() {
	local than first=$1

	shift
	[ -e "$first" ] || return 1
	for than; do [ ! "$than" -nt "$first" ] || return 1; done
}

# Prints what the database depends on. make_database() keeps this text beside the finished database,
# and makes the database anew if the text has changed.
database_inputs() { printf '%s\n' "release $release" "for $pointcut" "units $units"; }

# prepare_into FOLDER ARGUMENT...: sets command to a `weft prepare` whose results go into FOLDER.
prepare_into() {
	local into=$1

	shift
	command=("$shipped" in "$suite" env WEFT_PREPARED="$into" "$tools/weft" prepare
		--kernel "$release" --source "$source" --vmlinux "$kernel/vmlinux"
		--config "$kernel/config" --plugin "$tools/gcc-plugin/weft_joinpoints.so" "$@")
}
prepare() {
	local command

	prepare_into "$folder/prepared" --jobs "$jobs" "$@"
	"${command[@]}"
}

# Makes exact labels for the units that the cases and aspects need. For the rest of the kernel there
# is only DWARF.
make_database() {
	local source stamp=$folder/database-inputs
	local database

	database=$folder/prepared/$release/vmlinux.weft
	if ! is_newer "$database" "$tools/gcc-plugin/weft_joinpoints.so" "$tools/weft" ||
		! database_inputs | cmp -s - "$stamp"; then
		rm -f "$stamp"
		source=$("$shipped" source "$suite")
		# shellcheck disable=SC2086 # a list of words
		prepare $units && prepare --for "$pointcut" || return
		database_inputs >"$stamp"
	fi
	ln -sfn "prepared/$release/vmlinux.weft" "$folder/kernel.weft"
}

# Sets files to those of the modules as shipped. Their debug information is in the debug package
# under the same paths.
find_module_files() {
	local name

	files=()
	for name in $planned_modules; do
		files+=("$(modinfo -b "$kernel/root" -k "$release" -n "$name")") || return
	done
}

# Makes the database modules.weft, of the kernel and of the modules in $planned_modules.
make_module_database() {
	local files db=$folder/modules.weft

	is_newer "$db" "$folder/kernel.weft" && return
	find_module_files || return
	cp "$folder/kernel.weft" "$db.new" &&
		there env WEFT_DEBUG="$kernel/root/usr/lib/debug" "$tools/weft" index --update \
			"$kernel/vmlinux" "${files[@]}" -o "$db.new" &&
		mv "$db.new" "$db"
}

# compile [--db FILE] FILE...: compiles these aspects.
compile() {
	local db=$folder/kernel.weft

	if [ "$1" = --db ]; then db=$2; shift 2; fi
	mkdir -p "$folder/aspects"
	there "$tools/weft" compile --kernel "$kernel/headers" --db "$db" \
		--kmod "$folder/kmod" "$@" -o "$folder/aspects"
}

has_labels() {
	[ "$(sqlite3 "$folder/kernel.weft" "SELECT EXISTS (SELECT 1 FROM shadow
		WHERE precision = $WEFT_PRECISION_EXACT)")" = 1 ]
}

# Checks the indirect branches of the compiled modules and, for a kernel with IBT, that each
# function which the kernel calls through a pointer begins with an endbr64.
check_branches() {
	local modules ibt=()

	mapfile -t modules < <(ls "$folder"/kmod{,-debug}/weft.ko "$folder"/aspects/*.ko \
		2>/dev/null)
	if grep -qx CONFIG_X86_KERNEL_IBT=y "$kernel/config"; then
		ibt=(--ibt)
	else
		skip "$suite: functions whose address is taken" "its kernel has no IBT"
	fi
	step "indirect branches" "$top/tests/oracle/branches.sh" "${ibt[@]}" "${modules[@]}" ||
		true
}

# Runs weft on a processor with IBT, if the kernel is built for IBT.
check_ibt() {
	local landing=$here/aspects/landing.xml

	grep -qx CONFIG_X86_KERNEL_IBT=y "$kernel/config" || return 0
	is_newer "$folder/aspects/landing.ko" "$landing" "$folder/kernel.weft" \
		"$folder/kmod/exports" || step "aspect landing" compile "$landing" ||
		return 0
	step "in Bochs, with IBT" "$here/ibt.sh" "$suite" || true
}

# Compiles all aspects in one run of kbuild, which takes a fraction of the time. If that fails,
# compiles each by itself, so that the bad one is named and the others are made. Aspects whose
# module is up to date are left out.
compile_shipped() {
	local aspect name
	local -a new=()

	mkdir -p "$folder/aspects"
	for aspect in "$top"/aspects/*.xml; do
		name=$(basename "$aspect" .xml)
		if grep -q 'Needs: labels' "$aspect" && ! has_labels; then
			skip "$suite: aspect $name" "it needs labels, and the database has none"
		elif [ $how = compile ] && grep -q '<member-access' "$aspect"; then
			skip "$suite: aspect $name" "the database has no accesses"
		elif is_newer "$folder/aspects/$name.ko" "$aspect" "$folder/kernel.weft" \
			"$folder/kmod/exports"; then
			pass "$suite: aspect $name is as new as the rest"
		else
			new+=("$aspect")
		fi
	done
	[ ${#new[@]} -gt 0 ] || return 0
	if compile "${new[@]}" >"$folder/aspects.log" 2>&1; then
		for aspect in "${new[@]}"; do pass "$suite: aspect $(basename "$aspect" .xml)"; done
		return
	fi
	for aspect in "${new[@]}"; do
		step "aspect $(basename "$aspect" .xml)" compile "$aspect" || true
	done
}

# find_aspect NAME: prints the path of the aspect's source.
find_aspect() {
	local at

	for at in "$here/aspects" "$top"/aspects{,/ktrace} "$top/tests/vm/aspects" \
		"$O/vm/aspects"; do
		if [ -e "$at/$1.xml" ]; then echo "$at/$1.xml"; return; fi
	done
	return 1
}

# compile_for SCRIPT: compiles the aspects that SCRIPT lists in its lines `# aspects: NAME...` and
# `# module aspects: NAME...`.
compile_for() {
	local name source

	for name in $(sed -n 's/^# aspects: //p' "$1"); do
		source=$(find_aspect "$name") || { fail "$1" "there is no aspect $name"; return 1; }
		is_newer "$folder/aspects/$name.ko" "$source" "$folder/kernel.weft" \
			"$folder/kmod/exports" || step "aspect $name" compile "$source" ||
			return 1
	done
	for name in $(sed -n 's/^# module aspects: //p' "$1"); do
		step "database with modules" make_module_database || return 1
		source=$(find_aspect "$name") || { fail "$1" "there is no aspect $name"; return 1; }
		is_newer "$folder/aspects/$name.ko" "$source" "$folder/modules.weft" \
			"$folder/kmod/exports" || step "aspect $name" \
			compile --db "$folder/modules.weft" "$source" || return 1
	done
}

# Makes, for this kernel, the test module `shapes` and the aspects with joinpoints at its
# instructions (tests/vm/cases/build.mk).
make_shapes() { make_kmod vm-shapes && ln -sf "$folder"/vm/aspects/*.ko "$folder/aspects/"; }

# Compiles the aspects that measure a hit, with joinpoints at this kernel's instructions.
compile_hits() {
	local hits=$folder/hits

	is_newer "$folder/aspects/bench_trap.ko" "$here/hit-aspects.sh" "$folder/kernel.weft" \
		"$top"/tests/vm/aspects/bench_{count,empty,trap}.xml \
		"$folder/kmod/exports" && return
	"$here/hit-aspects.sh" "$kernel/vmlinux" "$hits" && compile "$hits"/*.xml
}

# Compiles an aspect with joinpoints at every instruction of random functions, for the stress case.
compile_everything() {
	mkdir -p "$folder/everything"
	echo "${WEFT_SEED:-1}" >"$folder/everything/seed"
	"$O/vm/programs/everything" "$kernel/vmlinux" "${WEFT_SEED:-1}" $stressed_functions 1 0 \
		>"$folder/everything/everything0.xml"
	there "$tools/weft" compile --kernel "$kernel/headers" --db "$folder/kernel.weft" \
		--kmod "$folder/kmod" --at-most 1000000 "$folder/everything/everything0.xml" \
		-o "$folder/everything"
}

# make_for SCRIPT: makes what SCRIPT needs besides aspects.
make_for() {
	case $1 in
	*/stress.sh) step "aspect everything" compile_everything ;;
	*/modules.sh | */stacks.sh) step "module shapes" make_shapes ;;
	*/hits.sh) step "aspects that measure" compile_hits ;;
	esac
}

# guest SCRIPT: runs SCRIPT in a guest and adds its counts. Benchmarks use the weft.ko that is
# shipped, cases the one with checks for debugging.
guest() {
	local status=0 p f s checked=-debug

	if [[ $1 = */hits.sh ]]; then checked=''; fi
	WEFT_GUEST_KERNEL=$kernel WEFT_GUEST_OUT=$O/vm/$suite WEFT_GUEST_DB=$folder/kernel.weft \
		WEFT_GUEST_KO=$folder/kmod$checked/weft.ko \
		WEFT_GUEST_ASPECTS=$folder/aspects WEFT_GUEST_MODULES=$folder/vm/modules \
		WEFT_GUEST_EVERYTHING=$folder/everything "$top/tests/vm/run-cases.sh" "$1" \
		>"$folder/guest.output" 2>&1 || status=$?
	sed '$d' "$folder/guest.output"
	read -r p _ f _ s _ < <(tail -n 1 "$folder/guest.output")
	passed=$((passed + ${p:-0})) failed=$((failed + ${f:-0})) skipped=$((skipped + ${s:-0}))
	if [ $status != 0 ] && [ "${f:-0}" = 0 ]; then
		fail "$suite: $1" "the guest ended with status $status"
	fi
}

# wanted SCRIPT: succeeds if CASES has the script or is empty.
wanted() { [ -z "${CASES:-}" ] || [[ " $CASES " = *" $(basename "$1" .sh) "* ]]; }

check_suite() {
	local script

	use "$1"
	printf -- '-- %s: %s\n' "$suite" "$(sed -n 's/^release /Linux /p' "$kernel/weft-shipped")"
	step "weaver and plugin" make_tools || return 0
	step weft.ko make_kmod kmod kmod-debug "$folder/kmod/exports" || return 0
	step database make_database || return 0
	if wanted library; then compile_shipped; fi
	for script in "$here"/cases/*.sh $vm_cases; do
		wanted "$script" || continue
		make_for "$script" || continue
		compile_for "$script" || continue
		guest "$script"
	done
	check_branches
	if wanted vm; then
		step "the guest of make vm" "$here/guest.sh" "$suite" "$here/cases/load.sh" || true
	fi
	if wanted landing; then check_ibt; fi
}

# is_quick SUITE: succeeds if the suite is in the cache and of another version than the demo kernel.
# Otherwise the suite is skipped.
is_quick() {
	local demo

	if ! "$shipped" ready "$1"; then
		skip "$1" "tests/kernels/shipped.sh fetch $1 and chroot $1 bring it"
		return 1
	fi
	use "$1"
	demo=$("$top/scripts/release.sh" linux)
	if [[ $release = "$demo".* ]]; then
		skip "$1" "the demo kernel is $demo, too; make check-kernels takes this one"
		return 1
	fi
}

# Does what `make check` has time for: builds the debug variant of weft.ko for one of the kernels,
# and loads it in a guest.
check_quickly() {
	local n=0 chosen name
	local -a ready=()

	for name; do if is_quick "$name"; then ready+=("$name"); fi; done
	[ ${#ready[@]} -gt 0 ] || return 0
	chosen=$((${WEFT_SEED:-0} / 4 % ${#ready[@]}))
	for name in "${ready[@]}"; do
		if [ $n != $chosen ]; then skip "$name" "not its turn, with this WEFT_SEED"; fi
		n=$((n + 1))
	done
	use "${ready[chosen]}"
	step weft.ko make_kmod kmod-debug || return 0
	check_branches
	guest "$here/cases/load.sh"
}

# Makes the database of the kernel and the modules from which plans are made. Plans are of
# instructions, so the database needs no accesses, and thus no compiler. The modules are unpacked
# into $folder/modules, for objdump.
make_plan_database() {
	local files db=$folder/plan.weft

	is_newer "$db" "$O/weft" && return
	# shellcheck disable=SC2086 # a list of words
	"$here/module-files.sh" "$kernel/root" "$release" "$folder/modules" $planned_modules &&
		find_module_files &&
		WEFT_DEBUG=$kernel/root/usr/lib/debug "$O/weft" index --no-accesses \
			"$kernel/vmlinux" "${files[@]}" -o "$db"
}

# rows NAME COMMAND...: runs a script that prints rows with goals, and adds its counts.
rows() {
	local name=$1 output=$folder/$1.output status=0 p f

	shift
	"$@" >"$output" 2>&1 || status=$?
	sed '$d' "$output"
	read -r p _ f _ < <(tail -n 1 "$output")
	if ! [[ $p$f =~ ^[0-9]+$ ]]; then
		fail "$suite: $name" "exit $status: $(tail -n 1 "$output")"
		return
	fi
	passed=$((passed + p)) failed=$((failed + f))
	if [ $status != 0 ] && [ "$f" = 0 ]; then fail "$suite: $name" "exit $status"; fi
}

# check_plan SUITE: plans all instructions of the suite's kernel and modules, and prints the shares
# at jump speed, for `make bench-stock-plan`.
check_plan() {
	use "$1"
	printf -- '-- %s: Linux %s\n' "$suite" "$release"
	step "database without accesses" make_plan_database || return 0
	# shellcheck disable=SC2086 # a list of words
	rows plan "$here/stock-plan.sh" "$O/weft" "$kernel/vmlinux" "$folder/plan.weft" \
		"$folder/modules" $planned_modules
	step "plans of a part" "$top/tests/oracle/plan.sh" "$O/weft" "$kernel/vmlinux" "$O" part \
		"$folder/plan.weft" || true
}

# check_prepare SUITE: prepares, with two compilers at a time, all units that are built into the
# suite's kernel, or a sample of $SAMPLE units, for `make bench-stock-prepare`. Nothing that was
# prepared before is used.
check_prepare() {
	local source command whole

	use "$1"
	whole=$folder/whole
	printf -- '-- %s: Linux %s\n' "$suite" "$release"
	step "weaver and plugin" make_tools || return 0
	source=$("$shipped" source "$suite") || { fail "$suite" "it has no source"; return 0; }
	rm -rf "$whole"
	prepare_into "$whole" --jobs 2
	rows prepare "$here/stock-prepare.sh" "$O/vm/programs/measure" \
		"$whole/$release/vmlinux.weft" "${SAMPLE:-}" "${command[@]}"
	rm -rf "$whole"
}

# Makes a database, without accesses, of the kernel's image alone.
make_image_database() {
	is_newer "$folder/kernel.weft" "$tools/weft" && return
	there "$tools/weft" index --no-accesses "$kernel/vmlinux" -o "$folder/kernel.weft.new" &&
		mv "$folder/kernel.weft.new" "$folder/kernel.weft"
}

# check_compile SUITE: compiles the weaver, the plugin, weft.ko and the aspects for the suite's
# kernel, with the suite's compiler, for `make check-kernels-compile`.
check_compile() {
	use "$1"
	folder=$O/kernels/compiled-$suite
	mkdir -p "$folder"
	printf -- '-- %s: Linux %s\n' "$suite" "$release"
	step "weaver and plugin" make_tools || return 0
	step weft.ko make_kmod kmod "$folder/kmod/exports" || return 0
	step "database of the image" make_image_database || return 0
	compile_shipped
	check_branches
}

case ${1:-} in
--quick | --plan | --prepare | --compile) how=${1#--}; shift ;;
esac
if [ $how = quick ]; then
	check_quickly "$@"
	set --
fi
for suite; do
	if ! { "$shipped" fetch "$suite" &&
		{ [ $how = plan ] || "$shipped" chroot "$suite"; }; }; then
		fail "$suite" "it cannot be made ready"
	elif [ $how = plan ]; then
		check_plan "$suite"
	elif [ $how = prepare ]; then
		check_prepare "$suite"
	elif [ $how = compile ]; then
		check_compile "$suite"
	else
		check_suite "$suite"
	fi
done
printf '%d passed, %d failed, %d skipped\n' $passed $failed $skipped
[ $failed = 0 ]
