#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Tests the command line. The options that the commands parse, those in their help, in their man
# pages and in completion must be the same. Completion is called through bash's function, as a TAB
# does it. SAMPLE is the unit tests' image. Usage: run.sh WEFT MAN-FOLDER SAMPLE
set -uo pipefail
unset WEFT_DB WEFT_KERNEL
weft=$(realpath "$1") man=$(realpath "$2") sample=$(realpath "$3")
cd "$(dirname "$0")/../.." || exit 1
. weaver/completion.bash
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export LC_ALL=C
passed=0 failed=0 skipped=0

# check NAME WANTED GOT: fails if the two texts differ.
check() {
	if [ "$2" = "$3" ]; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		printf 'FAILED %s\n' "$1"
		diff -u --label wanted --label got <(printf '%s\n' "$2") <(printf '%s\n' "$3")
	fi
}

# tab TEXT: prints what bash would offer for a TAB at the end of TEXT. COMP_WORDS is split as bash's
# editor splits a line, at blanks and at ':' and '='.
tab() {
	COMP_LINE=$1 COMP_POINT=${#1}
	mapfile -t COMP_WORDS < <(grep -oE '[:=]+|[^[:blank:]:=]+' <<<"$1")
	case $1 in *[[:blank:]]) COMP_WORDS+=('') ;; esac
	COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
	compopt() { :; }
	_weft weft
	printf '%s\n' "${COMPREPLY[@]}" | sort
}
PATH=$(dirname "$weft"):$PATH

# ---- parts of functions are completed, and documented ----

for part in $("$weft" help --complete -- points f%); do
	part=${part#f}
	row=$(grep -c "^| .*\`vfs_read$part\`" docs/database.md)
	check "$part has a row in docs/database.md" 1 "$row"
done

# ---- options are the same in the parser, the help, the man page and the completion ----

commands=$("$weft" help | sed -n 's/^  \([a-z]*\) .*/\1/p')
check "commands: completion" "$(sort <<<"$commands")" "$(tab 'weft ')"
check "commands: man pages" "$(sort <<<"$commands")" \
	"$(find "$man" -name 'weft-*.1' -printf '%f\n' | sed 's/weft-//; s/\.1$//' | sort)"
check "commands: weft(1)" "$commands" \
	"$(sed -n '/^\.SH COMMANDS/,/^\.SH EXIT/s/^\.B //p' "$man/weft.1")"
check "exit codes: weft(1)" "$(sed -n 's/^| \([0-9]*\) | .*/\1/p' docs/exit-codes.md)" \
	"$(sed -n '/^\.SH EXIT/,/^\.SH ENV/s/^\.B //p' "$man/weft.1")"
check "exit codes: their names" \
	"$(sed -n 's/^| [0-9]* | \([a-z ]*\) |.*/\1/p' docs/exit-codes.md)" \
	"$(sed -n '/^\.SH EXIT/,/^\.SH ENV/{/^\.B /{n; s/:.*//; p}}' "$man/weft.1")"

# The first three of these functions read $help, the help of a command. The other two read the man
# page of the command that is their argument.
in_help() { sed -n 's/^  \( \{4\}\|-., \)\(--[a-z-]*\).*/\2/p' <<<"$help" | sort; }
letters_in_help() { sed -n 's/^  \(-.\), --.*/\1/p' <<<"$help" | sort; }
in_man() {
	sed -n '/^\.SH OPTIONS/,/^\.SH /s/^\.B .*\(\\-\\-[a-z\\-]*\).*/\1/p' "$man/weft-$1.1" |
		tr -d '\\' | sort
}
letters_in_man() {
	sed -n '/^\.SH OPTIONS/,/^\.SH /s/^\.B \\\(-.\), .*/\1/p' "$man/weft-$1.1" | sort
}

# parsed COMMAND OPTION...: prints those options that COMMAND takes. It takes an option if it
# refuses only the unknown option after that option.
parsed() {
	local command=$1 own option value message
	own=$'\n'$(in_help; letters_in_help)$'\n'
	for option in "${@:2}"; do
		# An option that is the beginning of one of the command's options would be taken as
		# an abbreviation of it.
		if [[ $own != *$'\n'"$option"$'\n'* && $own == *$'\n'"$option"* ]]; then
			continue
		fi
		value=()
		if [[ $help =~ $option(, --[a-z-]*)?\ [A-Z]+\  ]]; then value=(1); fi
		if [[ $help == *"$option TIME"* ]]; then value=(1s); fi
		message=$("$weft" "$command" "$option" "${value[@]}" --no-such-option 2>&1)
		[[ $message != *"unknown option '--no-such-option'"* ]] || printf '%s\n' "$option"
	done
}

# Every command must refuse the options that are not in its help: those in other commands' help are
# tried.
mapfile -t every < <(for command in $commands; do
	help=$("$weft" help "$command")
	in_help
	letters_in_help
done | sort -u)
for command in $commands; do
	help=$("$weft" help "$command")
	check "$command: options in the man page" "$(in_help)" "$(in_man "$command")"
	check "$command: letters in the man page" \
		"$(letters_in_help)" "$(letters_in_man "$command")"
	check "$command: options completed" \
		"$({ in_help; echo --help; } | sort)" "$(tab "weft $command --")"
	check "$command: options parsed" "$({ in_help; letters_in_help; } | sort)" \
		"$(parsed "$command" "${every[@]}" -x | sort)"
	check "$command: --help" "$help" "$("$weft" "$command" --help)"
done
check "--version: that of the packages" \
	"weft $(sed -n '1s/^.*(\(.*\)).*/\1/p' debian/changelog)" \
	"$("$weft" --version | sed 's/, for a weft.ko with interface [0-9]*$//')"
# After `--` comes the command line of a program that weft starts, so --help there is not weft's.
check "count: --help behind -- is the program's" "weft: no key 'x'" \
	"$("$weft" count f --by x -- ls --help 2>&1 | grep -o "^weft: no key 'x'")"
check "run: --help is the program's" 2 "$("$weft" run x.xml ls --help >/dev/null 2>&1; echo $?)"

# ---- the examples in the help are valid one-liners ----

# Each example of a one-liner's help must make an aspect.
for command in count hist time log watch stacks; do
	mapfile -t lines < <("$weft" help $command | sed -n '/^Examples:/,$s/^  weft [a-z]* //p')
	check "$command: examples" yes "$([ ${#lines[@]} -ge 3 ] && echo yes)"
	for line in "${lines[@]}"; do
		check "weft $command $line" "<aspect" \
			"$(eval "\"$weft\" $command --xml $line" 2>&1 | grep -o -m 1 '^<aspect')"
	done
	check "$command: in the man page each has what it shows" ${#lines[@]} \
		"$(sed -n '/^\.SH EXAMPLES/,/^\.SH SEE/p' "$man/weft-$command.1" |
			grep -A 3 '^[A-Z]' | grep -c '^weft ')"
