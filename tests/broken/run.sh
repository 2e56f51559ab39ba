#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Undoes the mend of each finding about safety, one at a time, and sees a test fail for it. Each
# line of mends.txt names a mend, the patch that undoes it, a test, and words that the failing test
# prints. The patch is applied to a copy of the tree, what the test needs is built there, and the
# test is run. It passes here if the test fails with the words; then it is stopped.
#
#	run.sh [NAME...]	undoes these mends; all if there is no NAME
#	run.sh --check		sees only that each patch applies, and that each test is there
set -uo pipefail
export LC_ALL=C
here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$here/../.." && pwd)
O=${O:-$top/build}
work=$O/broken
tree=$work/tree objects=$work/build
output=$work/output
# The most seconds that a test may take to print its words.
limit_s=${WEFT_BROKEN_SECONDS:-900}
# A patch is for the folder that git is started in, and not for the repository around that folder.
export GIT_CEILING_DIRECTORIES=$work
passed=0 failed=0 skipped=0

pass() { printf 'ok     %s\n' "$1"; passed=$((passed + 1)); }
fail() { printf 'FAILED %s: %s\n' "$1" "$2"; failed=$((failed + 1)); }
skip() { printf 'SKIP   %s: %s\n' "$1" "$2"; skipped=$((skipped + 1)); }

