#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The tree's own rules, as far as a script can see them: lengths of files and functions, licence lines, README sizes, words
# that mark unfinished work, trailing blanks, shell syntax, and that the command table, its help and the documents agree.
set -uo pipefail
cd "$(dirname "$0")/.."
passed=0 failed=0
mapfile -t files < <(git ls-files --cached --others --exclude-standard)
mapfile -t sources < <(printf '%s\n' "${files[@]}" | grep -E '\.(c|h|cc|sh)$')

# rule NAME: what stands on stdin are the offenders
rule() {
	local offenders
	offenders=$(cat)
	if [ -z "$offenders" ]; then
		printf 'ok     %s\n' "$1"
		passed=$((passed + 1))
	else
		printf 'FAILED %s:\n%s\n' "$1" "$offenders"
		failed=$((failed + 1))
	fi
}

wc -l "${sources[@]}" | awk '$2 != "total" && $1 > 700 { print $2 ": " $1 " lines" }' | rule "no file over 700 lines"
awk 'FNR == 1 { start = 0 } /^\{/ { start = FNR } /^\}/ && start { if (FNR - start - 1 > 100) print FILENAME ":" start ": " FNR - start - 1 " lines"; start = 0 }' \
	$(printf '%s\n' "${sources[@]}" | grep -E '\.(c|h|cc)$') | rule "no function over 100 lines"
for f in "${sources[@]}"; do head -n 3 "$f" | grep -q 'SPDX-License-Identifier: GPL-2.0-or-later' || echo "$f"; done |
	rule "a licence line in every source"
for f in */README.md tests/vm/README.md; do [ "$(wc -l <"$f")" -le 40 ] || echo "$f: $(wc -l <"$f") lines"; done |
	rule "a folder's README has at most 40 lines"
n=$(wc -l <README.md)
{ [ "$n" -ge 60 ] && [ "$n" -le 100 ]; } || echo "$n lines" | cat | rule "README.md has 60 to 100 lines"
grep -nE '\b(TODO|FIXME|XXX|HACK)\b' "${sources[@]}" | grep -v '^tests/lint.sh' | rule "nothing marked unfinished"
grep -nE '[[:blank:]]+$' "${sources[@]}" | rule "no trailing blanks"
awk 'length($0) > 140 { print FILENAME ":" FNR ": " length($0) " characters" }' "${sources[@]}" | rule "no line far over 100 columns"
for f in $(printf '%s\n' "${sources[@]}" | grep '\.sh$'); do bash -n "$f" 2>&1; done | rule "shell scripts parse"
sed -n 's/^	{ "\([a-z]*\)", wv_cmd_.*/\1/p' weaver/main.c | while read -r command; do
	[ -e "weaver/cmds/$command.c" ] || echo "$command has no weaver/cmds/$command.c"
	grep -q "wv_help_$command\[\]" "weaver/cmds/$command.c" || echo "$command has no help text"
	grep -q "weft $command" README.md docs/*.md || echo "no document speaks of weft $command"
done | rule "every command has its file, its help and a place in the documents"
awk '/^enum weft_refusal/ { on = 1 } on && match($0, /= [0-9]+,/) && !/NONE/ { print substr($0, RSTART + 2, RLENGTH - 3) } /^};/ { on = 0 }' runtime/abi.h |
	while read -r value; do grep -q "^| $value | " docs/refusals.md || echo "refusal $value is not in docs/refusals.md"; done |
	rule "every refusal is documented"
printf '%d passed, %d failed, 0 skipped\n' $passed $failed
[ $failed = 0 ]