done

# ---- man pages are valid ----

if command -v mandoc >/dev/null; then
	# The pages have no date, because a date would make the pages of each build differ. So
	# mandoc's warning about that is left out.
	check "man pages: mandoc" "" \
		"$(mandoc -T lint -W warning "$man"/*.1 2>&1 | grep -v 'missing date')"
else
	echo "skip man pages: no mandoc"
	skipped=$((skipped + 1))
fi
check "man pages: man" "" "$(for page in "$man"/*.1; do
	man --warnings -E UTF-8 -l -Tutf8 "$page" 2>&1 >/dev/null
done)"

# ---- completion of arguments and of the values of options ----

"$weft" index "$sample" -o "$work/sample.weft" >/dev/null || exit 1
mkdir "$work/folder" "$work/folder/inner"
touch "$work/folder/"{a.xml,b.ko,vmlinux,c.weft,notes.txt}
here=$PWD
cd "$work/folder" || exit 1
db="--db $work/sample.weft"
check "a member's struct" "sk_buff." "$(tab "weft points $db sk_b")"
check "members" $'sk_buff.destructor\nsk_buff.len' "$(tab "weft points $db sk_buff.")"
check "a function, and a struct that begins alike" \
	$'ops.\nother\nother_alias' "$(tab "weft points $db o")"
