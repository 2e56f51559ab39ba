#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Checks aspects against the schema. Every aspect of the tree and every example of the manual must
# be valid for xmllint, and aspects that break the language's form must not be. With the demo kernel
# and its database, the manual's examples are also compiled to C, which fails if the kernel lacks a
# name that they use. Usage: run.sh WEFT [KERNEL DATABASE]
set -u
weft=$(realpath "$1") kernel=${2:-} database=${3:-}
cd "$(dirname "$0")/../../.." || exit 1
schema=weaver/aspect/language/aspect.rng
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0 failed=0 skipped=0

# result NAME STATUS: counts the test NAME as passed if STATUS is 0, else as failed.
result() {
	if [ "$2" = 0 ]; then
		passed=$((passed + 1))
	else
		echo "FAILED $1"
		failed=$((failed + 1))
	fi
}

tests/manual-examples.sh "$work"
for aspect in aspects/{,*/}*.xml tests/vm/aspects/*.xml tests/golden/{compile,points}/*.xml \
	"$work"/*.xml; do
	xmllint --noout --relaxng $schema "$aspect" 2>"$work/said"
	status=$?
	[ $status = 0 ] || cat "$work/said"
	result "$(basename "$aspect") is valid" $status
done
for name in unknown_element unknown_attribute unknown_kind several expressions module_name \
	ampersand; do
	xmllint --noout --relaxng $schema "tests/golden/refuse/$name.xml" 2>/dev/null
	[ $? -ne 0 ]
	result "$name.xml is not valid" $?
done
for aspect in "$work"/*.xml; do
	if [ -z "$database" ]; then
		echo "skip $(basename "$aspect"): no database was given"
		skipped=$((skipped + 1))
		continue
	fi
	"$weft" compile "$aspect" --db "$database" --kernel "$kernel" \
		--print-c >/dev/null 2>"$work/said"
	status=$?
	[ $status = 0 ] || cat "$work/said"
	result "$(basename "$aspect"), from the manual" $status
done
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ]
