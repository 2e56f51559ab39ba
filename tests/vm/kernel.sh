#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Builds the demo kernel once, into a cache outside the tree, and prints where it is.
#
#   kernel.sh path     print the folder that belongs to this tree, and nothing else; changes nothing
#   kernel.sh build    complete that folder if it is not complete
#
# The folder's name has a key: a hash over everything that the result depends on (package version,
# configuration, plugin sources, compiler, the make variables below). Comments and white space in
# the plugin's sources are left out of it, so that a changed comment builds no kernel anew. DWARF
# records the folder's name, so the build runs under its final name. The stamp, which is written
# last, marks the folder as a complete kernel. A lock per folder keeps two builds apart.
#
# Environment: O (where gcc-plugin/weft_joinpoints.so is), WEFT_KERNEL_PLUGIN=0 (build without the
# plugin, into a separate folder: the kernel to compare with), WEFT_KERNEL_FLAVOUR=NAME (with
# kernel-NAME.config on top, into a separate folder), XDG_CACHE_HOME, JOBS, V=1 (the whole log on
# the terminal).
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
top=$(cd "$here/../.." && pwd)
package=linux-source-$("$top/scripts/release.sh" linux)
tarball=/usr/src/$package.tar.xz
configs=("$here/kernel.config")
plugin=${O:-$top/build}/gcc-plugin/weft_joinpoints.so
with_plugin=${WEFT_KERNEL_PLUGIN:-1}
flavour=${WEFT_KERNEL_FLAVOUR:-}
verbose=${V:-0}
cache=${XDG_CACHE_HOME:-$HOME/.cache}/weft
stamp_name=weft-kernel-ok
keep_folders=2
need_mb=5000
lines_expected=1800 # How many lines a whole build prints, for the progress display only.

die() { printf 'kernel.sh: %s\n' "$*" >&2; exit 1; }

# The same sources must give the same bytes, whoever builds and whenever. PAHOLE_FLAGS is what the
# kernel's own script sets, except -j: pahole's threads would change the order of BTF.
make_vars=(KBUILD_BUILD_USER=weft KBUILD_BUILD_HOST=weft KBUILD_BUILD_VERSION=1
	PAHOLE_FLAGS=--btf_gen_floats "KBUILD_BUILD_TIMESTAMP=1970-01-01 00:00:00 UTC"
	LOCALVERSION=-weft)

# Each kind of kernel has its own folders, of which a certain number is kept.
kind=kernel${flavour:+-$flavour}
if [ "$with_plugin" = 0 ]; then kind+=-noplugin; fi

case $flavour in
'') ;;
debug | races | selftests) configs+=("$here/kernel-$flavour.config") ;;
*) die "WEFT_KERNEL_FLAVOUR=$flavour: debug, races and selftests are known" ;;
esac
# In the flavour `races` only weft.ko is instrumented by KCSAN, not the kernel's own code. The
# kernel has KCSAN's functions, which weft.ko calls.
if [ "$flavour" = races ]; then make_vars+=(KCSAN_SANITIZE=n); fi

# The configuration cannot select these drivers: make reads only their Kconfig files and Makefiles,
# so their sources are not unpacked. That makes the folder a third as large.
unread=(drivers/gpu drivers/media drivers/staging drivers/scsi drivers/infiniband
	drivers/net/ethernet drivers/net/wireless drivers/usb drivers/iio sound
	arch/{arm,arm64,powerpc,mips,s390,sparc,ia64,m68k,sh,parisc,riscv}
	tools/testing tools/perf)

package_version() {
	dpkg-query -W -f '${Version}' "$package" 2>/dev/null ||
		die "package $package is not installed: make deps"
}

# Reads C++ and prints it without comments. Each preprocessor directive has its own line, and the
# statements between two directives share one, however they were broken into lines. White space
# inside of string literals stays as it is.
without_comments() {
	gcc -x c++ -w -fpreprocessed -dD -E -P - |
		awk '{ sub(/^[ \t]+/, "") }
			/^#/ { if (text != "") print text; text = ""; print; next }
			$0 != "" { text = text $0 " " }
			END { print text }'
}

