#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Tests the command lines, folders and kernels that `weft compile` must refuse. SAMPLE is the unit
# tests' image. With KERNEL, a build folder whose database is KERNEL_DB, this is tested as well: a
# module from the cache comes with the same notes as one that was just compiled; several aspects
# compiled at once give the same code as each alone; and the compiler finds authors' mistakes
# (abuses.sh). Aspects that must be refused are in tests/golden/refuse and
# tests/golden/refuse-kernel. Usage: run.sh WEFT SAMPLE [KERNEL]
set -u
unset WEFT_DB WEFT_KERNEL
weft=$(realpath "$1") sample=$(realpath "$2")
kernel=${3:-}
cd "$(dirname "$0")" || exit 1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0 failed=0 skipped=0

# count OK: counts a pass if OK is 1, else a failure.
count() {
	[ "$1" -eq 1 ] && passed=$((passed + 1)) || failed=$((failed + 1))
}

# case_of_line NAME STATUS TEXT ARGUMENT...: runs `weft compile ARGUMENT...`, which must end with
# STATUS and a message of one line that has TEXT.
case_of_line() {
	local name=$1 status=$2 text=$3 ok=1 now
	shift 3
	"$weft" compile "$@" >"$work/out" 2>"$work/err"
	now=$?
	[ $now -eq "$status" ] || { echo "$name: exit status $now, not $status"; ok=0; }
	grep -qF -- "$text" "$work/err" || { echo "$name: no '$text' in:"; cat "$work/err"; ok=0; }
	[ "$(grep -c . "$work/err")" -eq 1 ] || {
		echo "$name: not one line:"
		cat "$work/err"
		ok=0
	}
	count $ok
}

"$weft" index "$sample" -o "$work/sample.weft" >/dev/null || exit 1
# Makes a kernel folder with only the files that weft checks before it builds.
mkdir "$work/kernel" && touch "$work/kernel/"{Makefile,.config,Module.symvers} &&
	cp "$sample" "$work/kernel/vmlinux"
good=$work/good.xml db=$work/sample.weft
cat >"$good" <<'XML'
<aspect name="good"><pointcut><function name="destroy"/></pointcut><before-advice/></aspect>
XML
case_of_line 'no aspect' 2 'no aspect' --db "$db"
case_of_line 'two aspects' 2 'several aspects need -o FOLDER' "$good" "$good" --db "$db"
case_of_line 'the C of two aspects' 2 'several aspects need -o FOLDER' "$good" "$good" --db "$db" \
	-o "$work" --print-c
case_of_line 'two aspects, one module' 2 "would both be $work/good.ko" "$good" "$good" --db "$db" \
	--kernel "$work/kernel" -o "$work"
case_of_line 'no database named' 2 '--db' "$good"
if [ -e "/lib/modules/$(uname -r)/build" ]; then
	echo "skip no kernel named: this machine's own is found"
	skipped=$((skipped + 1))
else
	case_of_line 'no kernel named' 2 '--kernel' "$good" --db "$db" -o "$work/x.ko"
fi
case_of_line 'C kept in the cache' 2 '-o' "$good" --db "$db" --kernel "$work/kernel" --keep-c
XDG_CACHE_HOME=$work/cache case_of_line 'no weft.ko for the cache' 1 '--kmod' "$good" --db "$db" \
	--kernel "$work/kernel" --kmod "$work"
case_of_line 'two databases' 2 'given twice' "$good" --db "$db" --db "$db" --print-c
case_of_line 'too many shadows' 15 '1 shadow, more than the 0' \
	"$good" --db "$db" --at-most 0 --print-c
