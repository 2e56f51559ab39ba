#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Prints each line of weft in a chapter of docs/coming-from.md, and the aspect of a one-liner. The
# pointcut of `weft points` is given to `weft count`. Other commands get an unknown option at the
# end: if they refuse that option, they know those before it. Usage: lines.sh WEFT CHAPTER
set -u
weft=$1 chapter=$2
sed -n "/^## $chapter\$/,/^## /s/^weft //p" ../../../docs/coming-from.md |
	while read -r command line; do
		echo "\$ weft $command $line"
		case $command in
		count | hist | time | log | watch | stacks) eval "$weft $command --xml $line" ;;
		points) eval "$weft count --xml $line" ;;
		*) eval "$weft $command $line --no-such-option" ;;
		esac
	done
