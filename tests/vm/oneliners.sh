#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Fills the cache with the one-liners of oneliners.txt, docs/one-liners.md and docs/tutorial.md,
# each compiled as the guest will ask for it, and the first one also as an aspect on standard input.
# $XDG_CACHE_HOME is the cache. With LIST, another file of that form, only those of LIST. Usage:
# oneliners.sh WEFT DB KERNEL [LIST]
set -euo pipefail
weft=$1 folder=$(mktemp -d)
export WEFT_DB=$2 WEFT_KERNEL=$3
trap 'rm -rf "$folder"' EXIT
here=$(dirname "$0")
{
	cat "${4:-$here/oneliners.txt}"
	kinds='count|hist|time|log|watch|stacks|drill'
	[ -z "${4-}" ] &&
	sed -nE "/--xml/d; s/^# weft (($kinds) .*) -- .*/document \\1/p" \
		"$here"/../../docs/{one-liners,tutorial}.md || :
} | while read -r label line; do
	eval "$weft ${line/ --own/} --xml" >"$folder/xml"
	name=$(sed -n 's/^<aspect name="\([^"]*\)".*/\1/p' "$folder/xml")
	mv "$folder/xml" "$folder/$name.xml"
	filtered=
	case $line in
	*' --everybody'*) ;;
	*' --own'* | ktrace*) filtered=--filtered ;;
	esac
	"$weft" compile $filtered "$folder/$name.xml"
	[ "$label" != reads ] || "$weft" compile - <"$folder/$name.xml"
done
