#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Prints a variant of an aspect, in which every instruction of the given functions takes the place
# of the aspect's only pointcut. Usage: fault-places.sh NAME VMLINUX ASPECT.xml FUNCTION...
set -euo pipefail
name=$1 vmlinux=$2 of=$3
shift 3
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
shadows=$("$here/every-instruction.sh" "$name" "$vmlinux" ';' "$@" |
	sed -n '/<pointcut>/,/<\/pointcut>/p' | sed 's/^<aspect [^>]*>//')
[ "$(grep -c '<pointcut>.*</pointcut>' "$of")" = 1 ] || { echo "$of: no pointcut" >&2; exit 1; }
while IFS= read -r line; do
	case $line in
	*'<aspect name='*) echo "<aspect name=\"$name\">" ;;
	*'<pointcut>'*) printf '%s\n' "$shadows" ;;
	*) printf '%s\n' "$line" ;;
	esac
done <"$of"
