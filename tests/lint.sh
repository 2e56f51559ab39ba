#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Checks those rules of the tree that a script can check: lengths of files, functions and lines,
# licence lines, README sizes, words that mark unfinished work, trailing blanks, shell syntax,
# retired words, the order of includes, and that the commands, their help and the documents agree.
set -uo pipefail
cd "$(dirname "$0")/.."
passed=0 failed=0
mapfile -t files < <(git ls-files --cached --others --exclude-standard)
mapfile -t sources < <(printf '%s\n' "${files[@]}" | grep -E '\.(c|h|cc|sh|m?js|css)$')
mapfile -t documents < <(printf '%s\n' "${files[@]}" | grep '\.md$')
# Files for make, awk and the assembler, and scripts and settings whose names have no ending.
mapfile -t scripts < <(printf '%s\n' "${files[@]}" | grep -E -e '\.(mk|awk|bash|S|rng)$' \
	-e '(^|/)(Makefile|Kbuild|guest-(init|run|shell)|parse-cc|\.clang-format)$')
# All aspects, except those of tests that depend on lines and columns.
mapfile -t aspects < <(printf '%s\n' "${files[@]}" | grep '\.xml$' |
	grep -vE '^tests/(golden|fuzz)/')
mapfile -t c_sources < <(printf '%s\n' "${sources[@]}" | grep -E '\.(c|h|cc)$')

# rule NAME COMMAND...: runs COMMAND. The rule is kept if it prints nothing; otherwise it prints
# violations.
rule() {
	local name=$1 offenders
	shift
	offenders=$("$@")
	if [ -z "$offenders" ]; then
		printf 'ok     %s\n' "$name"
		passed=$((passed + 1))
	else
		printf 'FAILED %s:\n%s\n' "$name" "$offenders"
		failed=$((failed + 1))
	fi
}

long_files() {
	wc -l "${sources[@]}" | awk '$2 != "total" && $1 > 700 { print $2 ": " $1 " lines" }'
}

long_functions() {
	awk 'FNR == 1 { start = 0 }
	     /^\{/ { start = FNR }
	     /^\}/ && start {
		n = FNR - start - 1
		if (n > 100) print FILENAME ":" start ": " n " lines"
		start = 0
	     }' \
		"${c_sources[@]}"
}

# Prints each source whose first three lines have no licence line.
unlicensed() {
	awk 'function finish() { if (file != "" && !licensed) print file }
	     FNR == 1 { finish(); file = FILENAME; licensed = 0 }
	     FNR <= 3 && /SPDX-License-Identifier: GPL-2.0-or-later/ { licensed = 1 }
	     FNR == 3 { nextfile }
	     END { finish() }' "${sources[@]}"
}

