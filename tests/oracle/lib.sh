# SPDX-License-Identifier: GPL-2.0-or-later
#
# The oracles source this file with the arguments WEFT VMLINUX: it makes a folder to work in, counts
# results, and defines names for the numbers in a database.
. "$(dirname "$0")/names.sh"
weft=$1 vmlinux=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export WEFT_DB=$work/vmlinux.weft LC_ALL=C
passed=0 failed=0

# result NAME FILE [COMPARED [AT-LEAST]]: passes if FILE, which lists errors, is empty and at least
# AT-LEAST cases were compared, since a check that compares nothing proves nothing.
result() {
	local compared

	if [ -s "$2" ] || [ "${3:-1}" -lt "${4:-1}" ]; then
		failed=$((failed + 1))
		compared=${3:+ of $3 compared (at least ${4:-1} expected)}
		echo "FAILED $1: $(wc -l <"$2") wrong$compared, the first:"
		head -n 5 "$2" | sed 's/^/  /'
	else
		passed=$((passed + 1))
		echo "ok $1${3:+ ($3 compared)}"
	fi
}

finish() {
	echo "$passed passed, $failed failed, 0 skipped"
	[ "$failed" -eq 0 ]
}
