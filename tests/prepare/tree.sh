# SPDX-License-Identifier: GPL-2.0-or-later
#
# Makes a kernel of five sources, whose Makefile has what weft expects of kbuild; run.sh sources
# this file. make_tree FOLDER writes the source, make_image SOURCE FILE FLAG... links it at a
# kernel's address, make_config FILE writes its configuration, make_packages FOLDER packs all of it
# as Debian's packages.

release=6.1.7-small-amd64
version=6.1.7-3
kbuild_version=6.1.7-4
tree_flags=(-std=gnu11 -O2 -g -mcmodel=kernel -mno-red-zone -fno-pie -ffreestanding -D__KERNEL__)
module_units=(drivers/van/van drivers/van/load)
tree_units=(kernel/carry kernel/chain kernel/lib/banner drivers/post drivers/scale)

make_tree() {
	mkdir -p "$1"/{include/linux,scripts,kernel/lib,drivers/van}
	touch "$1/Kbuild" "$1/scripts/Makefile.build"
	cat >"$1/include/linux/parcel.h" <<-'END'
		struct parcel {
			long weight;
			int state;
			void (*deliver)(struct parcel *parcel);
			struct parcel *next;
		};
		#define next_parcel(p) ((p)->next)
		static inline long heavier(const struct parcel *parcel, long than)
		{
			return parcel->weight > than;
		}
		long carry(struct parcel *parcel);
	END
	cat >"$1/kernel/carry.c" <<-'END'
		#include <linux/parcel.h>

		long carry(struct parcel *parcel)
		{
			long n = 0;

			for (; parcel; parcel = next_parcel(parcel)) {
				parcel->state = 3;
				n += heavier(parcel, 70);
			}
			return n;
		}

		int is_last(struct parcel *parcel)
		{
			return !parcel->next;
		}
	END
	cat >"$1/kernel/chain.c" <<-'END'
		#include <linux/parcel.h>

		struct parcel *one_after(struct parcel *parcel)
		{
			return next_parcel(parcel);
		}
	END
	cat >"$1/kernel/lib/banner.c" <<-'END'
		const char linux_banner[] =
			"Linux version 6.1.7-small-amd64 (nobody) #1 Debian 6.1.7-3 (2026)";
	END
	cat >"$1/drivers/post.c" <<-'END'
		#include <linux/parcel.h>

		long post(struct parcel *parcel)
		{
			if (!parcel->deliver)
				return carry(parcel);
			parcel->deliver(parcel);
			return parcel->weight;
		}
	END
	cat >"$1/drivers/scale.c" <<-'END'
		#include <linux/parcel.h>

		int is_heavy(struct parcel *parcel)
		{
			return heavier(parcel, 1000);	/* not the next one's weight */
		}
	END
	cat >"$1/drivers/van/van.c" <<-'END'
		#include <linux/parcel.h>

		long van_load(struct parcel *parcel);

		long van_drive(struct parcel *parcel)
		{
			parcel->state = 4;
			return van_load(parcel) + carry(parcel);
		}
	END
	cat >"$1/drivers/van/load.c" <<-'END'
		#include <linux/parcel.h>

		long van_load(struct parcel *parcel)
		{
			return heavier(parcel, 500) ? 0 : parcel->weight;
		}
	END
	cat >"$1/Makefile" <<-END
		O ?= .
		S ?= \$(CURDIR)
		CFLAGS := ${tree_flags[*]} -I\$(S)/include
	END
	# As in kbuild, a separate make works in each folder, and passes on to the next folder only
	# those objects that are below it. Also as in kbuild, an object is compiled again if its
	# flags have changed.
	cat >>"$1/Makefile" <<-'END'
		.RECIPEPREFIX = >
		.DELETE_ON_ERROR:
		ifndef obj
		.PHONY: kernelversion olddefconfig prepare descend
		kernelversion: ; @echo 6.1.7
		olddefconfig:
		>@grep -v NO_SUCH $(O)/.config >$(O)/.config.new; mv $(O)/.config.new $(O)/.config
		prepare: ; @mkdir -p $(O)/kernel/lib $(O)/drivers/van
		GOALS := $(filter %.o,$(MAKECMDGOALS))
		$(GOALS): descend ;
		descend:
		>@$(MAKE) -C $(O) -f $(S)/Makefile S=$(S) obj=. $(GOALS)
		else
		folders-of-. := kernel drivers kernel/lib
		subdir-ym := $(folders-of-$(obj))
		below := $(foreach d,$(subdir-ym),$(if $(filter $d/%,$(MAKECMDGOALS)),$d))
		handed := $(filter $(addsuffix /%,$(below)),$(MAKECMDGOALS))
		$(handed): $(below) ;
		.PHONY: $(subdir-ym) FORCE
		$(subdir-ym):
		>@$(MAKE) -f $(S)/Makefile S=$(S) obj=$@ $(filter $@/%,$(handed))
		$(obj)/%.o: $(S)/$(obj)/%.c $(S)/include/linux/parcel.h FORCE
		>@[ -z "$(filter-out FORCE,$?)" ] && grep -qsx $(obj) $@.by || { \
		>	echo '  CC      $@'; \
		>	$(CC) $(CFLAGS) $(KCFLAGS) -c -o $@ $< && echo $(obj) >$@.by; }
		endif
	END
}

