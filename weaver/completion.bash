# SPDX-License-Identifier: GPL-2.0-or-later
#
# bash completion for weft. weft itself finds the completions; weaver/cmds/complete.c describes the
# lines that it prints. This file completes files, and joins words that bash splits at ':' and '='.

# _weft_program WORD-NUMBER: completes as if the command line began at that word
_weft_program() {
	if declare -F _command_offset >/dev/null; then
		_command_offset "$1"
	elif [ "$COMP_CWORD" = "$1" ]; then
		mapfile -t COMPREPLY < <(compgen -c -- "${COMP_WORDS[COMP_CWORD]}")
	else
		_weft_files "${COMP_WORDS[COMP_CWORD]}" '*'
	fi
}

# _weft_files WORD ENDING...: adds folders, and files whose names end in one of the ENDINGs
_weft_files() {
	local word=$1 name end
	shift
	compopt -o filenames 2>/dev/null
	while IFS= read -r name; do
		for end; do
			case $name in
			*"$end") COMPREPLY+=("$name") && break ;;
			*)
				[ "$end" != '*' ] && [ ! -d "$name" ] ||
					{ COMPREPLY+=("$name") && break; }
				;;
			esac
		done
	done < <(compgen -f -- "$word")
}

_weft() {
	local line=${COMP_LINE:0:COMP_POINT} words word cut reply
	COMPREPLY=()
	# Split the line at blanks, unlike COMP_WORDS: a pointcut may contain a ':'.
	read -ra words <<<"$line"
	case $line in
	*[[:blank:]]) words+=('') ;;
	esac
	# An open quote is not part of the word.
	words[-1]=${words[-1]#[\'\"]}
	word=${words[-1]} cut=${COMP_WORDS[COMP_CWORD]#[\'\"]}
	# Bash may regard the beginning of the word as words before this one. That part stays in the
	# line, so it is cut off from each completion.
	case $cut in
	[:=]) cut=$word ;;
	*) cut=${word%"$cut"} ;;
	esac
	while IFS= read -r reply; do
		case $reply in
		'@program '*) _weft_program "${reply#* }" ;;
		@folders) _weft_files "${word#"$cut"}" / ;;
		'@files '*)
			read -ra reply <<<"${reply#* }"
			_weft_files "${word#"$cut"}" "${reply[@]}" ;;
		*) COMPREPLY+=("${reply#"$cut"}") ;;
		esac
	done < <(set -f; "${words[0]}" help --complete -- "${words[@]:1}" 2>/dev/null)
	# No blank after a name that continues.
	case ${#COMPREPLY[@]},${COMPREPLY[0]-} in
	1,*[./=:%]) compopt -o nospace 2>/dev/null ;;
	esac
}
complete -F _weft weft