case_of_line 'unknown option' 2 '--bogus' "$good" --bogus
case_of_line 'option without value' 2 '--db' "$good" --db
# named NAME BODY KERNEL: prints an aspect's generated C, without the lines that are strings. Some
# names in a database and in an image contain C, none of which may become code of the aspect.
named() {
	printf '<aspect name="%s">
		<pointcut><member-access struct="sk_buff" name="len"/></pointcut>
		<before-advice optional="yes">%s;</before-advice></aspect>' \
		"$1" "$2" >"$work/$1.xml"
	"$weft" compile "$work/$1.xml" --db "$work/names.weft" --kernel "$3" \
		--runtime ../../runtime --print-c 2>"$work/err" | grep -v '^	"' >"$work/$1.c"
}
cp "$db" "$work/names.weft"
sqlite3 "$work/names.weft" "UPDATE symbol SET name = name || '*/int evil;/*'"
mkdir "$work/names" && touch "$work/names/"{Makefile,.config,Module.symvers}
sed 's/sk_buff\x00/s;evilb\x00/g; s/int\x00/i;t\x00/g' "$sample" >"$work/names/vmlinux"
named comments 'weft_log("%p", $obj)' "$work/kernel"
named types 'weft_log("%p %d", $(skb), $(count))' "$work/names"
ok=1
grep -q 'destroy.*+0x14' "$work/comments.c" && grep -q '(void \*)' "$work/types.c" || ok=0
! grep -nE '\*/int evil|;evilb|i;t' "$work/comments.c" "$work/types.c" || ok=0
[ $ok = 1 ] || { echo "names that are C become code, or nothing was compiled:"; cat "$work/err"; }
count $ok
case_of_line 'no such aspect' 1 "$work/none.xml" "$work/none.xml" --db "$db" --print-c
case_of_line 'a folder as aspect' 3 'regular file' "$work" --db "$db" --print-c
case_of_line 'no such database' 1 "$work/none.weft" "$good" --db "$work/none.weft" --print-c
case_of_line 'no database at all' 6 "$good" "$good" --db "$good" --print-c
case_of_line 'no such kernel' 1 "$work/none" \
	"$good" --db "$db" --kernel "$work/none" -o "$work/x.ko"
printf '\xff\xfe<\0a\0' >"$work/utf16.xml"
case_of_line 'not UTF-8' 3 'UTF-8' "$work/utf16.xml" --db "$db" --print-c
for missing in Module.symvers .config Makefile; do
	mv "$work/kernel/$missing" "$work/away"
	case_of_line "kernel without $missing" 1 "has no $missing: " \
		"$good" --db "$db" --kernel "$work/kernel" -o "$work/x.ko"
	mv "$work/away" "$work/kernel/$missing"
done
echo '# CONFIG_SMP is not set' >"$work/kernel/.config"
case_of_line 'kernel for one processor' 1 'without CONFIG_SMP' \
	"$good" --db "$db" --kernel "$work/kernel" -o "$work/x.ko"
: >"$work/kernel/.config"
# A kernel without CONFIG_SMP must make weft.ko's compilation fail.
mkdir "$work/linux"
cat >"$work/linux/version.h" <<'END'
#define KERNEL_VERSION(a, b, c) (((a) << 16) + ((b) << 8) + (c))
#define LINUX_VERSION_CODE KERNEL_VERSION(6, 1, 0)
END
ok=1
gcc -E -I "$work" ../../kmod/compat/needs.h 2>&1 |
	grep -qF 'weft.ko needs a kernel with CONFIG_SMP' || ok=0
[ $ok = 1 ] || echo "weft.ko compiles for a kernel without CONFIG_SMP"
count $ok
objcopy --remove-section .note.gnu.build-id "$sample" "$work/kernel/vmlinux" 2>/dev/null
case_of_line 'kernel without build-id' 7 '0123456789abcdef' \
	"$good" --db "$db" --kernel "$work/kernel" -o "$work/x.ko"
cp "$weft" "$work/kernel/vmlinux"
case_of_line 'database of another kernel' 7 '0123456789abcdef' \
	"$good" --db "$db" --kernel "$work/kernel" -o "$work/x.ko"
cp "$sample" "$work/kernel/vmlinux"
case_of_line 'no weft.ko' 1 '--kmod' \
	"$good" --db "$db" --kernel "$work/kernel" -o "$work/x.ko" --kmod "$work"
ln -s /dev/null "$work/advice.h"
touch "$work/Module.symvers"
case_of_line 'kbuild fails' 1 'does not build' \
	"$good" --db "$db" --kernel "$work/kernel" -o "$work/x.ko" --kmod "$work" --runtime "$work"
# Whoever can rename the folder in which weft builds a module can put another in its place.
mkdir -p "$work/theirs/tmp"
chmod 777 "$work/theirs"
TMPDIR=$work/theirs/tmp case_of_line 'others can replace temporary files' 1 'set TMPDIR' \
	"$good" --db "$db" --kernel "$work/kernel" -o "$work/x.ko" --kmod "$work" --runtime "$work"
chmod 1777 "$work/theirs"
TMPDIR=$work/theirs/tmp case_of_line 'others can write beside them only' 1 'does not build' \
	"$good" --db "$db" --kernel "$work/kernel" -o "$work/x.ko" --kmod "$work" --runtime "$work"
touch "$work/key" "$work/cert"
case_of_line 'a key without its certificate' 2 '--sign-cert' \
	"$good" --db "$db" --kernel "$work/kernel" -o "$work/x.ko" --kmod "$work" \
	--runtime "$work" --sign-key "$work/key"