# compile SOURCE FILE FLAG...: compiles the units $units to objects beside FILE.
compile() {
	local source=$1 file=$2 unit
	shift 2
	objects=()
	for unit in "${units[@]}"; do
		objects+=("$file.${unit//\//-}.o")
		(cd "$source" && gcc "${tree_flags[@]}" -Iinclude "$@" -c -o "${objects[-1]}" \
			"$unit.c") || return
	done
}

# make_image SOURCE FILE FLAG...: links the kernel.
make_image() {
	local units=("${tree_units[@]}") objects

	compile "$@" || return
	ld -static -e 0 -Ttext=0xffffffff81000000 --build-id=sha1 -o "$2" "${objects[@]}" &&
		rm "${objects[@]}"
}

# make_module SOURCE FILE FLAG...: links the module.
make_module() {
	local units=("${module_units[@]}") objects

	compile "$@" || return
	ld -r --build-id=sha1 -o "$2" "${objects[@]}" && rm "${objects[@]}"
}

make_config() {
	cat >"$1" <<-END
		# Linux/x86 6.1.7 Kernel Configuration
		CONFIG_CC_VERSION_TEXT="$(gcc --version | head -n 1)"
		CONFIG_CC_IS_GCC=y
		$(printf 'CONFIG_%s=y\n' MODULES MODULE_UNLOAD KPROBES KALLSYMS KALLSYMS_ALL \
			RING_BUFFER BINARY_PRINTF DYNAMIC_FTRACE_WITH_REGS SMP)
	END
}

# make_packages FOLDER SOURCE IMAGE CONFIG: makes .deb files, and in FOLDER/bin programs named
# apt-get, apt-cache and dpkg-query that hand these files out.
make_packages() {
	local packages=$1 source=$2 image=$3 config=$4 name root of_this

	mkdir -p "$packages"/{debs,bin}
	for name in linux-image-$release-dbg linux-headers-$release linux-headers-6.1-common \
		linux-kbuild-6.1 linux-source-6.1; do
		root=$packages/$name of_this=$version
		if [ $name = linux-kbuild-6.1 ]; then of_this=$kbuild_version; fi
		mkdir -p "$root/DEBIAN" "$root/usr/src"
		cat >"$root/DEBIAN/control" <<-END
			Package: $name
			Version: $of_this
			Architecture: amd64
			Maintainer: nobody <nobody@example.org>
			Description: for a test
		END
		case $name in
		*-dbg)
			mkdir -p "$root/usr/lib/debug/boot"
			cp "$image" "$root/usr/lib/debug/boot/vmlinux-$release" ;;
		linux-headers-$release)
			mkdir -p "$root/usr/src/$name/include/generated"
			cp "$config" "$root/usr/src/$name/.config"
			echo "#define UTS_RELEASE \"$release\"" \
				>"$root/usr/src/$name/include/generated/utsrelease.h"
			touch "$root/usr/src/$name/Module.symvers"
			echo "include /usr/src/linux-headers-6.1-common/Makefile" \
				>"$root/usr/src/$name/Makefile" ;;
		*-common)
			mkdir -p "$root/usr/src/$name"
			echo "# the common part" >"$root/usr/src/$name/Makefile" ;;
		linux-source-*)
			tar -C "$(dirname "$source")" -cJf "$root/usr/src/$name.tar.xz" \
				"$(basename "$source")" ;;
		esac
		dpkg-deb --build "$root" "$packages/debs/${name}_${of_this}_amd64.deb" >/dev/null
		rm -rf "$root"
	done
	cat >"$packages/bin/apt-get" <<-END
		#!/bin/sh
		[ -z "\$NO_NETWORK" ] || { echo "E: Failed to fetch http://deb.example.org/x.deb" \
			"Temporary failure resolving 'deb.example.org'"; exit 100; }
		echo "\$@" >>$packages/downloads
		for name; do
			case \$name in
			APT::*) ;;
			*=*) cp $packages/debs/\${name%%=*}_*.deb . || exit 100 ;;
			esac
		done
		[ -z "\$TRUNCATE" ] || truncate -s 300 \$TRUNCATE*.deb
	END
	cat >"$packages/bin/apt-cache" <<-END
		#!/bin/sh
		for name; do :; done
		version=$version
		case \$name in linux-kbuild-*) version=$kbuild_version ;; esac
		case \$name in *=*) [ \${name#*=} = \$version ] || exit 100 ;; esac
		name=\${name%%=*}
		[ -e $packages/debs/\${name}_\${version}_amd64.deb ] || exit 100
		echo "Package: \$name"
		echo "Version: \$version"
		echo "Size: \${SIZE:-1000}"
		echo "Installed-Size: 10"
		echo "Depends: linux-headers-6.1-common (= $version), linux-kbuild-6.1 (>= 6.1), cc"
	END
	printf '#!/bin/sh\nexit 1\n' >"$packages/bin/dpkg-query"
	chmod +x "$packages"/bin/*
}
