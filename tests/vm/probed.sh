#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Prints an aspect that counts at every STEPth instruction of the given functions, with a row for
# each joinpoint. FUNCTION@N takes only its Nth instruction. If NAME is `--places`, prints
# "SYMBOL+OFFSET" of these instructions instead. Usage: probed.sh NAME VMLINUX STEP FUNCTION...
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