case_of_line 'no such key' 1 "$work/none" \
	"$good" --db "$db" --kernel "$work/kernel" -o "$work/x.ko" --kmod "$work" \
	--runtime "$work" --sign-key "$work/none" --sign-cert "$work/cert"
case_of_line 'a key for a kernel that knows no signatures' 1 'without CONFIG_MODULE_SIG' \
	"$good" --db "$db" --kernel "$work/kernel" -o "$work/x.ko" --kmod "$work" \
	--runtime "$work" --sign-key "$work/key" --sign-cert "$work/cert"
echo 'CONFIG_MODULE_SIG_HASH="sha256"' >"$work/kernel/.config"
case_of_line 'a kernel folder without sign-file' 1 'scripts/sign-file' \
	"$good" --db "$db" --kernel "$work/kernel" -o "$work/x.ko" --kmod "$work" \
	--runtime "$work" --sign-key "$work/key" --sign-cert "$work/cert"
: >"$work/kernel/.config"
mkfifo "$work/pipe"
case_of_line 'a pipe as module' 1 'not a regular file' \
	"$good" --db "$db" --kernel "$work/kernel" --kmod "$work" --runtime "$work" -o "$work/pipe"

# Notes are printed for a module from the cache as they are for one that was just compiled.
if [ -n "$kernel" ]; then
	ok=1
	cat >"$work/noted.xml" <<'XML'
<aspect name="noted">
  <pointcut name="a">
    <and><function name="vfs_write"/><cflow function="ksys_pwrite64"/></and>
  </pointcut>
  <counter pointcut="a"/>
</aspect>
XML
	for round in anew cached; do
		XDG_CACHE_HOME=$work/kept "$weft" compile "$work/noted.xml" --db "$KERNEL_DB" \
			--kernel "$kernel" ${KMOD:+--kmod "$KMOD"} \
			>"$work/$round.out" 2>"$work/$round.err" || ok=0
	done
	grep -q 'compiled before' "$work/cached.out" &&
		grep -q 'note: 1 inlined instance of ksys_pwrite64' "$work/anew.err" || ok=0
	diff "$work/anew.err" "$work/cached.err" || ok=0
	count $ok

	# Aspects that are compiled at once must each have the same code as when compiled alone,
	# with their own notes and errors.
	mkdir "$work/alone" "$work/many"
	ok=1
	cat >"$work/other.xml" <<'XML'
<aspect name="other">
  <pointcut name="a"><function name="vfs_read"/></pointcut>
  <before-advice pointcut="a">weft_log("read");</before-advice>
</aspect>
XML
	# together ASPECT...: compiles the aspects at once.
	together() {
		"$weft" compile --db "$KERNEL_DB" --kernel "$kernel" ${KMOD:+--kmod "$KMOD"} "$@"
	}
	code_of() { objdump -dr -j .text "$1" | tail -n +4; }
	for one in noted other; do
		together "$work/$one.xml" -o "$work/alone" >/dev/null 2>&1 || ok=0
	done
	together "$work/noted.xml" "$work/other.xml" -o "$work/many" \
		>"$work/out" 2>"$work/err" || ok=0
	for one in noted other; do
		grep -qE "^$work/many/$one.ko: [14] shadows?$" "$work/out" &&
			diff <(code_of "$work/alone/$one.ko") <(code_of "$work/many/$one.ko") ||
			ok=0
	done
	[ "$(head -n 1 "$work/err")" = "weft: $work/noted.xml:" ] || ok=0
	count $ok

	ok=1
	rm "$work/many"/*
	sed 's/weft_log("read")/no_such_thing/; s/"other"/"broken"/' "$work/other.xml" \
		>"$work/broken.xml"
	together "$work/noted.xml" "$work/broken.xml" "$work/other.xml" -o "$work/many" \
		>"$work/out" 2>"$work/err"
	[ $? = 4 ] || ok=0
	grep -qF "$work/broken.xml:3:31: error: 'no_such_thing' undeclared" "$work/err" || ok=0
	# There must be no broken.ko.
	[ "$(ls "$work/many" | tr '\n' ' ')" = "noted.ko other.ko " ] || ok=0
	count $ok

	./abuses.sh compile "$weft" --db "$KERNEL_DB" --kernel "$kernel" \
		${KMOD:+--kmod "$KMOD"} >"$work/abuses" || grep -v ' passed, ' "$work/abuses"
	read -r told _ untold _ < <(tail -n 1 "$work/abuses")
	passed=$((passed + told)) failed=$((failed + untold))
fi
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ]
