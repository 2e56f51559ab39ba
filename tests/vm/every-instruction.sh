#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Prints an aspect that has a shadow at every instruction of the given functions; FUNCTION@N has one
# at its Nth instruction only. objdump lists where the instructions are. BODY is the advice's C
# code. Usage: every-instruction.sh NAME VMLINUX BODY FUNCTION...
set -euo pipefail
name=$1 vmlinux=$2 body=$3
shift 3
shadows=$(for wanted; do
	function=${wanted%@*} only=p
	[ "$function" = "$wanted" ] || only=${wanted#*@}p
	# Leaves the call of __fentry__ out, which ftrace owns.
	objdump -d --prefix-addresses --disassemble="$function" "$vmlinux" |
		sed -nE "/<__fentry__/d; s/^[0-9a-f]+ <$function(\+(0x[0-9a-f]+))?> .*/\2/p" |
		sed -n "$only" |
		sed "s/^\$/0/; s/.*/<instruction symbol=\"$function\" offset=\"&\"\/>/"
done)
[ "$(wc -l <<<"$shadows")" = 1 ] || shadows="<or>$shadows</or>"
echo '<?xml version="1.0"?>'
echo "<aspect name=\"$name\"><pointcut>$shadows</pointcut>"
echo "<before-advice>$body</before-advice></aspect>"
