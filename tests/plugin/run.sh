#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Tests the plugin's accesses and labels. Compiles each case, reads its table with the tests' own
# reader, and compares it with the case's EXPECT comments, with objdump, and with the compiler's
# offsetof. Then tests what the plugin must refuse, and where it must print nothing. Usage: run.sh
# PLUGIN TABLE-DUMP
set -uo pipefail
plugin=$(realpath "$1") dump=$(realpath "$2")
here=$(realpath "$(dirname "$0")")
CC=${CC:-gcc} CXX=${CXX:-g++}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
results=$work/results
: >"$results"

with_plugin() {
	"$CC" -fplugin="$plugin" "$@"
}

# written_accesses OBJECT: prints the accesses that the source has. Leaves out accesses derived from
# an address: they exist only if an instruction was found, and have the source location where the
# address is taken.
written_accesses() {
	"$dump" "$1" | grep '^access' | awk '{
		kind = $3
		$2 = $3 = ""
		if (kind == "address")
			taken[$0] = 1
		line[NR] = $0
		of[NR] = kind
	}
	END {
		for (i = 1; i <= NR; i++)
			if (!taken[line[i]] || of[i] == "address")
				print of[i], line[i]
	}' | sort
}

# same_accesses OBJECT OBJECT: succeeds if both have the same accesses, whatever their labels are.
same_accesses() {
	diff <(written_accesses "$1") <(written_accesses "$2")
}

# check NAME CONDITION...: runs the command CONDITION, which must succeed.
check() {
	local name=$1
	shift
	if "$@" >"$work/output" 2>&1; then
		echo "ok     $name"
	else
		echo "FAILED $name"
		sed 's/^/  /' "$work/output"
	fi >>"$results"
}

# offsets CASE DUMP WORD: prints "NAME OFFSET SIZE" of every member in the dump, by the compiler,
# for a machine whose words have WORD bytes. Members for which offsetof does not work (bit-fields,
# parts of arrays) are left out. Fails if the compiler has an error elsewhere than at a member.
offsets() {
	local names=$work/names source=$work/offsets.c case
	case=$(realpath "$1") || return 1
	awk '$1 == "access" { print $5 == "-" ? $4 : $5 }' "$2" | sort -u >"$names"
	while :; do
		awk -v header="$case" '
			BEGIN {
				print "#include \"" header "\""
				print "const unsigned long weft_offsets[] = {"
			}
			{
				type = $1; sub(/\..*/, "", type)
				member = $1; sub(/^[^.]*\./, "", member)
				if (type !~ /_t$/) type = (type ~ /^u_/ ? "union " : "struct ") type
				printf "__builtin_offsetof(%s, %s), sizeof(((%s *)0)->%s),\n",
					type, member, type, member
			}
			END { print "};" }' "$names" >"$source"
		"$CC" -std=gnu11 -m$((8 * $3)) -w -S -o "$work/offsets.s" "$source" \
			2>"$work/errors" && break
		local bad
		bad=$(sed -n 's/^.*offsets\.c:\([0-9]*\):.* error:.*/\1/p' "$work/errors" |
			sort -un | awk '$1 > 2 { printf "%dd;", $1 - 2 }')
		[ -n "$bad" ] || return 1
		sed -i "$bad" "$names"
	done
	awk -v word="$3" '/^weft_offsets:/ { on = 1; next }
		on && /\.(quad|long)/ { print $2 }
		on && $1 == ".zero" { for (i = 0; i < $2; i += word) print 0 }' "$work/offsets.s" |
		paste -d' ' - - | paste -d' ' "$names" -
}