check "parts of a function" $'destroy%entry\ndestroy%exit' "$(tab "weft points $db destroy%e")"
check "a file, folder by folder" "fs/" "$(tab "weft points $db f")"
check "a file goes on with its line" $'fs/other.c:\nfs/sample.c:' "$(tab "weft points $db fs/")"
check "WEFT_DB" "sk_buff.destructor" "$(WEFT_DB=$work/sample.weft tab "weft points sk_buff.d")"
check "no database" "" "$(tab "weft points sk_b")"
check "nothing at all: files only" $'a.xml\ninner' "$(tab "weft points $db ")"
check "a kind" "get" "$(tab "weft points --kind ge")"
check "the second kind" "get|set" "$(tab "weft points --kind get|s")"
check "the second kind, quoted" "get|set" "$(tab "weft points --kind 'get|s")"
check "a kind after =, which bash cuts" "get" "$(tab "weft points --kind=ge")"
check "within" "destroy" "$(tab "weft points $db --within dest")"
check "a source file" "fs/sample.c" "$(tab "weft points $db --in fs/s")"
check "databases" $'c.weft\ninner' "$(tab "weft points --db ")"
check "aspect files" $'a.xml\ninner' "$(tab "weft compile ")"
check "aspects and modules" $'a.xml\nb.ko\ninner' "$(tab "weft weave ")"
check "only one of them" "" "$(tab "weft weave a.xml ")"
check "images, as many as there are" $'b.ko\ninner\nvmlinux' "$(tab "weft index vmlinux ")"
check "folders" "inner" "$(tab "weft compile --kernel ")"
check "commands of weft" "points" "$(tab "weft help po")"
check "a program's name" "$(compgen -c -- pri | sort)" "$(tab "weft run a.xml -- pri")"
check "a program's argument" "notes.txt" "$(tab "weft run a.xml -- cat no")"
check "a program's name behind a one-liner" "$(compgen -c -- pri | sort)" \
	"$(tab "weft count $db other --by comm -- pri")"
check "a program's argument behind a one-liner" "notes.txt" "$(tab "weft time a b -- cat no")"
check "a one-liner's pointcut" "sk_buff.destructor" "$(tab "weft watch $db sk_buff.d")"
check "behind -- no options" "" "$(tab "weft points -- --")"
cd "$here" || exit 1

# ---- `weft doctor` reports what is installed, by the files of another system ----

