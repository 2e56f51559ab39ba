#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Prints an aspect that has a shadow at every instruction of some functions: every-instruction.sh NAME VMLINUX BODY FUNCTION...
# FUNCTION@N asks for its N'th instruction only. Where the instructions are is objdump's word.
set -euo pipefail
name=$1 vmlinux=$2 body=$3
shift 3
echo '<?xml version="1.0"?>'
echo "<aspect name=\"$name\"><pointcut><or>"
for wanted; do
	function=${wanted%@*} only=p
	[ "$function" = "$wanted" ] || only=${wanted#*@}p
	# The first five bytes are ftrace's; no instruction there is shorter.
	objdump -d --prefix-addresses --disassemble="$function" "$vmlinux" |
		sed -nE "s/^[0-9a-f]+ <$function\+(0x[0-9a-f]+)> .*/<instruction symbol=\"$function\" offset=\"\1\"\/>/p" | sed -n "$only"
done
echo "</or></pointcut><before-advice>$body</before-advice></aspect>"
