#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Tests the packages in a chroot that has nothing but Debian (packages.sh starts it): installs the
# packages of the folder DEBS, uses them, upgrades to those of NEWER, removes and purges them. LOG
# gets apt's output. TREE and OBJECTS are mounted from outside, where they may change meanwhile. The
# running kernel is the host's, so modules are built for the release whose headers are installed,
# and nothing is loaded. Usage: in-chroot.sh DEBS NEWER LOG TREE OBJECTS
set -uo pipefail
debs=$1 newer=$2 log=$3 tree=$4 objects=$5
work=/root/work
passed=0 failed=0
mkdir -p $work
cd $work || exit 1
: >"$log"

# check NAME WANTED GOT: fails if the two texts differ.
check() {
	if [ "$2" = "$3" ]; then
		printf 'ok     %s\n' "$1"
		passed=$((passed + 1))
	else
		printf 'FAILED %s\n' "$1"
		diff -u --label wanted --label got <(printf '%s\n' "$2") <(printf '%s\n' "$3")
		failed=$((failed + 1))
	fi
}

# succeeds NAME COMMAND...: fails if COMMAND fails.
succeeds() {
	local name=$1 said status=0
	shift
	said=$("$@" 2>&1) || status=$?
	printf '%s\n' "$said" >>"$log"
	check "$name" 0 "$status"
	[ $status = 0 ] || printf '%s\n' "$said" | tail -n 20
}

install() { apt-get -y --no-install-recommends install "$@"; }

# Prints every path of the file system, except those of apt, of dpkg and of other packages' caches.
paths() {
	find / -xdev \( -path /proc -o -path /sys -o -path /dev -o -path /root -o -path /tmp \
		-o -path /var/lib/dpkg -o -path /var/lib/apt -o -path /var/cache/apt \
		-o -path "$tree" -o -path "$objects" \
		-o -path /var/cache/ldconfig -o -path /var/log -o -path /run \) -prune \
		-o -print | grep -vE '^/var/lib/dkms/mok\.|/modules\.[a-z.]*$' | sort
}

# ---- installs what the packages need, without the packages ----

