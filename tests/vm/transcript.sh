#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Runs the README's transcript for real. In its ```console block, lines that begin with `$ ` are run
# on the host, those that begin with `# ` in one guest, in order. `make demo` shows what they print.
# With --check the output is compared with the README, after numbers that differ from run to run
# (times, pids, addresses, sizes) have been replaced by N on both sides. In the commands build/
# stands for the object folder, which may have another name. Usage: transcript.sh [--check]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
export O=${O:-$PWD/build}
WEFT_KERNEL=$(tests/vm/kernel.sh path)
export WEFT_KERNEL WEFT_DB=$O/vmlinux.weft PATH=$O:$O/vm/programs:$PATH
. tests/vm/transcripts.sh
work=$(mktemp -d "$O/transcript-XXXXXX")
trap 'rm -rf "$work"' EXIT

block README.md console >"$work/expected"

run() {
	commands '$' <"$work/expected" | script '$' >"$work/host.sh"
	bash "$work/host.sh"
	{
		echo "cd $PWD; insmod $O/kmod/weft.ko share_percent=0 budget_us=1000000"
		commands '#' <"$work/expected" | script '#'
	} >"$work/guest.sh"
	tests/vm/vm.sh --quiet --env "O=$O" --env "WEFT_DB=$WEFT_DB" --env "PATH=$PATH" \
		"$work/guest.sh"
}

if [ "${1:-}" != --check ]; then
	run
	exit
fi
run | tee "$work/found"
if ! transcript_differs "$work/expected" "$work/found" >"$work/diff"; then
	echo "ok     the README's transcript is what its commands print"
	echo "1 passed, 0 failed, 0 skipped"
else
	cat "$work/diff"
	echo "FAILED the README's transcript differs from what its commands print"
	echo "0 passed, 1 failed, 0 skipped"
	exit 1
fi