# rows [NAME...]: prints "NAME<tab>TEST<tab>WORDS" of the mends of these names, or of all.
rows() {
	awk -F '\t+' -v OFS='\t' -v wanted=" $* " '
		/^(#|$)/ { next }
		wanted == "  " || index(wanted, " " $1 " ") { print $1, $2, $3 }' "$here/mends.txt"
}
patch_of() { echo "$here/$1.patch"; }
# of_test TEST: splits "NAME=VALUE... KIND [NAME]", a test as mends.txt has it, into the array
# settings and into kind and test.
of_test() {
	local -a words
	read -ra words <<<"$1"
	settings=()
	while [[ ${words[0]} = *=* ]]; do
		settings+=("${words[0]}")
		words=("${words[@]:1}")
	done
	kind=${words[0]} test=${words[1]-}
}

# ---- the copy of the tree ------------------------------------------------------------------------

# sums FOLDER: prints "SUM  FILE" of the tree's files in FOLDER, sorted.
sums() {
	(cd "$1" && xargs -0r -a "$work/files" sha1sum 2>/dev/null | sort)
}
# Copies those files of the tree that differ from the copy. A copied file gets the present time, so
# that make sees the change.
copy_tree() {
	local file
	mkdir -p "$tree"
	(cd "$top" && git ls-files -z --cached --others --exclude-standard) >"$work/files"
	comm -23 <(sums "$top") <(sums "$tree") | cut -c 43- >"$work/changed"
	tar -C "$top" -cf - -T "$work/changed" | tar -C "$tree" -xmf -
	(cd "$tree" && find . -type f) | sed 's#^\./##' | sort |
		comm -23 - <(tr '\0' '\n' <"$work/files" | sort) | while IFS= read -r file; do
		rm -f "$tree/$file"
	done
}
# apply NAME [OPTION...]: applies the patch to the copy.
apply() { (cd "$tree" && git apply "${@:2}" "$(patch_of "$1")"); }
# build TARGET...: makes the TARGETs from the copy, in an object folder that only the copy has.
build() {
	env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL -u MAKEOVERRIDES \
		make -s --no-print-directory -j"$(nproc)" -C "$tree" O="$objects" \
		"${@/#@/$objects/}" >"$output" 2>&1
}
# compile: makes the aspects that the case `test` names, with the copy's weft and its runtime/.
compile() {
	local -a sources
	local xml
	for xml in "$tree"/tests/vm/aspects/*.xml; do
		! grep -qw "$(basename "$xml" .xml)" "$top/tests/vm/cases/$test.sh" ||
			sources+=("$xml")
	done
	mkdir -p "$objects/vm/aspects"
	"$objects/weft" compile --kernel "$("$top/tests/vm/kernel.sh" path)" \
		--db "$O/vmlinux.weft" "${sources[@]}" -o "$objects/vm/aspects" >"$output" 2>&1
}

# ---- tests ---------------------------------------------------------------------------------------

# Sets `targets`, what has to be built for the test ("@" is the folder for objects), and `command`.
of_kind() {
	case $kind in
	guest | aspects)
		targets=(@kmod-debug/weft.ko)
		command=(env O="$O" WEFT_GUEST_KO="$objects/kmod-debug/weft.ko"
			WEFT_GUEST_OUT="$work/guests" "$top/tests/vm/run-cases.sh"
			"$top/tests/vm/cases/$test.sh")
		[ $kind = guest ] || {
			targets+=(@kmod/recipe/recipe)
			command=(env WEFT_GUEST_ASPECTS="$objects/vm/aspects" "${command[@]}")
		}
		;;
	native | unit)
		targets=(@tests/$kind/$(dirname "$test")/test_$(basename "$test"))
		targets=("${targets[0]/\/.\//\/}")
		command=("${targets[0]/#@/$objects/}")
		;;
	refuse)
		targets=(@weft)
		command=(env KERNEL_DB="$O/vmlinux.weft" KMOD="$O/kmod"
			"$tree/tests/refuse/run.sh" "$objects/weft" "$O/tests/unit/sample"
			"$("$top/tests/vm/kernel.sh" path)")
		;;
	recipe)
		targets=(@weft)
		command=("$tree/tests/recipe/run.sh" "$objects/weft"
			"$("$top/tests/vm/kernel.sh" path)" "$O/vmlinux.weft" "$O/kmod"
			"$O/runtime")
		;;
	*) return 1 ;;
	esac
}
# source_of_test: prints the test's source, from the top of the tree.
source_of_test() {
	case $kind in
	guest | aspects) echo "tests/vm/cases/$test.sh" ;;
	native | unit) echo "tests/$kind/$(dirname "$test")/test_$(basename "$test").c" ;;
	refuse | recipe) echo "tests/$kind/run.sh" ;;
	esac
}

# until_words WORDS COMMAND...: runs the command in a process group of its own, and ends the group
# when the output has a line with the words. Returns 0 if the output has such a line. Without such a
# line, returns 1 if the command succeeded, and 2 if it failed or took too long.
until_words() {
	local words=$1 group status end=$((SECONDS + limit_s))
	shift
	: >"$output"
	set -m
	"$@" >"$output" 2>&1 </dev/null &
	group=$!
	set +m
	trap 'kill -TERM -- -$group 2>/dev/null; exit 130' INT TERM HUP
	while kill -0 $group 2>/dev/null && [ $SECONDS -lt $end ]; do
		! grep -qaE -e "$words" "$output" || break
		sleep 0.5
	done
	kill -TERM -- -$group 2>/dev/null
	wait $group 2>/dev/null
	status=$?
	trap - INT TERM HUP
	grep -qaE -e "$words" "$output" && return 0
	[ $status = 0 ] && return 1
	return 2
}

# undo NAME TEST WORDS: undoes the mend NAME in the copy, and counts whether TEST fails with WORDS.
undo() {
	local name=$1 words=$3 start=$SECONDS why
	local -a settings command targets
	local kind test

	of_test "$2"
	of_kind || { fail "$name" "there is no kind of test '$kind'"; return; }
	apply "$name" || { fail "$name" "the patch does not apply"; return; }
	if ! build "${targets[@]}" || { [ $kind = aspects ] && ! compile; }; then
		fail "$name" "it does not build: $(tail -n 20 "$output")"
	else
		until_words "$words" env "${settings[@]}" "${command[@]}"
		case $? in
		0)
			why=$(grep -m 1 -aE -e "$words" "$output" | cut -c 1-80)
			pass "$name, $kind $test: $why ($((SECONDS - start)) s)"
			;;
		1)
			why=$(grep -m 1 -aE '^(SKIP|skip) ' "$output")
			if [ "$why" ]; then skip "$name" "$why"
			else fail "$name" "$kind $test passes all the same"; fi
			;;
		2) fail "$name" "$kind $test fails, but not with '$words':
$(grep -aE '^FAILED|^vm: ' "$output" | head -n 20)" ;;
		esac
		cp "$output" "$work/$name.output"
	fi
	apply "$name" -R || fail "$name" "the patch cannot be taken back"
}

# applies NAME TEST WORDS: does the patch apply to the tree, and is the test there?
applies() {
	local name=$1 test kind settings said
	of_test "$2"
	if ! said=$(cd "$top" && git apply --check "$(patch_of "$name")" 2>&1); then
		fail "$name" "$said"
	elif [ ! -e "$top/$(source_of_test)" ]; then
		fail "$name" "there is no test $2"
	elif [ -z "$3" ]; then
		fail "$name" "mends.txt says no words of the failing test"
	else
		pass "$name: the patch applies"
	fi
}

check() {
	local name test words patch
	while IFS=$'\t' read -r name test words; do
		applies "$name" "$test" "$words"
	done < <(rows)
	for patch in "$here"/*.patch; do
		name=$(basename "$patch" .patch)
		[ -n "$(rows "$name")" ] || fail "$name" "mends.txt has no row for the patch"
	done
}

if [ "${1-}" = --check ]; then
	check
else
	for name; do
		[ -n "$(rows "$name")" ] || fail "$name" "there is no such mend in mends.txt"
	done
	copy_tree
	while IFS=$'\t' read -r name test words; do
		undo "$name" "$test" "$words"
	done < <(rows "$@")
fi
printf '%d passed, %d failed, %d skipped\n' $passed $failed $skipped
[ $failed = 0 ]