mapfile -t files < <(ls "$debs"/*.deb)
needs=$(for deb in "${files[@]}"; do dpkg-deb -f "$deb" Depends; done | paste -sd ,)
succeeds "what the packages need is in the release" apt-get -y --no-install-recommends satisfy \
	"$needs, linux-headers-cloud-amd64, openssl"
kernel=$(basename "$(echo /lib/modules/*cloud-amd64)")
headers=/lib/modules/$kernel/build
plugin=$(basename "$(echo "$debs"/gcc-*-plugin-weft_*.deb)")
plugin=${plugin%%_*} gcc=${plugin%-plugin-weft}
version=$(dpkg-deb -f "$debs"/weft_*.deb Version)
paths >before

# ---- installs the packages, and uses weft ----

succeeds "install" install "${files[@]}"
check "dkms: built and installed" "weft/$version, $kernel, x86_64: installed" "$(dkms status weft)"
check "the module is the kernel's" \
	"/lib/modules/$kernel/updates/dkms/weft.ko $kernel" \
	"$(modinfo -k "$kernel" -n weft | sed 's/\.xz$//') \
$(modinfo -k "$kernel" -F vermagic weft | cut -d ' ' -f 1)"
check "what is for one architecture is not below share" "" \
	"$(dpkg -L weft weft-dkms "$plugin" | grep '^/usr/share/' | while read -r f; do
		[ ! -f "$f" ] || ! head -c 4 "$f" | grep -q $'^\x7fELF' || echo "$f"
	done)"
check "the man pages" 0 "$(gzip -t /usr/share/man/man1/weft-compile.1.gz; echo $?)"
check "the unit is off" "" "$(find /etc/systemd -name '*weft*' 2>/dev/null)"

# A program that was compiled with the plugin is a small kernel to the weaver.
cat >small.c <<'C'
struct sk_buff { void (*destructor)(struct sk_buff *skb); int len; };
__attribute__((noinline)) void destroy(struct sk_buff *skb) { skb->destructor(skb); }
static void nothing(struct sk_buff *skb) { skb->len = 0; }
void _start(void) { struct sk_buff skb = { nothing }; destroy(&skb); }
C
succeeds "the compiler finds its plugin by the short name" \
	"$gcc" -g -O2 -nostdlib -static -fplugin=weft_joinpoints -Wl,--build-id -o small small.c
succeeds "index" weft index small -o small.weft
check "points" "1 joinpoint (call 1), 1 shadow (exact 1), 0 optimized out" \
	"$(weft points -d small.weft --kind call sk_buff.destructor | tail -n 1)"
weft doctor >doctor 2>&1
check "doctor: its exit code" 1 $?
check "doctor: a line for each thing" "" "$(grep -vE '^(ok|warning|missing|  +->|weft: )' doctor)"
check "doctor: nothing to say of the headers or the module once they are named" "" \
	"$(weft doctor --kernel "$headers" | grep -E '^(warning|missing) +kernel headers')"

cat >first.xml <<'XML'
<aspect name="first">
	<pointcut><function name="destroy"/></pointcut>
	<before-advice>weft_log("seen");</before-advice>
</aspect>
XML
succeeds "compile against the headers package" \
	weft compile first.xml --kernel "$headers" --db small.weft -o first.ko
check "the aspect is of that kernel and needs weft.ko" "$kernel weft" \
	"$(modinfo -F vermagic ./first.ko | cut -d ' ' -f 1) $(modinfo -F depends ./first.ko)"

# split_signature MODULE: writes the module's bytes to $work/body, and its signature to
# $work/signature. sign-file appends three things to a module: the signature, which is a CMS
# message; 12 bytes, of which the last 4 are the size of this message; and a line of 28 bytes.
split_signature() {
	local size whole

	whole=$(stat -c %s "$1")
	size=$((16#$(tail -c 32 "$1" | head -c 4 | od -An -tx1 | tr -d ' \n')))
	head -c $((whole - 40 - size)) "$1" >body
	tail -c $((size + 40)) "$1" | head -c $size >signature
}
openssl x509 -inform DER -in /var/lib/dkms/mok.pub -out mok.pem 2>>"$log"
split_signature first.ko
succeeds "the aspect is signed with the key that weft.ko is signed with, as openssl has it" \
	openssl cms -verify -binary -inform DER -in signature -content body -certfile mok.pem \
	-nointern -noverify -out /dev/null
printf x | dd of=body bs=1 seek=4096 conv=notrunc 2>/dev/null
check "and a changed one is not" 1 "$(openssl cms -verify -binary -inform DER -in signature \
	-content body -certfile mok.pem -nointern -noverify -out /dev/null 2>/dev/null
	echo $((!!$?)))"
check "signed alike" "$(modinfo -k "$kernel" -F sig_key weft)" "$(modinfo -F sig_key ./first.ko)"

# ---- upgrades the packages ----

upgraded=$(dpkg-deb -f "$newer"/weft_*.deb Version)
succeeds "upgrade" install "$newer"/*.deb
check "dkms: the new version, and it alone" "weft/$upgraded, $kernel, x86_64: installed" \
	"$(dkms status weft)"
check "no source of the old version" "/usr/src/weft-$upgraded" "$(echo /usr/src/weft-*)"
succeeds "compile with the new version" \
	weft compile first.xml --kernel "$headers" --db small.weft -o first.ko

# ---- removes the packages, installs them again, purges them ----

mapfile -t packages < <(for deb in "${files[@]}"; do dpkg-deb -f "$deb" Package; done)
succeeds "remove" apt-get -y remove "${packages[@]}"
check "dkms: nothing is left" "" "$(dkms status weft)"
check "no module is left" "" "$(find /lib/modules -name 'weft.ko*')"
succeeds "the module before the program" install "$newer"/weft-dkms_*.deb
succeeds "and the program" install "$newer"/weft_*.deb
succeeds "purge" apt-get -y purge "${packages[@]}"
paths >after
check "no path is left, and none is missing" "" "$(diff before after)"
echo "$passed passed, $failed failed, 0 skipped"
[ $failed = 0 ]
