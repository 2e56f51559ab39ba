#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The plugin's records against libclang's syntax tree: run.sh KERNEL PLUGIN TABLE-DUMP MEMBERS. Compiles files of a configured
# kernel by the commands that its build has recorded, with the plugin, parses the same files with libclang, and compares what both say
# of accesses to members; then holds the table's labels against objdump and the offsets of libclang's types. BENCH=1 takes all
# files instead of one a folder; DETAILS=1 prints every difference. Nothing is written into the kernel's folder.
set -uo pipefail
kernel=${1:?the folder of a built kernel} plugin=$(realpath "$2") dump=$(realpath "$3") members=$(realpath "$4")
here=$(realpath "$(dirname "$0")")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

few='fs/open net/ipv4/af_inet mm/mmap kernel/exit drivers/virtio/virtio_ring lib/iov_iter'
all="$few fs/namei fs/read_write fs/inode net/core/sock net/core/skbuff net/core/dev net/ipv4/tcp net/ipv4/tcp_input mm/memory
	mm/slub mm/filemap kernel/fork kernel/signal kernel/workqueue drivers/base/core drivers/tty/tty_io lib/xarray lib/kobject"

# The floor, in hundredths of a per cent: what all files together reach, less what one file more or less may move.
recall=9930 precision=9980 kinds=9950 exact=7850 calls=9700

# command_of FILE: the recorded compilation, without plugin, dependency file and whatever follows the compiler
command_of() {
	sed -n -E '1{s/^(saved)?cmd_[^ ]* := //; s/ ; .*//; s/-Wp,-MMD,[^ ]*//; s/-fplugin=[^ ]*//g; s/\$\(pound\)/#/g; s/\$\$/$/g; p}' \
		"$kernel/$(dirname "$1")/.$(basename "$1").o.cmd"
}

# clang_flags: of a compilation's words, a line each, those that change what the source means and that clang knows
clang_flags() {
	printf '%s\n' -w -ferror-limit=0 -fgnuc-version=12.2.0
	while [ $# -gt 0 ]; do
		case $1 in
		-D | -U | -I | -include | -isystem) printf '%s\n' "$1" "$2"; shift ;;
		-D* | -U* | -I* | -std=* | -nostdinc | -O? | -m32 | -m64 | -mno-sse* | -mno-mmx | -mno-80387) printf '%s\n' "$1" ;;
		-fshort-wchar | -fno-builtin* | -ffreestanding | -funsigned-char | *.c) printf '%s\n' "$1" ;;
		esac
		shift
	done
}

# look_at FILE: both views of a file into NAME.theirs and NAME.ours, their comparison into NAME.compared
look_at() {
	local name=$work/${1//\//-} command flags
	command=$(command_of "$1") || return
	eval "set -- $command"
	mapfile -t flags < <(clang_flags "$@")
	# shellcheck disable=SC2001
	(cd "$kernel" && OUTPUT=$name.o bash -c "$(sed -E 's/ -o [^ ]+/ -o "$OUTPUT" '"-fplugin=${plugin//\//\\/}"'/' <<<"$command")" &&
		"$members" "${flags[@]}" >"$name.theirs") 2>"$name.errors" && [ ! -s "$name.errors" ] &&
		"$dump" "$name.o" >"$name.ours" && objdump -drw --no-show-raw-insn "$name.o" >"$name.objdump" &&
		awk -f "$here/compare.awk" "$name.theirs" "$name.ours" >"$name.compared" &&
		awk -f "$here/exact.awk" "$name.theirs" "$name.objdump" "$name.ours" >>"$name.compared"
}

looked=0 failed_files=0
files=$few
[ "${BENCH:-0}" != 1 ] || files=$all
for file in $files; do
	if look_at "$file"; then
		looked=$((looked + 1))
	else
		failed_files=$((failed_files + 1))
		echo "FAILED $file: cannot be compiled or parsed"
		head -n 5 "$work/${file//\//-}.errors" 2>/dev/null
	fi
done
[ "${DETAILS:-0}" != 1 ] || cat "$work"/*.compared 2>/dev/null | grep '^difference'
cat "$work"/*.compared /dev/null | awk -v recall=$recall -v precision=$precision -v kinds=$kinds -v exact=$exact -v calls=$calls \
	-v files=$looked -v failed=$failed_files -f "$here/report.awk"
