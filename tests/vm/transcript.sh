#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Runs the README's transcript for real: transcript.sh [--check]. In its ```console block, lines
# that begin with `$ ` are run on the host, those that begin with `# ` in one guest, in order. `make
# demo` shows what they print; --check compares it with what the README says, once numbers that
# differ from run to run (times, pids, addresses, sizes) are blotted out on both sides. Where the
# object folder is another, build/ in the commands stands for it.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
export O=${O:-$PWD/build}
WEFT_KERNEL=$(tests/vm/kernel.sh path)
export WEFT_KERNEL WEFT_DB=$O/vmlinux.weft PATH=$O:$O/vm/programs:$PATH
work=$(mktemp -d "$O/transcript-XXXXXX")
trap 'rm -rf "$work"' EXIT

awk '/^```console/ { on = 1; next } /^```/ { on = 0 } on' README.md >"$work/expected"
grep '^\$ ' "$work/expected" | cut -c3- >"$work/host"
grep '^# ' "$work/expected" | cut -c3- >"$work/guest"

# A script that shows each command as a person would have typed it, and stops at the first that
# fails.
script() { # PROMPT
	echo 'set -eo pipefail'
	while IFS= read -r command; do
		printf 'echo %q\n%s\n' "$1 $command" "${command//build\//$O/}"
	done
}

run() {
	script '$' <"$work/host" >"$work/host.sh"
	bash "$work/host.sh"
	{
		echo "cd $PWD; insmod $O/kmod/weft.ko share_percent=0 budget_us=1000000"
		script '#' <"$work/guest"
	} >"$work/guest.sh"
	tests/vm/vm.sh --quiet --env "O=$O" --env "WEFT_DB=$WEFT_DB" --env "PATH=$PATH" \
		"$work/guest.sh"
}

# What differs from run to run, or from kernel build to kernel build, becomes N; runs of blanks
# become one. A machine that stands still in a softirq leaves the next ones to the kernel's thread
# for them.
blot() {
	sed -E -e "s#$O/#build/#g" -e 's/[0-9]+\.[0-9]{9}/N/g' -e 's/\[[0-9]{3}\]/[N]/g' \
		-e 's/(\+|0x)[0-9a-f]+/N/g' -e 's/[0-9a-f]{16}/N/g' -e 's/[0-9]+/N/g' \
		-e 's/[ \t]+/ /g' -e 's/ $//' -e 's#ksoftirqd/N-N#traffic-N#'
}

if [ "${1:-}" != --check ]; then
	run
	exit
fi
run | tee "$work/found"
if diff -u <(blot <"$work/expected") <(blot <"$work/found") >"$work/diff"; then
	echo "ok     the README's transcript is what its commands print"
	echo "1 passed, 0 failed, 0 skipped"
else
	cat "$work/diff"
	echo "FAILED the README's transcript differs from what its commands print"
	echo "0 passed, 1 failed, 0 skipped"
	exit 1
fi
