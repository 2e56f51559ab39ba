#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Checks the labels of atomic instructions against objdump. In some objects of the kernel, each
# locked instruction, and each xchg with memory that a register points to, must be an exact shadow
# of a read-modify-write of a member, or be listed in locked.txt with the reason why it has no
# member. A member of atomic_t and the like is not enough. DETAILS=1 lists what is labelled. Usage:
# locked.sh KERNEL DATABASE
set -uo pipefail
kernel=$1 database=$2
here=$(realpath "$(dirname "$0")")
. "$here/names.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export LC_ALL=C
files='kernel/exit kernel/signal kernel/sched/core kernel/irq/manage mm/filemap mm/slub fs/inode
	fs/file_table net/core/sock net/core/page_pool drivers/tty/tty_ldsem'

# Prints for each instruction: symbol, offset in it, instruction.
for file in $files; do
	objdump -dw --no-show-raw-insn "$kernel/$file.o" | awk '
		BEGIN {
			for (i = 0; i < 16; i++)
				digit[sprintf("%x", i)] = i
		}
		function number(text,   value, i) {
			value = 0
			for (i = 1; i <= length(text); i++)
				value = value * 16 + digit[substr(text, i, 1)]
			return value
		}
		/^Disassembly/ { text = $4 ~ /text/ }
		/^[0-9a-f]+ <.*>:$/ {
			name = substr($2, 2, length($2) - 3)
			start = number($1)
			next
		}
		text && /\t(lock |xchg )/ && /\(%/ && !/\(%r[si]p/ {
			at = $1
			sub(/:$/, "", at)
			sub(/^[^\t]*\t/, "")
			gsub(/[ \t]+/, " ")
			print name "\t" number(at) - start "\t" $0
		}'
done >"$work/instructions"

# Prints for each exact shadow of a read-modify-write: symbol, offset in it, member.
sqlite3 -separator '	' "file:$database?immutable=1" "
	SELECT y.name, s.offset - y.offset, f.struct || '.' || f.member
	FROM shadow s JOIN joinpoint j ON j.id = s.joinpoint JOIN field f ON f.id = j.field
		JOIN symbol y ON y.id = s.symbol
	WHERE j.kind = $WEFT_KIND_RMW AND s.precision = $WEFT_PRECISION_EXACT
	ORDER BY 1, 2, 3" >"$work/shadows"

awk -F '\t' -v details="${DETAILS:-0}" '
	FILENAME ~ /locked.txt$/ {
		if (!/^#/) {
			wanted[$1] = $2
			reason[$1] = $3
		}
		next
	}
	FILENAME ~ /shadows$/ {
		if ($3 !~ /^(atomic(64)?_t\.counter|refcount_struct\.refs)$/)
			member[$1, $2] = member[$1, $2] " " $3
		next
	}
	{
		all++
		if (($1, $2) in member) {
			labelled++
			if (details)
				print "labelled " $1 "+" $2 " " $3 ":" member[$1, $2]
		} else if ($1 in reason) {
			listed++
			met[$1]++
			if (details)
				print "listed " $1 "+" $2 " " $3 ": " reason[$1]
		} else {
			wrong++
			print "FAILED " $1 "+" $2 " `" $3 "`: no member"
		}
	}
	END {
		for (name in reason)
			if (met[name] != wanted[name]) {
				wrong++
				print "FAILED locked.txt: " name " has " met[name] + 0 \
					" at no member, " wanted[name] " are listed"
			}
		print all + 0 " locked instructions through a pointer, " labelled + 0 \
			" of them at members, " listed + 0 " listed"
		if (all < 300) {
			wrong++
			print "FAILED fewer than 300 instructions were looked at"
		}
		print all - wrong " passed, " wrong + 0 " failed, 0 skipped"
		exit wrong > 0
	}' "$here/locked.txt" "$work/shadows" "$work/instructions"
