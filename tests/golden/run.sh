#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# run.sh test|rebase FOLDER COMMAND...: the one scheme of golden files. Each case of FOLDER is a
# NAME.in, whose line is the arguments of COMMAND; a folder without any has a NAME.xml for each
# case, which is the argument itself. COMMAND runs in FOLDER. All that it prints, errors and exit
# code included, has to be NAME.out; `rebase` shows the difference and takes the new output.
#
# Where FOLDER has a file by-compiler, its first line is a version of GCC and the second the cases
# that show code which another compiles otherwise: with another one they are skipped.
set -u
mode=$1 folder=$2
shift 2
cd "$folder" || exit 1
now=$(mktemp)
trap 'rm -f "$now"' EXIT
passed=0 failed=0 skipped=0 of_compiler=
if [ -e by-compiler ] && [ "$(${CC:-gcc} -dumpversion)" != "$(head -n 1 by-compiler)" ]; then
	of_compiler=" $(sed -n 2p by-compiler) "
fi

set_of_cases() { ls ./*.in 2>/dev/null || ls ./*.xml; }

for case in $(set_of_cases); do
	name=$(basename "${case%.*}")
	case $of_compiler in
	*" $name "*)
		echo "skip   $folder/$name: shows the code of gcc $(head -n 1 by-compiler)"
		skipped=$((skipped + 1))
		continue
		;;
	esac
	# The line is a shell's: it may quote.
	case $case in
	*.in) arguments=$(cat "$case") ;;
	*) arguments=$name.xml ;;
	esac
	sh -c "$* $arguments" >"$now" 2>&1
	echo "exit code $?" >>"$now"
	if cmp -s "$now" "$name.out"; then
		passed=$((passed + 1))
		continue
	fi
	diff -u "$name.out" "$now" 2>/dev/null || [ -e "$name.out" ] || cat "$now"
	if [ "$mode" = rebase ]; then
		cp "$now" "$name.out"
		passed=$((passed + 1))
	else
		echo "FAILED $folder/$name: $* $arguments"
		failed=$((failed + 1))
	fi
done
for out in *.out; do
	name=${out%.out}
	[ -e "$name.in" ] || [ -e "$name.xml" ] || {
		echo "FAILED $folder/$out: no case has that name"
		failed=$((failed + 1))
	}
done
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
