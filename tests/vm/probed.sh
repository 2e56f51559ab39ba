#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Prints an aspect that counts, by joinpoint, every STEPth instruction of some functions: probed.sh
# NAME VMLINUX STEP FUNCTION... If NAME is `--places`, prints "SYMBOL+OFFSET" of each instead.
# FUNCTION@N takes only its N'th instruction, as in every-instruction.sh.
set -euo pipefail
name=$1 vmlinux=$2 step=$3
shift 3
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
shadows=$("$here/every-instruction.sh" "$name" "$vmlinux" ';' "$@" |
	grep -o '<instruction [^>]*>' | awk -v step="$step" 'NR % step == 0')
if [ "$name" = --places ]; then
	sed -E 's/.*symbol="([^"]*)" offset="(0x)?([^"]*)".*/\1+0x\3/' <<<"$shadows"
	exit
fi
[ "$(wc -l <<<"$shadows")" = 1 ] || shadows="<or>$shadows</or>"
cat <<END
<?xml version="1.0"?>
<aspect name="$name"><pointcut name="all">$shadows</pointcut>
<counter name="at" pointcut="all" by="joinpoint" rows="2048"/></aspect>
END