# Prints what the plugin is made from, with the files' names, since a renamed pass makes another
# plugin. No source uses __LINE__, which would change with the lines of a comment.
plugin_sources() {
	local file
	local -a files

	cd "$top" # The caller runs this in a subshell.
	mapfile -t files < <(find gcc-plugin runtime/joinpoint-table.h -type f ! -name '*.md' |
		LC_ALL=C sort)
	sed 's/^[[:space:]]*#.*//; /^$/d' gcc-plugin/*.mk
	for file in "${files[@]}"; do
		printf '#pragma file %s\n' "$file"
		case $file in *.mk) ;; *) cat "$file" && echo ;; esac
	done | without_comments
}

# Prints one line per option: the last line that sets it.
merged_config() {
	awk -F = '/^CONFIG_/ { if (!($1 in line)) names[++n] = $1; line[$1] = $0 }
		END { for (i = 1; i <= n; i++) print line[names[i]] }' "${configs[@]}"
}

key() {
	{
		printf '%s\n' "$1" "${make_vars[@]}"
		gcc --version | head -n 1
		cat "${configs[@]}"
		if [ "$with_plugin" != 0 ]; then (plugin_sources); fi
	} | sha256sum | cut -c 1-12
}

folder() {
	local version

	version=$(package_version)
	printf '%s/%s-%s-%s\n' "$cache" "$kind" "$version" "$(key "$version")"
}

unpack() {
	local dir=$1 tmp=$1.unpack pattern
	local -a excludes=()

	for pattern in "${unread[@]}"; do
		excludes+=(--exclude="*/$pattern/*.[chS]" --exclude="*/$pattern/*.dts*")
	done
	printf 'kernel: unpacking %s\n' "$tarball"
	rm -rf "$dir" "$tmp"
	mkdir -p "$tmp"
	tar -C "$tmp" --strip-components=1 "${excludes[@]}" -xf "$tarball"
	mv "$tmp" "$dir"
}

# Kconfig silently drops options that it does not know or cannot set. Here a dropped option is an
# error.
configure() {
	local line lost=() config=$dir/weft.config

	printf 'kernel: configuring\n'
	merged_config >"$config"
	KCONFIG_ALLCONFIG=$config make -s allnoconfig >>"$log" 2>&1 ||
		fail_with_log "make allnoconfig"
	while IFS= read -r line; do
		case $line in
		CONFIG_*=n) ! grep -q "^${line%n}" .config || lost+=("$line") ;;
		CONFIG_*) grep -qxF -- "$line" .config || lost+=("$line") ;;
		esac
	done <"$config"
	[ ${#lost[@]} = 0 ] ||
		die "${configs[*]}: these lines do not survive into .config: ${lost[*]}"
}

fail_with_log() {
	printf '\nkernel: %s failed; the end of %s:\n' "$1" "$log" >&2
	tail -n 20 "$log" >&2
	exit 1
}

show_progress() {
	local done_lines elapsed=$SECONDS

	done_lines=$(grep -cE '^  [A-Z]' "$log" || true)
	if [ -t 1 ]; then
		printf '\rkernel: %d of about %d steps, %d:%02d ' "$done_lines" "$lines_expected" \
			$((elapsed / 60)) $((elapsed % 60))
	elif [ "$done_lines" -ge "$next_line" ]; then
		printf 'kernel: %d of about %d steps, %d:%02d\n' "$done_lines" "$lines_expected" \
			$((elapsed / 60)) $((elapsed % 60))
		next_line=$((done_lines + 200))
	fi
}

# make runs in the background, so that this script handles the progress display and signals. A make
# in the background ignores SIGINT, so ^C is passed on as SIGTERM: make then removes its
# half-written targets, and the next build may go on from there. After a kill -9 it is unknown which
# files are half-written, so the next build starts anew.
compile() {
	local pid
	local -a cflags=()

	if [ "$with_plugin" != 0 ]; then
		[ -e "$plugin" ] || die "$plugin does not exist: build it first (make kernel does)"
		cflags=("KCFLAGS=-fplugin=$plugin")
	fi
	printf 'kernel: building in %s, %d jobs; log: %s\n' "$dir" "$jobs" "$log"
	rm -f "$resume"
	make -j"$jobs" "${make_vars[@]}" "${cflags[@]}" bzImage modules >>"$log" 2>&1 &
	pid=$!
	trap 'kill -TERM $pid 2>/dev/null || true; wait $pid || true; : >"$resume"; exit 130' \
		INT TERM
	next_line=1
	if [ "$verbose" = 1 ]; then tail -n +1 -f --pid="$pid" "$log"; fi
	while kill -0 "$pid" 2>/dev/null; do
		show_progress
		sleep 1
	done
	wait "$pid" || fail_with_log make
	trap - INT TERM
	if [ -t 1 ]; then echo; fi
}

# Keeps the newest folders of each kind, so that two trees on one machine, or an older commit, need
# no build. A folder that is being built is locked and is kept too. A link to a folder was made by a
# user, and is neither counted nor removed.
prune() {
	local stamp old
	local -a folders=()

	while IFS= read -r stamp; do
		[ -L "${stamp%/*}" ] || folders+=("${stamp%/*}")
	done < <(ls -t "$cache/$kind"-[0-9]*/"$stamp_name" 2>/dev/null)
	for old in "${folders[@]:keep_folders}"; do
		printf 'kernel: removing the old %s\n' "$old"
		flock -n "$old.lock" rm -rf "$old" "$old.log" || true
	done
}

