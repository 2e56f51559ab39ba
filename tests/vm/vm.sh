#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Boots a kernel in QEMU and runs one command in it as root: by default the demo kernel, in the
# host's own root folder (see guest-init). `vm.sh --help` prints the options; README.md explains how
# it works and what the exit status means.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
top=$(cd "$here/../.." && pwd)
O=${O:-$top/build}

# Exit statuses that are not the command's own.
exit_panic=120 exit_splat=121 exit_timeout=124 exit_harness=125
success_value=127	# The value must be the one in guest-run.

kernel='' accel=${WEFT_ACCEL:-auto} cpus=${WEFT_CPUS:-2} memory=${WEFT_MEMORY:-1G} timeout=120
append='' root=/ share='' out='' icount=0 allow_splat=0
interactive=0 quiet=0 init=''
cpu=max,la57=off cache='' disk='' network=0 monitor=''
transport=9p virtiofsd=/usr/lib/qemu/virtiofsd daemons=() modules=()
environment=()

usage() {
	cat <<-'END'
	usage: vm.sh [options] SCRIPT [ARGUMENT...]    run a bash script in the guest
	       vm.sh [options] --shell                 an interactive shell; leave it with exit,
	                                               or with ^A x

	  --kernel FOLDER   what `make kernel` built (default: what `make -s kernel-path` prints),
	                    or a distribution's kernel with a file guest-modules (README.md)
	  --root FOLDER     the guest's root, in which the script, the object folder and the
	                    current folder have the names that they have here (default: /)
	  --share FOLDER    host folder that is /share in the guest, writable (default: the run's
	                    folder)
	  --out FOLDER      where serial.log, output.log and verdict go (default: a new folder in
	                    $O/vm)
	  --env NAME=VALUE  environment of the script; may be given again
	  --accel A         auto (KVM where a probe boot has shown that it works, else TCG with one
	                    thread), parallel (TCG with a thread for each CPU, in a QEMU that is
	                    right with it), or QEMU's own; default $WEFT_ACCEL or auto
	  --cpus N          default $WEFT_CPUS or 2
	  --memory SIZE     default $WEFT_MEMORY or 1G
	  --icount          count instructions: shift=0, one CPU, TCG
	  --timeout S       default 120
	  --append WORDS    kernel command line, after $WEFT_APPEND
	  --cpu MODEL       QEMU's -cpu
	  --cache MODE      9p cache of the root: loose (scripts), mmap (shell), none
	  --network         a network card, behind which QEMU alone answers
	  --monitor PATH    QEMU's monitor at two pipes that exist, PATH.in and PATH.out
	  --systemd         the root's own systemd boots, and the script runs when all is up
	  --disk MEGABYTES  a disk /dev/vda of that size, which is empty and forgets what is written
	  --allow-splat     warnings and oopses in the kernel log do not fail the run
	  --quiet           no closing line about times
	END
}

die() { printf 'vm.sh: %s\n' "$*" >&2; exit $exit_harness; }

parse_options() {
	while [ $# -gt 0 ]; do
		case $1 in
		--kernel) kernel=$2; shift ;;
		--root) root=$2; shift ;;
		--share) share=$2; shift ;;
		--out) out=$2; shift ;;
		--env) environment+=("$2"); shift ;;
		--accel) accel=$2; shift ;;
		--cpus) cpus=$2; shift ;;
		--memory) memory=$2; shift ;;
		--timeout) timeout=$2; shift ;;
		--append) append=$2; shift ;;
		--cpu) cpu=$2; shift ;;
		--cache) cache=$2; shift ;;
		--disk) disk=$2; shift ;;
		--network) network=1 ;;
		--systemd) init='weft.init=systemd systemd.unit=weft-guest.service' ;;
		--monitor) monitor=$2; shift ;;
		--icount) icount=1 cpus=1 ;;
		--allow-splat) allow_splat=1 ;;
		--shell) interactive=1 ;;
		--quiet) quiet=1 ;;
		--help) usage; exit 0 ;;
		--) shift; break ;;
		-*) usage >&2; die "unknown option $1" ;;
		*) break ;;
		esac
		shift
	done
	arguments=("$@")
}

