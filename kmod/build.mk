# weft.ko, for the kernel whose build folder is $(KERNEL) (the demo kernel by default). kbuild
# leaves its objects beside the sources, so it gets a folder of links under $(O).

# The folder is searched for when it is first needed, and only once: nothing that make builds
# changes the answer.
KERNEL  ?= $(eval KERNEL := $(shell $(find-kernel)))$(KERNEL)
KMOD    := $(O)/kmod/weft.ko
KMOD_DEBUG := $(O)/kmod-debug/weft.ko
KMOD_SRCS := $(wildcard kmod/*.c kmod/*.h kmod/Kbuild kmod/*/*.c kmod/*/*.h kmod/*/*/*.c)
RUNTIME_SRCS := $(wildcard runtime/*.c runtime/*.h)

# The kernel's make gives O= and V= meanings of its own, so it must not inherit those of this make.
KBUILD_ENV := env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL -u O -u V

#help   kmod          build weft.ko for KERNEL=FOLDER (the demo kernel)
#help   kmod-debug    the same with checks of itself, which is what the tests in the guest load
.PHONY: kmod kmod-debug
kmod: $(KMOD)
kmod-debug: $(KMOD_DEBUG)

all: $(RUNTIME_SRCS:%=$(O)/%)

# The file contains the path of the kernel's folder that was last built against; it is rewritten
# only when the path changes. If KERNEL= names a folder, the folder must exist, and the demo kernel
# is not built.
KERNEL_STAMP := $(O)/kernel
.PHONY: kernel-named
kernel-named:
$(KERNEL_STAMP): $(if $(filter file,$(origin KERNEL)),kernel,kernel-named)
	@mkdir -p $(@D)
	$(Q)folder=$(KERNEL); [ "$$(cat $@ 2>/dev/null)" = "$$folder" ] || echo "$$folder" >$@

# The files that aspects are compiled against are beside the program, as they are when installed.
$(O)/runtime/%: runtime/%
	@mkdir -p $(@D)
	$(Q)ln -sf $(abspath $<) $@

# BTF cannot be made with a package of kernel headers alone, so it is switched off if KERNEL= names
# a folder. The rule below limits memory, because genksyms, which MODVERSIONS needs, has been seen
# to take all of it.
kmod-btf := $(if $(filter file,$(origin KERNEL)),,CONFIG_DEBUG_INFO_BTF_MODULES=)

# Aspects are built against $(KMOD) and run with $(KMOD_DEBUG) as well: both export the same
# symbols.
$(KMOD_DEBUG): kmod-flags := WK_DEBUG=1
$(KMOD) $(KMOD_DEBUG): $(KMOD_SRCS) $(RUNTIME_SRCS) $(RUNTIME_SRCS:%=$(O)/%) $(KERNEL_STAMP)
	@mkdir -p $(@D)
	$(call say,KMOD,$@)
	$(Q)scripts/link-kmod.sh $(@D)
	$(Q)ulimit -v 8000000 && \
		$(KBUILD_ENV) make -j$(shell nproc) -C $(KERNEL) M=$(@D) KCFLAGS= $(kmod-flags) \
		$(kmod-btf) \
		$(if $(filter 1,$(V)),V=1,-s) modules
	$(Q)touch $@

# A copy of Module.symvers, the symbols that weft.ko exports to aspects. It is rewritten only if
# they change, so that aspects are not built again for each change of weft.ko.
KMOD_EXPORTS := $(O)/kmod/exports
$(KMOD_EXPORTS): $(KMOD)
	$(Q)cmp -s $(O)/kmod/Module.symvers $@ || cp $(O)/kmod/Module.symvers $@

# The recipe: the commands by which kbuild builds a module against weft.ko, for `weft compile` to
# run for aspects. If `weft learn` cannot find these commands out, aspects are built by kbuild.
RECIPE := $(O)/kmod/recipe/recipe
kmod: $(RECIPE)
$(RECIPE): $(KMOD_EXPORTS) $(filter %.h,$(RUNTIME_SRCS)) $(KERNEL_STAMP) \
		weaver/module/kbuild-make.c weaver/module/recipe-probe.c | $(WEFT)
	$(call say,LEARN,$(@D))
	$(Q)$(WEFT) learn --kernel $(KERNEL) --kmod $(O)/kmod --runtime $(O)/runtime >/dev/null && \
		touch -c $@ || echo "$(@D): not learned; kbuild builds the aspects" >&2