finish() {
	local user sys

	ln -sf arch/x86/boot/bzImage bzImage
	rm -f vmlinux.o .tmp_vmlinux*
	times >"$stamp_name.tmp"
	read -r user sys < <(tail -n 1 "$stamp_name.tmp")
	printf '%s\n' "wall $((SECONDS / 60))m$((SECONDS % 60))s" "user $user" "system $sys" \
		"jobs $jobs" "plugin $with_plugin" >"$stamp_name.tmp"
	sync -f .
	mv "$stamp_name.tmp" "$stamp_name"
	printf 'kernel: done in %d:%02d (processor time %s)\n' $((SECONDS / 60)) $((SECONDS % 60)) \
		"$user"
}

build() {
	dir=$(folder)
	log=$dir.log
	resume=$dir.resume
	jobs=${JOBS:-$(nproc)}
	[ ! -e "$dir/$stamp_name" ] || return 0
	mkdir -p "$cache"
	exec 9>"$dir.lock"
	flock -n 9 || { echo "kernel: another build of $dir is running; waiting"; flock 9; }
	[ ! -e "$dir/$stamp_name" ] || return 0
	[ -e "$tarball" ] || die "$tarball does not exist: make deps"
	[ "$(df -Pm "$cache" | awk 'NR == 2 { print $4 }')" -ge "$need_mb" ] ||
		die "$cache: less than $need_mb MB free"
	# If a make runs this script, its O=, V= or -s must not reach the kernel's make.
	unset MAKEFLAGS MFLAGS MAKEOVERRIDES MAKELEVEL O V ARCH CROSS_COMPILE KCFLAGS KBUILD_OUTPUT
	export LC_ALL=C
	: >"$log"
	if [ ! -d "$dir" ] || [ ! -e "$resume" ]; then unpack "$dir"; fi
	cd "$dir"
	configure
	compile
	finish
	prune
}

main() {
	case ${1:-} in
	path) folder ;;
	build) build ;;
	*) die "usage: kernel.sh path|build" ;;
	esac
}

main "$@"; exit