# Every file must begin, after its licence, with a comment that says what the file is. In
# tests/plugin/cases and tests/golden/points the lines of a file are the test.
without_header_comment() {
	printf '%s\n' "${sources[@]}" "${scripts[@]}" | grep -E '\.(c|h|cc|S|sh|mk|awk|bash)$' |
		grep -vE '^tests/(plugin/cases/|golden/points/[^/]*\.[ch]$)' |
		xargs awk '
			/^#!/ || /SPDX-License-Identifier/ || /^#?[[:blank:]]*$/ { next }
			!(FILENAME ~ /\.(c|h|cc|S)$/ ? /^(\/\*|\/\/)/ : /^# /) { print FILENAME }
			{ nextfile }'
}

long_readmes() {
	local f n
	for f in */README.md tests/*/README.md; do
		n=$(wc -l <"$f")
		[ "$n" -le 40 ] || echo "$f: $n lines"
	done
	n=$(wc -l <README.md)
	{ [ "$n" -ge 60 ] && [ "$n" -le 100 ]; } || echo "README.md: $n lines"
}

unfinished() { grep -nE '\b(TODO|FIXME|XXX|HACK)\b' "${sources[@]}" | grep -v '^tests/lint.sh'; }

trailing_blanks() { grep -nE '[[:blank:]]+$' "${sources[@]}"; }

# Lines of at most 100 columns, where a tab reaches to the next multiple of 8. Not checked in
# tests/plugin/cases and tests/golden/points, where a test depends on what is on one line.
long_lines() {
	printf '%s\n' "${sources[@]}" "${documents[@]}" "${scripts[@]}" "${aspects[@]}" |
		grep -vE '^tests/(plugin/cases/|golden/points/[^/]*\.[ch]$)' |
		xargs awk '
			length($0) <= 12 { next } # Twelve tabs are 96 columns.
			{
				columns = 0
				n = split($0, part, "\t")
				for (i = 1; i < n; i++)
					columns += length(part[i]) + 8 - length(part[i]) % 8
				columns += length(part[n])
			}
			columns > 100 { print FILENAME ":" FNR ": " columns " columns" }'
}

# Prints uses of words that docs/glossary.md lists as retired everywhere. Not checked: the glossary
# and this script, the licences, and files *.out and *.weft.
retired_words() {
	local words

	words=$(sed -nE 's/^\| `([^`]+)` \|[^|]*\| nowhere \|$/\1/p' docs/glossary.md |
		paste -sd '|')
	[ -n "$words" ] || { echo "docs/glossary.md lists no retired words"; return; }
	printf '%s\n' "${files[@]}" |
		grep -vE -e '^(LICENSE|debian/copyright|docs/glossary\.md|tests/lint\.sh)$' \
			-e '\.(out|weft)$' |
		xargs grep -nIiE "(^|[^A-Za-z])($words)(s|es|d|ed)?([^A-Za-z]|\$)" | cut -c 1-140
}

# Prints each struct, union or enum that two headers define: one object could see one definition,
# another object the other.
shared_structs() {
	printf '%s\n' "${c_sources[@]}" | grep '\.h$' |
		xargs grep -nE '^(typedef )?(struct|enum|union) w[vkrp]_[a-z0-9_]+ \{' |
		awk '{
			name = $1 == "typedef" ? $3 : $2
			sub(/:.*/, "", $1)
			n[name]++; at[name] = at[name] " " $1
		}
		END { for (name in n) if (n[name] > 1) print name " is defined in" at[name] }'
}

# Prints words that docs/glossary.md has retired in one sense only. A pattern finds the phrases in
# which a word has that sense. Each line is a pattern and, if such a phrase may have the other
# sense, the files in which it does.
retired_phrases() {
	local pattern may

	while IFS=$'\t' read -r pattern may; do
		printf '%s\n' "${files[@]}" |
			grep -E '^(weaver|kmod|runtime|gcc-plugin|tests|aspects|docs)/' |
			grep -vE -e '^(docs/glossary\.md|tests/lint\.sh)$|\.weft$' \
				-e "^(${may:-none})\$" |
			xargs grep -nIE "$pattern" | cut -c 1-140
	done <<-'END'
		\bw[kvrp]_([a-z0-9]+_)*(window|host|gap|drift|who|tell)(s|_|\b)
		\bw[kvrp]_([a-z0-9]+_)*(behind|ahead|forbidden)(s|_|\b)
		\bw[kvrp]_([a-z0-9]+_)*(lead|patch|launch|splash|alive|served|falls)\b
		\b[Ww]indows?\b|_window|window_	kmod/budget\.c|tests/vm/.*/(timing|manual)\..*
		(slots?|donors?) and hosts?\b
		\b(as a patch does|in its patches|the patch and)\b
		_gap\b|\bgap_
		(ask|check|is)_forbidden|\bforbidden(\[|\.xml|\.ko)
		add_who|AND_WHO|<(define|ref) name="who"
		\btell_|_tell\b|\btell\(
		\bDRIFT\b
		(^|[^A-Za-z])struct (w[kvrp]_)?place\b
		[a-z]_behind\b|\bbehind_|\bBEHIND|\bbehind( =|\)|;)	tests/plugin/cases/.*
		\bread_records\b|-records=	weaver/cmds/cmd-read\.c
		_ahead\b|\bahead_
	END
}

bad_shell() {
	local f
	for f in "${sources[@]}"; do
		case $f in *.sh) bash -n "$f" 2>&1 ;; esac
	done
}

