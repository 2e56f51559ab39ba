#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Prints an aspect with a counter at shadows whose springboard needs a donor. With `springboards` it
# takes as many such shadows in each function as have springboards that do not overlap; with
# `first`, only the first one of these. With `donors` the counters are at the first instructions of
# the donors instead. Usage: donors.sh NAME springboards|first|donors WEFT DB FUNCTION...
set -euo pipefail
name=$1 which=$2 weft=$3 db=$4
shift 4
shadows=$(for function; do
	free=0
	"$weft" plan --db "$db" --function "$function" --alone --json |
		sed -nE 's/.*"symbol":"([^"]*)","offset":([0-9]+)/\1 \2/
			s/,"address":"([^"]*)".*"donor":"([^"]*)".*/ \1 \2/p' |
		while read -r symbol offset address donor; do
			[ "$offset" -ge $free ] || continue
			free=$((offset + 512))
			[ "$which" != first ] || free=$((1 << 30))
			[ "$which" != donors ] || offset=$((offset - (address - donor)))
			echo "<instruction symbol=\"$symbol\" offset=\"$offset\"/>"
		done
done)
[ "$(wc -l <<<"$shadows")" = 1 ] || shadows="<or>$shadows</or>"
echo "<aspect name=\"$name\"><pointcut>$shadows</pointcut><before-advice>;</before-advice></aspect>"
