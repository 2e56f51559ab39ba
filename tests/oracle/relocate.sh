#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Relocates every instruction of the kernel to a trampoline and decodes it again. The weaver's
# decoder decodes all of them (relocate.c), objdump every sixteenth: its text for the relocated
# instruction must be that of the original. Usage: relocate.sh RELOCATE VMLINUX
set -eu
. "$(dirname "$0")/lib.sh"
relocate=$weft
every=16 place=0xffffffffc0000000

objdump -d --insn-width=15 "$vmlinux" >"$work/listing"
: >"$work/wrong"
"$relocate" "$work/code" "$work/words" $every <"$work/listing" >"$work/said" ||
	grep '^wrong' "$work/said" >"$work/wrong" || echo died >"$work/wrong"
grep -v '^wrong' "$work/said"
result 'moved and decoded again, the same' \
	"$work/wrong" "$(sed -n 's/ compared.*//p' "$work/said")" 1000000

# Prints the first instructions of each slot, up to the jump back to the next instruction of the
# original: a line per slot, "ADDRESS<tab>WORDS".
objdump -D -b binary -m i386:x86-64 --adjust-vma=$place --insn-width=15 "$work/code" >"$work/again"

# Removes from objdump's text what relocation changes: the distance in "0x10(%rip) # ADDRESS", names
# after addresses, padding.
cat >"$work/words.awk" <<'END'
function words(s) {
	sub(/ *<.*/, "", s)
	sub(/-?0x[0-9a-f]+\(%rip\)/, "(%rip)", s)
	gsub(/[ \t]+/, " ", s)
	sub(/^(bnd |cs |ds |notrack )*/, "", s)
	sub(/,p[nt] /, " ", s)
	sub(/ 0xffffffff/, " ffffffff", s)
	sub(/# 0x/, "# ", s)
	sub(/^ /, "", s)
	sub(/ $/, "", s)
	return s
}
END
cat >"$work/wanted.awk" <<'END'
$3 == "then" { w = words($4 " " $5); sub(/^call/, "jmp", w); print $1 "\t" words($2) "; " w; next }
{ print $1 "\t" words($2 " " $3) }
END
cat >"$work/found.awk" <<'END'
!/^ *[0-9a-f]+:\t/ { next }
{ a = $1; gsub(/[ :]/, "", a); w = words($3 " " $4) }
a ~ /[048c]0$/ {
	slot = a
	first = w
	pending = w ~ /^push \$0xffffffff8/
	if (!pending) print slot "\t" w
	next
}
pending { pending = 0; print slot "\t" first "; " w }
END
awk -F '\t' -f "$work/words.awk" -f "$work/wanted.awk" "$work/words" >"$work/wanted"
awk -F '\t' -f "$work/words.awk" -f "$work/found.awk" "$work/again" >"$work/found"
# The second instruction of a slot is compared only if a call is expected, since kernel code pushes
# addresses for other purposes, too.
awk -F '\t' 'NR == FNR { wanted[$1] = $2; next }
	{
		w = $2
		if (wanted[$1] !~ /;/) sub(/;.*/, "", w)
		if (w != wanted[$1])
			print $1 ": \"" wanted[$1] "\" has become \"" w "\""
	}' \
	"$work/wanted" "$work/found" >"$work/wrong"
result 'objdump says the same of every sixteenth' "$work/wrong" "$(wc -l <"$work/found")" 50000
finish
