#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Prints the instructions of a function of an object or of a linked image, by objdump, in a form in
# which both can be compared. A line has the instruction's mnemonic. For a call or jump to another
# function, the function's name follows (in an object, the name in the relocation), or `?` for a
# jump to a cold part, which is in another section of the object. ftrace's call is the line
# `ftrace`, whether it is a call or a nop of that size. A jump label is the line `label`. Usage:
# instructions.sh FILE FUNCTION
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
