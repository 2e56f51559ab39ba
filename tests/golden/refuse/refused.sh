#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Prints those messages of `weft compile` that match FILTER (a basic regular expression), for an
# aspect that must be refused. `weft compile` must print nothing else and leave no module. Usage:
# refused.sh FILTER WEFT [OPTION...] NAME.xml
filter=$1
shift
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$1" compile -o "$work/out.ko" "${@:2}" >"$work/out" 2>"$work/err"
status=$?
grep -a "$filter" "$work/err"
[ ! -s "$work/out" ] || { echo "something on standard output:"; cat "$work/out"; }
ls "$work"/out.ko* 2>/dev/null && echo "it left a module"
exit $status
