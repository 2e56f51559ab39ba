#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# instructions.sh FILE FUNCTION: objdump's word on a function of an object or of a linked image, so
# that both can be compared: each instruction's mnemonic and, of a call or jump to another function,
# that function's name, in an object the relocation's; ? for a cold part, which is another section's
# in the object. ftrace's call is `ftrace`,
# whether it is there or a nop of its size has taken its place, and a jump label is `label`.
set -euo pipefail
objdump -dr --no-show-raw-insn --disassemble="$2" "$1" | awk -v own="$2" '
	function flush() {
		if (line != "")
			print line
		line = ""
	}
	/^ *[0-9a-f]+:\t/ {
		flush()
		sub(/^[^\t]*\t/, "")
		line = $1
		if ($1 ~ /^(call|jmp|j[a-z]+)$/ && match($0, /<[^>+]+>/)) {
			name = substr($0, RSTART + 1, RLENGTH - 2)
			if (name ~ /\.cold$/)
				name = "?"
			if (name != own)
				line = $1 " " name
		}
		if ($1 == "nopl" && $2 == "0x0(%rax,%rax,1)")
			line = "ftrace"
		next
	}
	$2 ~ /^R_X86_64_(PLT32|PC32)$/ && line ~ /^(call|jmp|j[a-z]+)/ {
		name = $3
		sub(/[-+]0x[0-9a-f]+$/, "", name)
		if (name ~ /^\./)
			name = "?"
		split(line, words, " ")
		line = words[1] " " name
		if (name == "__fentry__")
			line = "ftrace"
	}
	END { flush() }' | sed 's/^call __fentry__$/ftrace/'
