#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Tests signatures of modules, on a kernel that enforces them: Debian 12's own, in whose list of
# built-in certificates the tests' certificate takes the place of Debian's. Only that list differs;
# the code and the build-id are the same. Firmware and MOK are not involved. The kernel is booted
# with module.sig_enforce=1 in the guest. Skipped if it is not in the cache
# (tests/kernels/shipped.sh fetch bookworm).
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
top=$(cd "$here/../.." && pwd)
export O=${O:-$top/build}
work=$O/packages/signatures
shipped=${XDG_CACHE_HOME:-$HOME/.cache}/weft/stock-bookworm
headers=$shipped/headers

if [ ! -e "$shipped/weft-kernel-ok" ]; then
	echo "skip signatures: no kernel in the cache (tests/kernels/shipped.sh fetch bookworm)"
	echo "0 passed, 0 failed, 1 skipped"
	exit 0
fi
rm -rf "$work"
mkdir -p "$work/kernel" "$work/kmod"

make_keys() {
	local name

	for name in trusted stranger; do
		openssl req -new -x509 -nodes -days 36500 -newkey rsa:2048 -subj "/CN=$name" \
			-keyout "$work/$name.key" -outform DER -out "$work/$name.der" 2>/dev/null
	done
}

# place SYMBOL: prints the symbol's offset in the file of the image.
place() {
	local address number offset start

	address=$((16#$(nm "$work/vmlinux" | awk -v s="$1" '$3 == s { print $1 }')))
	while read -r number start offset size; do
		if [ $((address >= 16#$start && address < 16#$start + 16#$size)) = 1 ]; then
			echo $((address - 16#$start + 16#$offset))
			return
		fi
	done < <(readelf -SW "$work/vmlinux" |
		sed -n 's/^ *\[ *[0-9]*\] *[^ ]* *PROGBITS *//p' |
		awk '{ print NR, $1, $2, $3 }')
	return 1
}

write_at() { dd of="$work/vmlinux" bs=1 seek="$1" conv=notrunc status=none; }

# Makes the kernel: Debian's, with the tests' certificate at the beginning of its list of
# certificates, and with the list's size set to that of this certificate, since the kernel reads
# only as many bytes of the list.
make_kernel() {
	local size room

	objcopy --strip-debug "$shipped/vmlinux" "$work/vmlinux"
	size=$(stat -c %s "$work/trusted.der")
	room=$(($(place system_certificate_list_size) - $(place system_certificate_list)))
	[ "$size" -le "$room" ] || { echo "signatures.sh: no room for $size bytes" >&2; exit 1; }
	write_at "$(place system_certificate_list)" <"$work/trusted.der"
	# shellcheck disable=SC2059
	printf "$(printf '\\x%02x\\x%02x\\0\\0\\0\\0\\0\\0' $((size & 255)) $((size >> 8)))" |
		write_at "$(place system_certificate_list_size)"
	touch "$work/kernel/weft-kernel-ok"
	ln -s "$work/vmlinux" "$work/kernel/bzImage"
	# The modules that the guest needs to mount its root were signed with Debian's key, so they
	# are signed anew.
	mkdir "$work/kernel/modules"
	while read -r module; do
		objcopy "$module" "$work/module"
		sign trusted "$work/module" "$work/kernel/modules/$(basename "$module")"
		echo "modules/$(basename "$module")"
	done < <(cd "$shipped" && grep -v '^#' guest-modules) >"$work/kernel/guest-modules"
}

# sign KEY MODULE OUTPUT: copies MODULE to OUTPUT and signs the copy with KEY.
sign() {
	cp "$2" "$3"
	"$headers/scripts/sign-file" sha256 "$work/$1.key" "$work/$1.der" "$3"
}

make_modules() {
	local id

	"$top/scripts/link-kmod.sh" "$work/kmod"
	env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL -u O -u V make -s -j"$(nproc)" -C "$headers" \
		M="$work/kmod" KCFLAGS= CONFIG_DEBUG_INFO_BTF_MODULES= modules
	strip -g "$work/kmod/weft.ko"
	sign trusted "$work/kmod/weft.ko" "$work/weft.ko"
	cp "$work/kmod/weft.ko" "$work/unsigned-weft.ko"
	# The database has this kernel's build-id; its only function is not in the kernel.
	id=$(readelf -n "$work/vmlinux" | sed -n 's/^ *Build ID: //p')
	cat >"$work/small.c" <<-'C'
	struct sk_buff { void (*destructor)(struct sk_buff *skb); };
	__attribute__((noinline)) void destroy(struct sk_buff *skb) { skb->destructor(skb); }
	static void nothing(struct sk_buff *skb) { }
	void _start(void) { struct sk_buff skb = { nothing }; destroy(&skb); }
	C
	gcc -g -O2 -nostdlib -static -fplugin="$O/gcc-plugin/weft_joinpoints.so" \
		-Wl,--build-id=0x"$id" -o "$work/small" "$work/small.c"
	"$O/weft" index "$work/small" -o "$work/small.weft" >/dev/null
	cat >"$work/first.xml" <<-'XML'
	<aspect name="first">
		<pointcut><function name="destroy"/></pointcut>
		<before-advice>weft_log("seen");</before-advice>
	</aspect>
	XML
	for key in trusted stranger; do
		"$O/weft" compile "$work/first.xml" --kernel "$headers" --db "$work/small.weft" \
			--kmod "$work/kmod" --sign-key "$work/$key.key" \
			--sign-cert "$work/$key.der" -o "$work/$key.ko" >/dev/null
	done
	objcopy "$work/trusted.ko" "$work/unsigned.ko"
}

make_keys
make_kernel
make_modules
exec "$top/tests/vm/vm.sh" --kernel "$work/kernel" --timeout 200 --out "$O/vm/signatures" \
	--append module.sig_enforce=1 --env "SIGNED=$work" "$here/signatures-guest.sh"
