#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Tests modules that are made of a template (weaver/module/template.h). Each must be the same as
# what the compiler makes of the same aspect; a second question of one kind must need no program at
# all; and what cannot be made of a template, or of the one in the cache, must be compiled.
# Usage: templates.sh WEFT KERNEL DB
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
weft=$1 kernel=$2 db=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export XDG_CACHE_HOME=$work/cache WEFT_DB=$db
templates=$XDG_CACHE_HOME/weft/templates
. tests/recipe/lib.sh

# make NAME [PATH]: compiles the aspect $work/NAME.xml into the cache, as a one-liner does, whose
# aspect is in no file; PATH is where weft finds programs. Sets module to the module's path, and
# leaves what weft has said in $work/said.
make() {
	PATH=${2:-$PATH} "$weft" compile --verbose --kernel "$kernel" - <"$work/$1.xml" \
		>"$work/said" 2>&1
	module=$(sed -n 's/^\(.*\.ko\): .*\(shadow\|compiled before\).*/\1/p' "$work/said")
	[ -n "$module" ] || sed 's/^/    /' "$work/said"
}
by_template() { grep -q '^weft: made of the template ' "$work/said"; }
by_compiler() { grep -q '^weft: made by ' "$work/said"; }
nr_templates() { ls "$templates" | wc -l; }

# is_same NAME: the module must be what the compiler makes of $work/NAME.xml.
is_same() {
	"$weft" compile --kernel "$kernel" - -o "$work/compiled.ko" <"$work/$1.xml" \
		>/dev/null 2>&1 &&
		python3 tests/recipe/same-module.py "$work/compiled.ko" "$module"
}

# ---- questions of one kind have one template -----------------------------------------------------

# question NAME WORD...: writes the aspect of a one-liner to $work/NAME.xml.
question() { "$weft" "${@:2}" --xml >"$work/$1.xml"; }
question open count vfs_open --by comm
question read count vfs_read --by comm
question some count 'vfs_f*' --by comm
question all count 'vfs_*' --by comm
question long count do_sys_openat2%callers --by comm
question time-a time vfs_read
question time-b time vfs_write

make open
check "the first question" by_template
check "the first question's module is what the compiler makes" is_same open
check "it has left a template" [ "$(nr_templates)" = 1 ]
for name in read some long; do
	make $name /nonexistent # There is no program that weft could run.
	check "$name: without a compiler" by_template
	check "$name: the module is what the compiler makes" is_same $name
done
check "there is still one template" [ "$(nr_templates)" = 1 ]
make all
check "many joinpoints: the module is what the compiler makes" is_same all
check "they have a template with more room" [ "$(nr_templates)" = 2 ]
make time-a
make time-b /nonexistent
check "another kind: without a compiler" by_template
check "another kind: the module is what the compiler makes" is_same time-b
check "it has a template of its own" [ "$(nr_templates)" = 3 ]

# ---- all of the tree's one-liners ----------------------------------------------------------------

while read -r name words; do
	case $words in count* | hist* | time* | stacks* | log* | watch*) ;; *) continue ;; esac
	eval "question line $words" 2>/dev/null || continue
	make line
	by_template || continue
	check "$name: the module is what the compiler makes" is_same line
done <tests/vm/oneliners.txt

# ---- what is compiled all the same ---------------------------------------------------------------

question log log vfs_read 'in %s' '$func'
make log
check "advice that names its joinpoint is compiled" by_compiler
sed 's/by="comm"/by="no_such_thing + 1"/' "$work/read.xml" >"$work/wrong.xml"
"$weft" compile --kernel "$kernel" "$work/wrong.xml" >"$work/said" 2>&1
check "C that is wrong: the message names the author's file" \
	grep -q "^$work/wrong.xml:.*'no_such_thing' undeclared" "$work/said"
check "and once" [ "$(grep -c "'no_such_thing' undeclared" "$work/said")" = 1 ]

# An aspect's word that a function never sleeps must not hold for others of the same C.
sed 's/<counter/<never-sleeps function="vfs_read"\/><counter/' "$work/read.xml" >"$work/awake.xml"
make awake
check "an aspect that says what never sleeps is made of none" [ "$(by_template; echo $?)" != 0 ]

# Two modules of one C with different headers must not be taken for each other.
build_id() { readelf -n "$1" | sed -n 's/.*Build ID: //p'; }
sed 's/<aspect /<aspect budget="7ms" /' "$work/read.xml" >"$work/budget.xml"
make read
first=$module
make budget
check "another budget: of the template" by_template
check "another budget: another build-id" [ "$(build_id "$first")" != "$(build_id "$module")" ]
python3 - "$first" "$module" <<'END'
import struct, subprocess, sys
def content(path):
    subprocess.run(["objcopy", "-O", "binary", "--only-section=.weft.aspect", path, "/dev/stdout"],
                   check=True, stdout=open(path + ".header", "wb"))
    header = open(path + ".header", "rb").read()
    return header[-24:-16]  # weft_aspect_header.content, before share, reserved and budget
sys.exit(content(sys.argv[1]) == content(sys.argv[2]))
END
check "another budget: another content" [ $? = 0 ]

# damage WHAT COMMAND...: COMMAND changes each template, whose path it gets; a question whose
# template that was must be answered all the same.
damage() {
	local file

	rm -rf "$XDG_CACHE_HOME/weft/aspects"
	for file in "$templates"/*; do "${@:2}" "$file"; done
	make read
	check "a template that is $1" is_same read
}
# older FILE: makes the module's header one of the protocol before (weft_aspect_header.abi).
older() {
	local at
	at=$(readelf -SW "$1" |
		sed -nE 's/.* \.weft\.aspect +PROGBITS +[0-9a-f]+ ([0-9a-f]+) .*/\1/p')
	printf '\1' | dd of="$1" bs=1 seek=$((16#$at + 4)) conv=notrunc status=none
}
damage "of another protocol" older
check "which is not filled" by_compiler
damage empty truncate -s 0
damage "cut off" truncate -s 5000
damage "something else" cp tests/recipe/templates.sh
damage gone rm
check "a template was made again" [ "$(nr_templates)" -ge 1 ]

printf '%d passed, %d failed, 0 skipped\n' $passed $failed
[ $failed = 0 ]