# told COMMAND...: prints each check of `weft doctor` on one line, with its status and its remedy.
told() {
	"$weft" doctor --root "$work/system" "$@" 2>/dev/null |
		awk '/^ / { sub(/^ +-> /, ""); printf " -> %s", $0; next }
			{ printf "%s%s: %s", (NR > 1 ? "\n" : ""), substr($0, 10, 15), $1 }
			END { print "" }' | sed 's/  *:/:/'
}
here_release=6.12.1+deb13-cloud-amd64
system=$work/system
mkdir -p "$system"
check "doctor: a bare system" "kernel options: warning -> enable CONFIG_IKCONFIG_PROC or install \
the kernel's config file in /boot
weft.ko: missing -> apt install weft-dkms, or make kmod
kernel headers: warning -> apt install linux-headers-$here_release, or name a built kernel with \
--kernel, to compile aspects here
debug package: warning -> apt install linux-image-$here_release-dbg, \
or let \`weft prepare\` fetch it
source: warning -> apt install linux-source-6.12, or let \`weft prepare\` fetch it
plugin: warning -> install the kernel's configuration in /boot (its image package)" \
	"$(told --release $here_release)"
mkdir -p "$system"/{boot,usr/src/weft-1.0,"lib/modules/$here_release/build"} \
	"$system/usr/lib/debug/boot"
printf 'CONFIG_GCC_VERSION=140200\n' | sed '1i# Linux' >"$system/boot/config-$here_release"
touch "$system/usr/src/weft-1.0/dkms.conf" "$system/usr/src/linux-source-6.12.tar.xz" \
	"$system/lib/modules/$here_release/build/Module.symvers" \
	"$system/usr/lib/debug/boot/vmlinux-$here_release"
check "doctor: DKMS has not built, and there is no plugin" \
	"weft.ko: missing -> dkms autoinstall -k $here_release
kernel headers: ok
debug package: ok
source: ok
plugin: warning -> apt install gcc-14-plugin-weft" \
	"$(told --release $here_release | sed 1d)"
mkdir -p "$system/lib/modules/$here_release/updates/dkms" \
	"$system/usr/lib/gcc/x86_64-linux-gnu/"{12,14}/plugin
touch "$system/usr/lib/gcc/x86_64-linux-gnu/12/plugin/weft_joinpoints.so" \
	"$system/lib/modules/$here_release/updates/dkms/weft.ko.xz"
check "doctor: the plugin of another compiler" "weft.ko: ok
plugin: warning -> apt install gcc-14-plugin-weft" \
	"$(told --release $here_release | sed -n '2p; $p')"
touch "$system/usr/lib/gcc/x86_64-linux-gnu/14/plugin/weft_joinpoints.so"
check "doctor: all is there but options of the kernel" \
	"kernel options: missing -> build the kernel with these options" \
	"$(told --release $here_release | grep -v ': ok')"
rm "$system/usr/src/linux-source-6.12.tar.xz" "$system/usr/lib/debug/boot/vmlinux-$here_release"
mkdir -p "$system/var/lib/weft/$here_release/source"
touch "$system/var/lib/weft/$here_release"/{vmlinux,source/Makefile}
check "doctor: what weft prepare has fetched" "debug package: ok
source: ok" "$(told --release $here_release | grep -E '^(debug|source)')"
check "doctor: no database, and the command that makes one" 1 \
	"$(WEFT_PREPARED=$work/none WEFT_DB='' WEFT_KERNEL=$work/none "$weft" doctor 2>/dev/null |
		grep -A 1 '^warning  database  *none of ' | grep -c ' -> weft prepare --for ')"
check "doctor: a root without a release" 2 \
	"$("$weft" doctor --root "$system" >/dev/null 2>&1; echo $?)"

# ---- `weft diff` warns if both databases are of one kernel ----

cp "$work/sample.weft" "$work/copy.weft"
cd "$work" || exit 1
check "diff: two databases of one kernel" \
	"weft: warning: sample.weft and copy.weft are of one kernel: their build-ids are the same
0" \
	"$("$weft" diff sample.weft copy.weft sk_buff.destructor 2>&1 >/dev/null; echo $?)"

# ---- weft warns of a source file that is newer than the kernel ----

mkdir -p tree/fs
echo >tree/fs/sample.c
touch -d '2 days ago' tree/fs/sample.c
check "an older source file" "" \
	"$("$weft" points -d sample.weft -s tree sk_buff.destructor 2>&1 >/dev/null)"
touch -d 'now + 2 days' tree/fs/sample.c
check "a newer source file" \
	"weft: warning: tree/fs/sample.c was changed after sample.weft was made: \
its lines may not be the kernel's" \
	"$("$weft" points -d sample.weft -s tree sk_buff.destructor 2>&1 >/dev/null)"
cd "$here" || exit 1

# ---- JSON is one object per line, by Python's parser ----

# objects: prints how many JSON objects standard input has, which must be one in each line, or the
# parser's error.
objects() {
	python3 -c 'import json, sys
objects = [json.loads(line.decode()) for line in sys.stdin.buffer if line[-1:] == b"\n"]
print(len(objects) if all(type(o) is dict for o in objects) else "no objects")' 2>&1 | tail -n 1
}
# Checks the JSON in golden files. The JSON of commands that need /dev/weft is checked in the guest.
check "JSON: golden files" "$(cat tests/golden/{points,plan,diff}/*.out | grep -c '^{')" \
	"$(cat tests/golden/{points,plan,diff}/*.out | grep '^{' | objects)"
check "JSON: doctor" "$("$weft" doctor --db "$work/sample.weft" 2>/dev/null | grep -cv '^ ')" \
	"$("$weft" doctor --json --db "$work/sample.weft" 2>/dev/null | objects)"
# The source line has what a JSON string cannot hold: a quote, a control character, invalid UTF-8.
{
	for _ in {1..9}; do echo; done
	printf '"\\" \001 \xff \xc3( \xe2\x82\xac\n'
} >"$work/tree/fs/sample.c"
source="points --json --source $work/tree --db $work/sample.weft sk_buff.destructor"
# shellcheck disable=SC2086
check "JSON: any bytes" 1 "$("$weft" $source 2>/dev/null | objects)"
# shellcheck disable=SC2086
line=$("$weft" $source 2>/dev/null |
	python3 -c 'import json, sys; print(json.load(sys.stdin)["source"])')
check "JSON: bytes that are no UTF-8 are U+FFFD" \
	$'"\\" \x01 \xef\xbf\xbd \xef\xbf\xbd( \xe2\x82\xac' "$line"

# ---- a file that is cut off while weft has it mapped ----

mkfifo "$work/image"
"$weft" index "$work/image" -o "$work/none.weft" 2>"$work/said" &
for _ in {1..100}; do # Waits until the command waits for a writer.
	[ "$(cut -d ' ' -f 3 "/proc/$!/stat")" = S ] && break
	sleep 0.05
done
kill -BUS $!
wait $!
check "SIGBUS is a message and a code" \
	"6: weft: a file was truncated while it was read, or its disk failed" \
	"$?: $(cat "$work/said")"

# ---- an output that is no regular file is written to, not replaced ----

rm -f "$work/image"
mkfifo "$work/image"
cat "$work/image" >"$work/through" &
"$weft" index "$sample" -o "$work/image" >/dev/null
wait $!
differs=$(cmp "$work/through" "$work/sample.weft" >/dev/null; echo $?)
check "a pipe is written to" "0 p" "$differs $([ -p "$work/image" ] && echo p)"

# The file behind the link must be replaced and the link must stay. This matters for /dev/stdout,
# which is a link to a file when output is redirected to one.
echo old >"$work/file"
ln -s file "$work/link"
"$weft" index "$sample" -o "$work/link" >/dev/null
check "what a link leads to is replaced" "0 file" \
	"$(cmp "$work/file" "$work/sample.weft" >/dev/null; echo $?) $(readlink "$work/link")"

# ---- what `make install` installs works ----

# SHARE is what `make check SHARE=N` hands down; no rule for installing may have that variable.
make -s --no-print-directory install SHARE=0 DESTDIR="$work/root" PREFIX=/usr >/dev/null ||
	echo "make install failed"
installed=$(cd "$work/root" && find usr -type f | sort)
check "what is installed" "usr/bin/weft
usr/lib/weft/weft_joinpoints.so
usr/share/bash-completion/completions/weft
usr/share/man/man1/weft.1
usr/share/weft/aspect.rng
usr/share/weft/runtime/advice.h
usr/share/weft/runtime/allocation-check.h
usr/share/weft/runtime/around.h" \
	"$(grep -vE 'man1/weft-|weft/aspects/|weft/kmod/|runtime/([^a]|abi)' <<<"$installed")"
cat >"$work/a.xml" <<'XML'
<aspect name="a"><pointcut><function name="destroy"/></pointcut><before-advice/></aspect>
XML
mkdir "$work/kernel" && touch "$work/kernel/"{Makefile,.config,Module.symvers} &&
	cp "$sample" "$work/kernel/vmlinux"
# shellcheck disable=SC2086
message=$("$work/root/usr/bin/weft" compile "$work/a.xml" $db --kernel "$work/kernel" \
	--kmod "$work/kernel" -o "$work/a.ko" 2>&1)
check "the installed program finds the installed headers" "1 0" \
	"$(grep -c 'does not build' <<<"$message") $(grep -c 'advice.h' <<<"$message")"
# ---- progress is shown on a terminal, after a second, and erased in the end ----

printf 'modules:\n\t@sleep 2\n\t@false\n' >"$work/kernel/Makefile"
slow="$weft compile $work/a.xml $db --kernel $work/kernel --kmod $work/kernel -o $work/a.ko"
script -qec "stty cols 40; $slow" "$work/typed" >/dev/null
seen=$(tr '\r' '\n' <"$work/typed")
check "progress is shown" 1 \
	"$(grep -qE '^weft: compiling a.xml, [1-9][0-9]* s' <<<"$seen"; echo $((1 - $?)))"
check "a line of the terminal holds it" 0 \
	"$(sed -n 's/\x1b\[K.*//; /^weft: compiling/p' <<<"$seen" | awk 'length($0) > 39' | wc -l)"
check "it is taken away before anything else is said" 1 \
	"$(grep -c $'^\x1b\\[Kweft: the module does not build' <<<"$seen")"
# Reading this source file takes more than a second.
mkdir -p "$work/slow/fs" && mkfifo "$work/slow/fs/sample.c"
{ sleep 1.5 && cat tests/unit/sample.S; } >"$work/slow/fs/sample.c" &
script -qec "$weft points $db --source $work/slow sk_buff.destructor" "$work/typed" >/dev/null
check "points: progress, then the answer" "1 1" "$(tr '\r' '\n' <"$work/typed" |
	awk '/^weft: looking for sk_buff.destructor: instructions/ { seen = 1 }
		/1 joinpoint / { told = seen }
		END { print seen + 0, told + 0 }')"
check "a pipe gets none" \
	"weft: the module does not build: make: *** [Makefile:3: modules] Error 1" "$($slow 2>&1)"
# An aspect whose pointcut names 45000 patterns (a file may have 1 MB), for which `weft diff` needs
# seconds.
{
	echo '<aspect name="many"><pointcut><or>'
	printf '<function name="d*"/>%.0s' {1..45000}
	echo '</or></pointcut><before-advice/></aspect>'
} >"$work/many.xml"
"$weft" index "$sample" -o "$work/diff.weft" >/dev/null
slow="$weft diff $work/diff.weft $work/diff.weft $work/many.xml"
script -qec "$slow" "$work/typed" >/dev/null
seen=$(tr '\r' '\n' <"$work/typed")
check "so is that of diff" 1 \
	"$(grep -qE '^weft: comparing many.xml, [0-9]+ s' <<<"$seen"; echo $((1 - $?)))"
check "it is taken away before the answer" 1 \
	"$(grep -c $'^\x1b\\[K1 the same, 0 moved, 0 appeared, 0 vanished' <<<"$seen")"
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed = 0 ]