# compare CASE USES OPTION...: tests one case under one set of options. USES is 1 if the case's
# access effects hold under these options and are compared, else 0.
compare() {
	local case=$1 uses=$2 name word=8
	shift 2
	name=$(basename "$case" .c)
	[[ " $* " != *" -m32 "* ]] || word=4
	if ! with_plugin -std=gnu11 "$@" -c -o "$work/case.o" "$case" 2>"$work/errors" ||
		[ -s "$work/errors" ]; then
		echo "FAILED $name $*: the compiler says:" >>"$results"
		cat "$work/errors" >>"$results"
		return
	fi
	"$dump" "$work/case.o" >"$work/case.dump" 2>&1 ||
		echo "FAILED $name $*: $(tail -n 1 "$work/case.dump")" >>"$results"
	objdump -dw --no-show-raw-insn "$work/case.o" >"$work/case.objdump"
	[ -e "$work/$name.$word.offsets" ] ||
		offsets "$case" "$work/case.dump" $word >"$work/$name.$word.offsets" ||
		echo "FAILED $name $*: offsets: $(head -n 1 "$work/errors")" >>"$results"
	local sources=("$case")
	[ "$name" != inlining ] || sources+=("$here/cases/header.h")
	awk -v USES="$uses" -v CASE="$name $*" -f "$here/accesses.awk" "${sources[@]}" \
		"$work/$name.$word.offsets" "$work/case.objdump" "$work/case.dump" >>"$results"
}