# Each command in the table of weaver/cmds/commands.c must have its file, its help, and a place in a
# document.
unknown_commands() {
	local command file
	grep -o '&wv_cmd_[a-z]*' weaver/cmds/commands.c | sed 's/.*_//' | while read -r command; do
		file=weaver/cmds/cmd-$command.c
		[ -e "$file" ] || echo "$command has no $file"
		grep -q "\.name = \"$command\"" "$file" || echo "$command has no row"
		grep -qE "weft ([a-z]+\`, \`weft )?$command" README.md docs/*.md ||
			echo "no document speaks of weft $command"
	done
}

# kmod/README.md must have a row for each file; a .c and its .h are one.
unlisted_files() {
	local file name

	printf '%s\n' "${c_sources[@]}" | grep '^kmod/' | grep -v '^kmod/compat/' |
		while read -r file; do
			name=$(basename "${file%.*}")
			grep -q "\`$name\.[ch]\`" kmod/README.md ||
				echo "kmod/README.md has no $file"
		done
}

# A file of kmod/ must include no file that has a row above its own in kmod/README.md.
rows_out_of_order() {
	printf '%s\n' "${c_sources[@]}" | grep '^kmod/' | grep -v '^kmod/compat/' |
		xargs awk '
			function name(path) {
				sub(/.*\//, "", path)
				sub(/\.[ch]$/, "", path)
				return path
			}
			FILENAME ~ /README/ && /^\| `/ {
				split($0, column, "|")
				n = split(column[2], file, "`")
				for (i = 2; i <= n; i += 2)
					row[name(file[i])] = FNR
			}
			FILENAME !~ /README/ && /^#include "/ {
				split($0, quoted, "\"")
				from = name(FILENAME); to = name(quoted[2])
				if (to in row && row[to] < row[from])
					print from " includes " to ", which has a row above its own"
			}' kmod/README.md
}

undocumented_refusals() {
	local value
	awk '/^enum weft_refusal/ { on = 1 } /^};/ { on = 0 }
	     on && match($0, /= [0-9]+,/) && !/NONE/ {
		print substr($0, RSTART + 2, RLENGTH - 3)
	     }' runtime/abi.h |
		while read -r value; do
			grep -q "^| $value | " docs/refusals.md ||
				echo "refusal $value is not in docs/refusals.md"
		done
}

# Programs read the keys of JSON output, so a document must explain each key, as `key`.
undocumented_keys() {
	local key
	grep -ohE 'wv_json_[a-z_]+\([a-z&]+, "[a-z_0-9]+"' weaver/*/*.c weaver/*/*/*.c |
		sed -E 's/.*"(.*)"/\1/' | sort -u | while read -r key; do
			grep -q "\`$key\`" docs/*.md || echo "no document has the key $key"
		done
}

# Transcripts are compared without their numbers (tests/vm/transcripts.sh), so the version of the
# protocol that documents show is compared here.
old_protocols() {
	local version

	version=$(sed -n 's/^#define WEFT_ABI_VERSION //p' runtime/abi.h)
	grep -nE 'loaded, protocol [0-9]+' "${documents[@]}" |
		grep -vE "loaded, protocol ${version:-none}\>"
}

# Each `name()` in docs/architecture.md and CONTRIBUTING.md must be in a source of weft, or be one
# of the kernel's that are listed here.
missing_functions() {
	local name
	local -a sources kernel=(cpus_read_lock text_poke_sync synchronize_rcu_tasks weft_log)

	mapfile -t sources < <(printf '%s\n' "${files[@]}" | grep -E '\.(c|h|cc|sh)$')
	grep -ohE '`[a-zA-Z_0-9]+\(\)`' docs/architecture.md CONTRIBUTING.md | tr -d '`()' |
		sort -u | grep -vxF -e "$(printf '%s\n' "${kernel[@]}")" | while read -r name; do
		grep -qE "\b$name(\(|\b.*=)" "${sources[@]}" ||
			echo "$name() is in no source"
	done
}

# Checks the paths in documents. Links are relative to the document's folder, other paths to the top
# of the tree. A name in capitals (as in cmd-NAME.c) stands for any name. In a folder's README, a
# file name without a folder is a file at any depth of that folder.
missing_paths() {
	local doc folder path any='s/[A-Z]{2,}/*/g'
	local rooms='weaver|kmod|runtime|gcc-plugin|aspects|docs|scripts|tests'
	local -a documents

	mapfile -t documents < <(printf '%s\n' "${files[@]}" | grep '\.md$')
	for doc in "${documents[@]}"; do
		folder=$(dirname "$doc")
		while read -r path; do
			[ -e "$folder/$path" ] ||
				echo "$doc: the link leads to $path, which is not there"
		done < <(grep -oE '\]\([^)#:]+' "$doc" | cut -c3-)
		while read -r path; do
			compgen -G "$(sed -E "$any" <<<"$path")" >/dev/null ||
				echo "$doc: there is no $path"
		done < <(grep -oE "(^|[^A-Za-z0-9_/.-])($rooms)/[A-Za-z0-9_./*-]*" "$doc" |
			sed -E 's/^[^a-z]//; s/[.,-]*$//')
		case $doc in */README.md) ;; *) continue ;; esac
		while read -r path; do
			[ -n "$(find "$folder" -name "$path" -print -quit)" ] ||
				echo "$doc: no $path in $folder/"
		done < <(grep -oE '`[A-Za-z0-9_-]+\.(c|h|cc|sh|awk|xml|mk)`' "$doc" | tr -d '`' |
			sed -E "$any")
	done
}

