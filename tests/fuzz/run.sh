#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Runs every fuzzing target once, all at the same time, each on its corpus first. A run ends after a
# number of inputs, not after a time, so the same seed does the same on every machine. The inputs
# that are damaged first are two images, each with a module, and the aspects. Usage: run.sh FUZZ
# WEFT ROUNDS SEED VMLINUX MODULE VMLINUX MODULE ASPECT...
set -u
fuzz=$1 weft=$2 rounds=$3 seed=$4
shift 4
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0 failed=0 targets=''

# Each word is a target and its number of inputs in one round. Targets that take longer per input
# get fewer.
for target_runs in table:30000 vmlinux:1000 module:400 object:4000 aspect:5000 records:4000 \
	recording:3000 \
	database:250; do
	target=${target_runs%:*} runs=${target_runs#*:}
	targets="$targets $target"
	{
		"$(dirname "$0")/target.sh" "$fuzz" "$weft" "$target" \
			"-seed=$seed -runs=$((runs * rounds))" '' "$@" >"$work/$target" 2>&1
		echo $? >"$work/$target.status"
	} &
done
wait
for target in $targets; do
	if [ "$(cat "$work/$target.status")" = 0 ]; then
		passed=$((passed + 1))
		# libFuzzer's last line begins like: #800 DONE cov: 200 ft: 500 corp: 60/9Kb
		awk -v target="$target" '/seed corpus: files:/ { files = $5 }
			$2 == "DONE" {
				sub("/.*", "", $8)
				printf "%s: %d inputs as they are, %d damaged; ",
					target, files, substr($1, 2) - files
				printf "%d branches, %d features, %d kept\n", $4, $6, $8
			}' "$work/$target"
		continue
	fi
	failed=$((failed + 1))
	echo "FAILED $target with seed $seed:"
	# Prints the lines from the error on; the lines before it only report new code paths.
	awk '/ERROR|runtime error|ends in/ { on = 1 } on && n++ < 30' "$work/$target" | grep . ||
		tail -n 30 "$work/$target"
	input=$(sed -n 's/.*Test unit written to //p' "$work/$target")
	[ -z "$input" ] || echo "once more: $fuzz-$target $input"
done
echo "$passed passed, $failed failed, 0 skipped"
[ $failed = 0 ]
