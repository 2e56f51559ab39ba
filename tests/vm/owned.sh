#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Prints an aspect with shadows in bytes that belong to others (patch sites): one for each given
# owner, by the owner's name in refusals. Usage: owned.sh WEFT DB FUNCTION OWNER...
set -euo pipefail
weft=$1 db=$2 function=$3
shift 3
plan=$("$weft" plan --db "$db" --alone --function "$function")
echo '<?xml version="1.0"?>'
echo '<aspect name="owned"><pointcut><or>'
for owner; do
	sed -nE "s/^$function\+(0x[0-9a-f]+) .* refused +$owner\$/\1/p" <<<"$plan" |
		sed -n "1s/.*/<instruction symbol=\"$function\" offset=\"&\"\/>/p"
done
echo '</or></pointcut><before-advice>;</before-advice></aspect>'
