#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Prints an aspect with one shadow in each of the given functions: the first shadow that is a patch
# site or an instruction that cannot be moved, and before which a displaced range can end. Usage:
# attached-before.sh WEFT DB FUNCTION...
set -euo pipefail
weft=$1 db=$2
shift 2
echo '<?xml version="1.0"?>'
echo '<aspect name="attached_before"><pointcut><or>'
for function; do
	"$weft" plan --db "$db" --alone --function "$function" |
		sed -nE "s/^$function\+(0x[0-9a-f]+) .* up to it: .*/\1/p" |
		sed -n "1s/.*/<instruction symbol=\"$function\" offset=\"&\"\/>/p"
done
echo '</or></pointcut>'
echo '<before-advice>if ($rsp &amp; 7) weft_log("%px", (void *)$rip);</before-advice></aspect>'