# Chooses the command that the guest runs, and how the guest caches the host's files. The guest sees
# the same folders, so a script has the same path there. While a script runs, the host's files are
# assumed not to change, so the guest caches all of them for good. While a shell runs, people edit
# and build on the host, so the guest caches mapped files only.
choose_command() {
	if [ $interactive = 1 ]; then
		[ -t 0 ] || die "--shell needs a terminal"
		command_line=(/bin/bash --rcfile "$here/guest-shell" -i)
		cache=${cache:-mmap}
	else
		[ ${#arguments[@]} -gt 0 ] || { usage >&2; die "no script given"; }
		[ -r "${arguments[0]}" ] || die "${arguments[0]}: cannot read it"
		cache=${cache:-loose}
		command_line=(/bin/bash "$(realpath "${arguments[0]}")" "${arguments[@]:1}")
	fi
}

prepare_folders() {
	kernel=${kernel:-$("$here/kernel.sh" path)}
	[ -e "$kernel/weft-kernel-ok" ] || die "$kernel is not a complete kernel: make kernel"
	if [ -e "$kernel/guest-modules" ]; then
		mapfile -t modules < <(sed "/^#/d; s#^[^/]#$(realpath "$kernel")/&#" \
			"$kernel/guest-modules")
		transport=virtiofs
		[ -x "$virtiofsd" ] || die "$virtiofsd does not exist: install qemu-system-common"
		[ -x "$O/vm/programs/exit-port" ] ||
			die "$O/vm/programs/exit-port does not exist: make $O/vm/programs/exit-port"
	fi
	if [ -z "$out" ]; then
		mkdir -p "$O/vm"
		out=$(mktemp -d "$O/vm/run-XXXXXX")
	fi
	mkdir -p "$out"
	out=$(realpath "$out")
	share=$(realpath "${share:-$out}")
	case $out$share in
	*[[:space:],]*) die "folder names with blanks or commas do not work: $out, $share" ;;
	esac
	rm -f "$out"/{serial.log,output.log,verdict,initramfs.cpio}
}

write_guest_files() {
	local setting

	# A module fits one kernel only, so a run with modules makes an initramfs of its own.
	initramfs=$O/vm/initramfs.cpio
	if [ ${#modules[@]} -gt 0 ]; then initramfs=$out/initramfs.cpio; fi
	"$here/initramfs.sh" "$initramfs" "$here/guest-init" ${modules[@]+"${modules[@]}"} ||
		die "cannot make the initramfs"
	cp "$here/guest-run" "$out/guest-run"
	{
		printf 'export O=%q WEFT_VM=1 WEFT_SHARE=/share WEFT_KERNEL=%q WEFT_TOP=%q\n' "$O" \
			"$kernel" "$top"
		printf 'export PATH=%q:$PATH TERM=%q\n' "$O" "${TERM:-dumb}"
		for setting in ${environment[@]+"${environment[@]}"}; do
			printf 'export %s=%q\n' "${setting%%=*}" "${setting#*=}"
		done
		printf 'weft_interactive=%s weft_dir=%q weft_command=(' $interactive "$PWD"
		printf '%q ' "${command_line[@]}"
		printf ')\n'
		if [ $interactive = 1 ]; then
			read -r rows columns < <(stty size)
			printf 'export LINES=%s COLUMNS=%s\n' "$rows" "$columns"
		fi
	} >"$out/guest.env"
}

# Prints the frequency of the time stamp counter in kHz: that of the host's counter, or 1 GHz if
# instructions are counted. The kernel gets it as a parameter: without ACPI it has no timer to
# calibrate the counter with, and the emulator's PIT is too coarse, so the kernel would fall back to
# a clock that ticks every 4 ms.
tsc_khz() {
	if [ $icount = 1 ]; then
		echo 1000000
	else
		awk -F: '/^cpu MHz/ { printf "%d", $2 * 1000; exit }' /proc/cpuinfo
	fi
}

# Sets the arguments of QEMU that give the host's folders to the guest.
folder_arguments() {
	local mapping=security_model=none,multidevs=remap

	case $transport in
	9p)
		folders=(
			-fsdev "local,id=root,path=$root,readonly=on,$mapping"
			-device virtio-9p-pci,fsdev=root,mount_tag=root
			-fsdev "local,id=share,path=$share,$mapping"
			-device virtio-9p-pci,fsdev=share,mount_tag=share
		)
		;;
	virtiofs)
		folders=(
			-object "memory-backend-memfd,id=memory,size=$memory,share=on"
			-machine memory-backend=memory
			-chardev "socket,id=root,path=$out/root.sock"
			-device vhost-user-fs-pci,chardev=root,tag=root
			-chardev "socket,id=share,path=$out/share.sock"
			-device vhost-user-fs-pci,chardev=share,tag=share
		)
		;;
	esac
}

# Starts the daemons of virtiofs, which serve the host's folders; for 9p QEMU serves them itself. A
# daemon ends when QEMU closes its socket.
start_daemons() {
	local name folder i

	[ $transport = virtiofs ] || return 0
	for name in root share; do
		if [ $name = root ]; then folder=$root; else folder=$share; fi
		rm -f "$out/$name.sock"
		"$virtiofsd" --socket-path="$out/$name.sock" -o source="$folder" -o cache=auto \
			-o sandbox=chroot >"$out/$name.virtiofsd" 2>&1 </dev/null &
		daemons+=($!)
		for ((i = 0; i < 100; i++)); do
			[ ! -S "$out/$name.sock" ] || break
			sleep 0.05
		done
		[ -S "$out/$name.sock" ] ||
			die "virtiofsd does not start: $(tail -n 1 "$out/$name.virtiofsd")"
	done
}

stop_daemons() {
	local pid

	for pid in ${daemons[@]+"${daemons[@]}"}; do kill "$pid" 2>/dev/null || true; done
	rm -f "$out"/{root,share}.sock
}

# Sets `qemu`, the command that starts QEMU. The MP table that the BIOS makes lists one CPU per
# socket, so every CPU gets a socket. norandmaps keeps programs at the same addresses in all runs:
# the emulator caches its translations by address, and would otherwise translate the dynamic linker
# anew for each program.
qemu_arguments() {
	local words

	words="console=ttyS0 panic=-1 oops=panic tsc=reliable tsc_early_khz=$(tsc_khz)"
	words+=" no_timer_check norandmaps weft.run=$out weft.fs=$transport weft.cache=$cache"
	words+=" weft.timers=$timers $init ${WEFT_APPEND:-} $append"
	qemu=("${emulator[@]}" -no-user-config -nodefaults -display none -no-reboot
		-machine "pc,usb=off,vmport=off" -accel "$accel" -cpu "$cpu"
		-smp "$cpus,sockets=$cpus,cores=1,threads=1" -m "$memory"
		-kernel "$kernel/bzImage" -initrd "$initramfs"
		-append "$words"
		-device isa-debug-exit,iobase=0xf4,iosize=1
		-serial chardev:serial
		-device virtio-rng-pci
		"${folders[@]}" -device virtio-serial-pci)
	if [ -n "$disk" ]; then
		qemu+=(-blockdev "driver=null-co,node-name=disk,size=$((disk << 20)),read-zeroes=on"
			-device virtio-blk-pci,drive=disk)
	fi
	if [ $network = 1 ]; then
		qemu+=(-netdev user,id=network,restrict=on
			-device virtio-net-pci,netdev=network,romfile=)
	fi
	if [ $icount = 1 ]; then qemu+=(-icount "shift=0"); fi
	if [ -n "$monitor" ]; then
		qemu+=(-chardev "pipe,id=monitor,path=$monitor" -mon chardev=monitor)
	fi
	if [ $interactive = 1 ]; then
		qemu+=(-chardev "file,id=serial,path=$out/serial.log"
			-chardev "stdio,id=out,mux=on,signal=off" -mon chardev=out
			-device virtconsole,chardev=out)
	else
		qemu+=(-chardev stdio,id=serial,signal=off
			-chardev "file,id=out,path=/dev/fd/8" -device virtserialport,chardev=out)
	fi
}

# Runs QEMU: for a script under timeout, which passes signals only to QEMU. If this script then gets
# a signal, it sends SIGTERM to timeout and exits. QEMU's standard output is the guest's console.
run_qemu() {
	local pid tee_pid

	if [ $interactive = 1 ]; then
		"${qemu[@]}" && qemu_status=0 || qemu_status=$?
		return
	fi
	exec 8> >(exec tee "$out/output.log")
	tee_pid=$!
	timeout --foreground -k 2 "$timeout" "${qemu[@]}" </dev/null >"$out/serial.log" \
		2>"$out/qemu.err" &
	pid=$!
	trap 'kill -TERM $pid 2>/dev/null; exit 130' INT TERM HUP
	wait $pid && qemu_status=0 || qemu_status=$?
	trap - INT TERM HUP
	exec 8>&-
	wait $tee_pid || true
}

# One pattern for each way in which a kernel reports that something is wrong with it. WARNING counts
# only right after the time stamp, since boot messages about mitigations have the word further on.
splat_pattern='------------\[ cut here \]|\] WARNING: |BUG: |kernel BUG at|Oops'
splat_pattern+='|general protection fault|double fault|Kernel panic|Call Trace:'
splat_pattern+='|INFO: task .* blocked|soft lockup|hard LOCKUP|rcu: INFO: .*stall'
splat_pattern+='|self-detected stall|unchecked MSR|scheduling while atomic'
splat_pattern+='|sleeping function called|possible .*locking|inconsistent lock state'
splat_pattern+='|Bad page|bad page|refcount_t:|list_(add|del) corruption|stack-protector'
splat_pattern+='|UBSAN: |ODEBUG: '
splat_pattern+='|unable to handle|int3: 0000|invalid opcode:'

# Prints the last 40 lines of the serial log. If its first error is further up, prints all lines
# from that error on.
show_serial_tail() {
	local lines first from

	lines=$(wc -l <"$out/serial.log") || lines=0
	first=$(grep -a -m 1 -n -E -e "$splat_pattern" "$out/serial.log" | cut -d: -f1) || true
	from=$((lines - 39))
	if [ "${first:-$from}" -lt $from ]; then from=$first; fi
	if [ $from -lt 1 ]; then from=1; fi
	printf -- '--- end of %s ---\n' "$out/serial.log" >&2
	tail -n "+$from" "$out/serial.log" >&2 || true
	printf -- '---\n' >&2
}

show_splat() {
	printf -- '--- in %s ---\n' "$out/serial.log" >&2
	grep -m 1 -n -A 40 -E -e "$splat_pattern" "$out/serial.log" >&2
	printf -- '---\n' >&2
}

# Sets the exit status and the verdict. A splat outweighs the command's status, since the success of
# a script in a broken kernel proves nothing.
judge() {
	case $qemu_status in
	0) verdict="the kernel panicked or rebooted" status=$exit_panic ;;
	1) verdict="QEMU failed: $(head -n 1 "$out/qemu.err" 2>/dev/null)" status=$exit_harness ;;
	124 | 137) verdict="no end within $timeout s" status=$exit_timeout ;;
	$((2 * success_value + 1))) verdict="exit 0" status=0 ;;
	*)
		status=$((qemu_status / 2))
		verdict="exit $status"
		if [ $((qemu_status % 2)) = 0 ]; then
			verdict="QEMU died with $qemu_status" status=$exit_harness
		fi
		;;
	esac
	case $status in
	"$exit_panic" | "$exit_timeout") show_serial_tail ;;
	*)
		if [ $allow_splat = 0 ] &&
			grep -qE -e "$splat_pattern" "$out/serial.log" 2>/dev/null; then
			show_splat
			verdict="the kernel log shows a splat ($verdict)" status=$exit_splat
		fi
		;;
	esac
}

