#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Runs the golden cases of a folder. Each case is a file NAME.in with one line, the arguments of
# COMMAND. In a folder without such files each NAME.xml is a case, and its name is the argument.
# COMMAND runs in FOLDER. Its output, with errors and exit code, must be that in NAME.out. `rebase`
# shows the difference and writes the new output to NAME.out. Usage: run.sh test|rebase FOLDER
# COMMAND...
#
# If FOLDER has a file by-compiler, its first line is a version of GCC. Its second line lists the
# cases whose output shows code as that version compiles it; with another version they are skipped.
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
	# The line is evaluated as shell code, since it may have quotes.
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