# literals PATTERN...: prints lines of the weaver with a string literal that matches one of the
# patterns.
mapfile -t weaver < <(printf '%s\n' "${c_sources[@]}" | grep '^weaver/')
literals() {
	local pattern
	for pattern; do grep -nE "\"[^\"]*$pattern" "${weaver[@]}"; done
}

# Prints JSON that is not made by the JSON writer: a literal with a quoted key, or with a bracket
# before a quote.
json_by_hand() { literals '\\":' '[{[,]\\"'; }

# Prints flags and enumerators of the database that are numbers in SQL; schema.h has macros for
# their names.
numbers_in_sql() {
	literals '\bflags *& *\(?[0-9]' '<< *\(?[0-9]' \
		'\b(kind|precision|use|chosen) *(=|<>|<|>|IN) *\(?[0-9]' \
		'\bNOT (kind|precision|use|chosen)\b'
}

# Prints text that base/notation.c should write: `symbol+0x12`, `file:line`, the plural s of a noun.
by_hand() {
	{
		literals '%s\+(0x)?%' '%(\.[0-9]*)?s:%u'
		grep -nE '== 1 \? "[a-z]{0,3}"' "${weaver[@]}"
	} | grep -vE '^[^:]*/base/notation\.c:'
}

rule "no file over 700 lines" long_files
rule "no function over 100 lines" long_functions
rule "a licence line in every source" unlicensed
rule "a header comment in every source" without_header_comment
rule "a folder's README has at most 40 lines, the first one 60 to 100" long_readmes
rule "nothing marked unfinished" unfinished
rule "no trailing blanks" trailing_blanks
rule "no line over 100 columns" long_lines
rule "no word that the glossary has retired" retired_words
rule "no phrase with a retired word in its retired sense" retired_phrases
rule "no struct of one name in two headers" shared_structs
rule "the include graph follows the order of rooms and has no circles" tests/lint-includes.sh
rule "shell scripts parse" bad_shell
# Prints files other than options.c that parse options, which would not be in the help.
other_parsers() {
	grep -l getopt weaver/main.c weaver/cmds/*.[ch] | grep -v '^weaver/cmds/options\.c$'
}

rule "every command has its file, its row and a place in the documents" unknown_commands
rule "options are parsed in one place" other_parsers
rule "every refusal is documented" undocumented_refusals
rule "every key of JSON is documented" undocumented_keys
rule "documents show the version of the protocol" old_protocols
rule "every file of kmod/ is in its README" unlisted_files
rule "a file of kmod/ includes none of a row above its own" rows_out_of_order
rule "every path that a document names is there" missing_paths
rule "every function that architecture.md and CONTRIBUTING.md name is there" missing_functions
rule "JSON comes from base/json-writer.c alone" json_by_hand
rule "SQL names flags and enumerators" numbers_in_sql
rule "places and counts are written by base/notation.c" by_hand
printf '%d passed, %d failed, 0 skipped\n' $passed $failed
[ $failed = 0 ]