report() {
	local begin started wall

	begin=$1
	started=$(sed -n 's/.*weft-vm: command starts at \([0-9.]*\) s.*/\1/p' \
		"$out/serial.log" 2>/dev/null | head -n 1) || true
	wall=$(awk -v a="$begin" -v b="$EPOCHREALTIME" 'BEGIN { printf "%.1f", b - a }')
	printf '%s\n' "$verdict" "accel $accel cpus $cpus" "started ${started:-never}" \
		"wall $wall" "boots $boots" >"$out/verdict"
	if [ $quiet = 0 ] || [ $status != 0 ]; then
		printf 'vm: %s; %s, %s CPUs, script started after %s s, %s s in all; logs in %s\n' \
			"$verdict" "$accel" "$cpus" "${started:-?}" "$wall" "$out" >&2
	fi
}

# Chooses the accelerator, the emulator and the CPU's features. QEMU 7.2's emulator has two bugs
# that the kernel or weft can trigger; the folder emulator/ shows each with no module loaded. With a
# thread for each CPU it may for ever run an int3 that another CPU has replaced (stale.sh), so
# parallel guests use another QEMU. And cmpxchg16b returns flags that no processor returns
# (flags.c), so the emulated CPU lacks that instruction; the kernel supports such a CPU.
choose_processor() {
	local words kind=single

	# Instructions can be counted only if all CPUs run in one thread.
	if [ $icount = 1 ]; then accel=tcg,thread=single; fi
	case $accel in
	auto)
		accel=$("$here/probe-kvm.sh" "$kernel" "$O/vm")
		if [ "$accel" = tcg ]; then accel=tcg,thread=single; fi
		;;
	parallel) accel=tcg,thread=multi kind=parallel ;;
	esac
	words=$("$here/qemu.sh" $kind) || die "no emulator"
	mapfile -t emulator <<<"$words"
	command -v "${emulator[0]}" >/dev/null || die "no ${emulator[0]} here: make deps"
	case $accel,$cpu in
	tcg*cx16*) ;;
	tcg*) cpu+=,-cx16 ;;
	esac
}

main() {
	local begin=$EPOCHREALTIME timers boots=0

	parse_options "$@"
	choose_command
	prepare_folders
	choose_processor
	write_guest_files
	folder_arguments
	trap stop_daemons EXIT
	# After four boots without per-CPU timers, the last boot goes on with the timers that it
	# finds.
	for timers in needed needed needed needed any; do
		boots=$((boots + 1))
		qemu_arguments
		start_daemons
		run_qemu
		grep -qs 'weft-vm: no timer in each CPU' "$out/serial.log" || break
	done
	judge
	report "$begin"
	exit $status
}

main "$@"