for case in "$here"/cases/*.c; do
	[ "$(basename "$case")" != nothing.c ] || continue
	compare "$case" 1 -O2 -g
	compare "$case" 1 -O2 -mindirect-branch=thunk-extern -mindirect-branch-register
	compare "$case" 0 -O0 -g
	compare "$case" 0 -O1
	compare "$case" 0 -Os
	compare "$case" 0 -O3 -pg -mfentry
	compare "$case" 0 -O2 -fsanitize=kernel-address
	compare "$case" 0 -O2 -m32
done

table_of() {
	readelf -SW "$1" | grep -F .debug_weaknames
}
has_table() {
	[ -n "$(table_of "$1")" ]
}
has_none() {
	[ -z "$(table_of "$1")" ]
}
same_tables() {
	cmp <("$dump" "$1") <("$dump" "$2")
}
# fails_with TEXT COMMAND...: the command must fail, and must print only one error, which has TEXT.
fails_with() {
	local text=$1
	shift
	"$@" 2>"$work/errors" && return 1
	cat "$work/errors"
	[ "$(grep -c 'error:' "$work/errors")" = 1 ] && grep -qE -- "$text" "$work/errors"
}
silent() {
	"$@" 2>"$work/errors" && [ ! -s "$work/errors" ]
}

# loads_in_order OBJECT: in each function the load of link.prev must have a greater displacement
# than that of link.next.
loads_in_order() {
	objdump -dw --no-show-raw-insn "$1" >"$work/o.objdump"
	"$dump" "$1" | awk '
		FILENAME != "-" {
			if (match($0, /^ +[0-9a-f]+:/) && match($0, /[0-9a-f]*\(%/)) {
				offset = sprintf("%8s", substr($0, RSTART, RLENGTH - 2))
				at[substr($1, 1, length($1) - 1)] = offset
			}
			next
		}
		$1 == "access" { name[$2] = $4 }
		$1 == "label" && $5 == "load" { place[$6, name[$4]] = at[$3]; of[$6] = 1 }
		END {
			for (it in of) {
				if (!((it, "link.next") in place))
					continue
				pairs++
				wrong += place[it, "link.next"] >= place[it, "link.prev"]
			}
			print pairs + 0, "pairs,", wrong + 0, "wrong"
			exit wrong || pairs < 3
		}' "$work/o.objdump" -
}

# line_of CASE TEXT: prints the number of the only line that has TEXT.
line_of() {
	grep -nF -- "$2" "$cases/$1.c" | cut -d: -f1
}

# instructions_of OBJECT LINE WHAT FIRST...: the instructions that are labelled for the accesses of
# a line (WHAT is "label"), or for their servants (WHAT is "fate"), must begin with the words FIRST.
instructions_of() {
	local object=$1 line=$2 what=$3
	shift 3
	objdump -dw --no-show-raw-insn "$object" >"$work/o.objdump"
	"$dump" "$object" | awk -v LINE="$line" -v WHAT="$what" '
		FILENAME != "-" { text[substr($1, 1, length($1) - 1)] = $2; next }
		$1 == "access" { split($8, at, ":"); wanted[$2] = at[2] == LINE }
		$1 == WHAT && WHAT == "label" && wanted[$4] { print text[$3] }
		$1 == WHAT && WHAT == "fate" && wanted[$2] && NF > 4 { print text[$6] }
		' "$work/o.objdump" - >"$work/instructions"
	cat "$work/instructions"
	[ "$(sort "$work/instructions" | paste -sd' ')" = "$*" ]
}

cases=$here/cases
check "a unit without accesses has no table" \
	silent with_plugin -O2 -c -o "$work/n.o" "$cases/nothing.c"
check "a unit without accesses has no table: section" has_none "$work/n.o"
check "a unit with accesses" silent with_plugin -O2 -g -c -o "$work/k.o" "$cases/kinds.c"
check "a unit with accesses has a table" has_table "$work/k.o"
check "the table is not loaded" \
	sh -c "! readelf -SW '$work/k.o' | grep -F .debug_weaknames | grep -qE ' W?A +[0-9]'"
check "the table has no symbols" sh -c "! nm -a '$work/k.o' | grep -F weft"
check "without -g" silent with_plugin -O2 -c -o "$work/k0.o" "$cases/kinds.c"
check "without -g the same table" same_tables "$work/k.o" "$work/k0.o"
check "through a pipe" silent with_plugin -pipe -O2 -g -c -o "$work/kp.o" "$cases/kinds.c"
check "through a pipe the same table" same_tables "$work/k.o" "$work/kp.o"
check "-S" silent with_plugin -O2 -g -S -o "$work/k.s" "$cases/kinds.c"
check "-S assembled" silent "$CC" -c -o "$work/ks.o" "$work/k.s"
check "-S assembled has the same table" same_tables "$work/k.o" "$work/ks.o"
check "inlined functions' accesses without -g" \
	silent with_plugin -O2 -c -o "$work/i0.o" "$cases/inlining.c"
check "inlined functions' accesses with -g" \
	silent with_plugin -O2 -g -c -o "$work/i1.o" "$cases/inlining.c"
check "inlined functions' accesses are the same" same_tables "$work/i0.o" "$work/i1.o"
check "loads that IPA-SRA moved" silent with_plugin -O2 -c -o "$work/s.o" "$cases/isra.c"
check "loads that IPA-SRA moved are the right ones" loads_in_order "$work/s.o"
check "servants on several ways" silent with_plugin -O2 -c -o "$work/y.o" "$cases/ways.c"
check "a servant is on the way of its access" instructions_of "$work/y.o" \
	"$(line_of ways 'sum *= p->b')" fate mov
check "a servant on each way" instructions_of "$work/y.o" \
	"$(line_of ways 'p->b * 3')" fate mov mov
check "a load before a branch does what is behind it" instructions_of "$work/y.o" \
	"$(line_of ways 'to[1] = p->a')" label mov
# Which of the two texts is compiled is not known to the plugin.
cat >"$work/directive.c" <<'END'
struct s { unsigned x : 1, y : 1; };
int f(struct s *p)
{
	return !p->x &&
#if 1
	       !p->y;
#else
	       !p->x && !p->y;
#endif
}
END
check "a merged test with a directive" \
	silent with_plugin -O2 -c -o "$work/directive.o" "$work/directive.c"
check "a merged test with a directive: at its operator" \
	sh -c "[ \$('$dump' '$work/directive.o' | grep -c '^access.*directive.c:4:15') = 2 ]"
check "-E" silent with_plugin -E -o "$work/k.i" "$cases/kinds.c"
check "-fsyntax-only" silent with_plugin -fsyntax-only "$cases/kinds.c"
for case in "$cases"/*.c; do
	name=$(basename "$case" .c)
	check "accesses without code, $name" silent with_plugin -std=gnu11 -fsyntax-only \
		"-fplugin-arg-$(basename "$plugin" .so)-accesses=$work/r.s" "$case"
	as -o "$work/r.o" "$work/r.s"
	with_plugin -std=gnu11 -c -o "$work/o.o" "$case" 2>/dev/null
	check "accesses without code are those with code, $name" \
		same_accesses "$work/r.o" "$work/o.o"
done
check "accesses with code" fails_with "is for .-fsyntax-only." with_plugin \
	"-fplugin-arg-$(basename "$plugin" .so)-accesses=$work/r.s" -c -o "$work/e.o" \
	"$cases/kinds.c"
printf '#define VALUE 3\n\t.long VALUE\n' >"$work/a.S"
check "assembler source" silent with_plugin -c -o "$work/a.o" "$work/a.S"
check "user-space code of the kernel has no table" \
	silent with_plugin -DBUILD_VDSO -O2 -c -o "$work/v.o" "$cases/kinds.c"
check "user-space code of the kernel has no table: section" has_none "$work/v.o"
strip -g -o "$work/stripped.o" "$work/k.o"
check "strip -g removes the table" has_none "$work/stripped.o"
with_plugin -O2 -c -o "$work/i.o" "$cases/initialisers.c"
ld -r -o "$work/both.o" "$work/k.o" "$work/i.o"
ld -Ttext=0x1000 --unresolved-symbols=ignore-all -e 0 -o "$work/linked" "$work/k.o" 2>/dev/null
check "two units linked together" "$dump" "$work/both.o"
check "a linked table" sh -c "'$dump' '$work/linked' | grep -q '^label - 10[0-9a-f][0-9a-f] '"
if command -v "$CXX" >/dev/null; then
	printf 'struct s { int n; }; int f(s *p) { return p->n; }\n' >"$work/c.cc"
	check "C++" silent "$CXX" -fplugin="$plugin" -O2 -c -o "$work/c.o" "$work/c.cc"
	check "C++ has no table" has_none "$work/c.o"
fi
check "unknown argument" fails_with "unknown argument .nonsense." with_plugin \
	"-fplugin-arg-$(basename "$plugin" .so)-nonsense=3" -c -o "$work/e.o" "$cases/kinds.c"
check "-flto" fails_with "link-time optimization" \
	with_plugin -flto -c -o "$work/e.o" "$cases/kinds.c"
printf 'struct s { int n; };\nint f(struct s *p) { return p->m; }\n' >"$work/e.c"
check "an error in the source stays the only one" fails_with "no member named" \
	with_plugin -O2 -c -o "$work/e.o" "$work/e.c"

# Tests a plugin that is for another compiler: our plugin, with plugin.cc built against a version
# header that has another version.
if [ -n "${PLUGIN_REBUILD:-}" ]; then
	mkdir -p "$work/version"
	sed 's/^static char basever.*/static char basever[] = "99.1.0";/' \
		"$("$CC" -print-file-name=plugin)/include/plugin-version.h" \
		>"$work/version/plugin-version.h"
	check "plugin of another compiler: build" \
		sh -c "$PLUGIN_REBUILD" sh "$work/version" "$work/other.so"
	check "plugin of another compiler" fails_with \
		"99\.1\.0.*$("$CC" -dumpfullversion | sed 's/\./\\./g')" "$CC" \
		-fplugin="$work/other.so" -c -o "$work/e.o" "$cases/kinds.c"
	skipped=0
else
	echo "skip   plugin of another compiler: run through make check-plugin," \
		"which knows how to build one" >>"$results"
	skipped=1
fi

grep -v '^ok' "$results"
passed=$(grep -c '^ok' "$results")
failed=$(grep -c '^FAILED' "$results")
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ]
