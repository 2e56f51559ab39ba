# The tests in the guest: how their programs, aspects and cases are built and run. Everything is
# built on the host; the guest sees it in its root file system, which is the host's.

vm-sources  := $(wildcard $(vm-dir)/programs/*.c tests/bench/*.c)
vm-programs := $(addprefix $(O)/vm/programs/,$(basename $(notdir $(vm-sources))))
# Aspects of the tests that are files of the tree. Scripts write more of them, see below. Aspects
# named bench_* are only for benchmarks.
vm-aspects  := $(filter-out $(vm-dir)/aspects/bench_%,$(wildcard $(vm-dir)/aspects/*.xml)) \
	$(wildcard aspects/*.xml) tests/golden/compile/klas_form.xml
DB          := $(O)/vmlinux.weft

vpath %.c $(vm-dir)/programs tests/bench
$(O)/vm/programs/%: %.c $(wildcard runtime/abi*.h $(vm-dir)/programs/*.h)
	@mkdir -p $(@D)
	$(call say,CC,$@)
	$(Q)$(CC) $(CSTD) $(WARN) -O2 -D_GNU_SOURCE -I. -o $@ $<

# These programs call functions of the weaver.
$(addprefix $(O)/vm/programs/,weave-rounds optimistic-splices claims): \
		$(O)/vm/programs/%: $(vm-dir)/programs/%.c $(WEAVER_LIB)
	@mkdir -p $(@D)
	$(call say,CC,$@)
	$(Q)$(CC) $(WEAVER_FLAGS) -o $@ $^ $(WEAVER_LIBS)

# The database is made by this tree's weaver. The database that was made last, by any tree, is also
# in the cache, beside the kernel.
$(DB): $(WEFT) $(KERNEL_STAMP)
	$(call say,INDEX,$@)
	$(Q)kernel=$$($(vm-dir)/kernel.sh path) && $(WEFT) index $$kernel/vmlinux -o $@ && \
		cp $@ $$kernel/vmlinux.weft.$$$$ && \
		mv $$kernel/vmlinux.weft.$$$$ $$kernel/vmlinux.weft

# The files that an aspect's module depends on besides the aspect's source. Of weft.ko these are
# only the exports, so other changes of weft.ko do not rebuild the modules.
vm-module-needs := $(WEFT) $(KMOD_EXPORTS) $(RECIPE) $(DB) $(filter %.h,$(RUNTIME_SRCS))
vm-compile       = $(WEFT) compile --kernel $$($(vm-dir)/kernel.sh path) --db $(DB)

# This rule builds one module. It is used by whoever wants only one, and always for the modules that
# are compiled with special options or for which kbuild prints something.
vm-filtered := $(addprefix $(O)/vm/aspects/,who_filtered.ko bench_filtered.ko)
vm-alone    := $(addprefix $(O)/vm/aspects/,\
	who_filtered.ko kselftest.ko stack_deep.ko unbalanced.ko incomplete.ko)
$(vm-filtered): vm-options := --filtered
$(O)/vm/aspects/kselftest.ko: vm-options := --at-most 20000
$(foreach folder,$(vm-dir)/aspects aspects tests/kselftest $(O)/vm/aspects,\
	$(eval $(O)/vm/aspects/%.ko: $(folder)/%.xml $(vm-module-needs) ; $$(vm-one)))
define vm-one
	@mkdir -p $(@D)
	$(call say,ASPECT,$@)
	$(Q)$(vm-compile) $(vm-options) $< -o $@
endef

# A database like that of a kernel that was prepared in part: it knows one of three units, and the
# two other units mention the aspect's member.
$(O)/vm/incomplete.weft: $(DB)
	@mkdir -p $(@D)
	$(Q)cp $< $@.new && sqlite3 $@.new "INSERT INTO unit VALUES (1, 'a.c', 1), (2, 'b.c', 0), \
		(3, 'c.c', 0); INSERT INTO mention VALUES (0, 'sk_state', 2); \
		UPDATE image SET mentions = 1" && mv $@.new $@
$(O)/vm/aspects/incomplete.ko: $(O)/vm/incomplete.weft
$(O)/vm/aspects/incomplete.ko: private DB = $(O)/vm/incomplete.weft

# Aspects with a shadow at every instruction of functions that the traffic runs through: every_count
# counts, every_clobber calls a C function that changes all registers that it may change.
# every_second and every_third have one shadow in each function that only the traffic runs through,
# at its second and third instruction, so that their hits can be counted.
vm-counted := sock_wfree inet_accept unix_dgram_sendmsg udp_sendmsg
vm-every   := $(vm-counted) pipe_read __dev_queue_xmit tcp_event_data_recv
every_count.body   := ;
every_clobber.body := asm volatile("xor %%eax, %%eax; mov %%rax, %%rcx; mov %%rax, %%rdx; \
	mov %%rax, %%rsi; mov %%rax, %%r8; mov %%rax, %%r9; mov %%rax, %%r10; \
	mov %%rax, %%r11; stc" \
	::: "rax", "rcx", "rdx", "rsi", "r8", "r9", "r10", "r11", "cc");
every_second.body  := ;
every_third.body   := ;
# This advice logs a stack trace: its length and its first callers.
every_chain.body   := unsigned int stack_trace_save(unsigned long *, unsigned int, unsigned int); \
	unsigned long c[64] = { 0 }; unsigned int n = stack_trace_save(c, 64, 0); \
	weft_log("chain %u %pS %pS %pS %pS %pS %pS %pS %pS %pS %pS", n, (void *)c[0], \
		 (void *)c[1], (void *)c[2], (void *)c[3], (void *)c[4], (void *)c[5], \
		 (void *)c[6], (void *)c[7], (void *)c[8], (void *)c[9]);
every_count.at     := $(vm-every)
every_clobber.at   := $(vm-every)
every_chain.at     := unix_dgram_sendmsg sock_wfree udp_queue_rcv_one_skb
# Functions whose entry ftrace does not own: the body of one trace event, which the traffic's forks
# run, a function of lib/ that runs when a certain file of /proc is read, and assembler.
every_notrace.body   := ;
every_fork.body      := ;
every_uuid.body      := ;
every_claimed.body   := ;
every_assembler.body := ;
vm-fork              := trace_event_raw_event_sched_process_fork
every_notrace.at     := $(vm-fork) trace_event_raw_event_sched_switch \
	trace_event_raw_event_sched_wakeup_template ktime_get_mono_fast_ns \
	ring_buffer_lock_reserve generate_random_uuid _copy_to_iter _copy_from_iter \
	iov_iter_advance xas_load rb_insert_color vsnprintf
every_fork.at        := $(vm-fork)@1
every_uuid.at        := generate_random_uuid@1
vm-assembler         := clear_page_rep@2 clear_page_rep@3 copy_page_regs@1
every_claimed.at     := $(foreach n,1 2 3,$(vm-fork)@$n generate_random_uuid@$n xas_load@$n) \
	$(vm-assembler)
every_assembler.at   := $(vm-assembler)
every_second.at    := $(addsuffix @2,$(vm-counted))
every_third.at     := $(addsuffix @3,$(vm-counted))
vm-every-aspects := $(patsubst %.body,$(O)/vm/aspects/%.xml,$(filter every_%.body,$(.VARIABLES)))
vm-aspects += $(vm-every-aspects)
$(vm-every-aspects): $(vm-dir)/every-instruction.sh $(vm-dir)/cases/build.mk | kernel
	@mkdir -p $(@D)
	$(Q)$< $(basename $(@F)) $$($(vm-dir)/kernel.sh path)/vmlinux '$($(basename $(@F)).body)' \
		$($(basename $(@F)).at) >$@

# Aspects in the code that a starting CPU runs before it has an interrupt table, and in much of the
# code that the CPU runs after that.
vm-start-aspects := $(O)/vm/aspects/start_early.xml $(O)/vm/aspects/start_late.xml
vm-aspects += $(vm-start-aspects)
$(vm-start-aspects) &: $(vm-dir)/starting.sh runtime/blacklist-names.h | kernel
	@mkdir -p $(@D)
	$(Q)$< $$($(vm-dir)/kernel.sh path)/vmlinux $(vm-start-aspects)

# Aspects with shadows whose springboards need donors, and with the donors' shadows. The traffic
# runs through these functions, and in most of them over the first springboard that has a donor.
vm-donating        := pipe_read __dev_queue_xmit udp_sendmsg __unix_dgram_recvmsg \
	__tcp_transmit_skb ip_route_output_key_hash_rcu fib_table_lookup
donors_springboards.at := $(vm-donating)
donors_donors.at   := $(vm-donating)
donors_first.at   := __tcp_transmit_skb
vm-donors := $(addprefix $(O)/vm/aspects/donors_,springboards.xml donors.xml first.xml)
vm-aspects += $(vm-donors)
$(vm-donors): $(vm-dir)/donors.sh $(vm-dir)/cases/build.mk $(WEFT) $(DB)
	@mkdir -p $(@D)
	$(Q)$< $(basename $(@F)) $(patsubst donors_%.xml,%,$(@F)) $(WEFT) $(DB) \
		$($(basename $(@F)).at) >$@
# Aspects that count at the basic blocks of functions. flow_pointcuts has weft's own pointcuts in
# all of these functions. flow_counters has a counter for every block that objdump shows, in as many
# functions as the kernel's per-CPU memory for modules has room for. Only the traffic runs the
# functions that are not in vm-flow-shared.
vm-flow-shared  := path_openat copy_process
vm-flow         := ip_make_skb ip_send_skb udp_send_skb __skb_recv_udp skb_consume_udp udp_recvmsg \
	inet_create inet_bind __inet_bind inet_accept tcp_v4_connect __inet_stream_connect \
	__unix_dgram_recvmsg unix_socketpair unix_create1 unix_release_sock inet_csk_accept \
	__tcp_close tcp_close sock_wfree move_addr_to_user sock_alloc_send_pskb \
	udp_sendmsg __ip_append_data __udp4_lib_rcv udp_queue_rcv_one_skb unix_dgram_sendmsg \
	tcp_sendmsg_locked tcp_recvmsg_locked tcp_rcv_state_process do_task_stat $(vm-flow-shared)
vm-flow-aspects := $(O)/vm/aspects/flow_counters.xml $(O)/vm/aspects/flow_pointcuts.xml
vm-aspects      += $(vm-flow-aspects)
$(O)/vm/flow.listing: $(vm-dir)/listing.sh $(vm-dir)/cases/build.mk | kernel
	@mkdir -p $(@D)
	$(Q)$< $$($(vm-dir)/kernel.sh path)/vmlinux $(vm-flow) >$@
	$(Q)printf '%s\n' $(vm-flow-shared) >$(@D)/flow.shared
$(vm-flow-aspects): $(O)/vm/aspects/flow_%.xml: $(O)/vm/flow.listing $(O)/vm/programs/flow
	@mkdir -p $(@D)
	$(Q)$(O)/vm/programs/flow $< $$($(vm-dir)/kernel.sh path)/vmlinux $* flow_$* $(vm-flow) >$@
$(O)/vm/flow.blocks: $(O)/vm/aspects/flow_pointcuts.xml $(WEFT) $(DB)
	$(Q)$(WEFT) points --db $(DB) --json $< | grep '"kind":"block"' | \
		sed -E 's/.*"symbol":"([^"]*)","offset":([0-9]*).*/\1 \2/' | \
		awk '{ printf "%s+0x%x\n", $$1, $$2 }' >$@

# For each of these aspects, the summary that the weaver predicts on the host (see foretold in
# lib.sh).
vm-planned := $(vm-flow-aspects) \
	$(addprefix $(O)/vm/aspects/,start_early.xml every_chain.xml) \
	$(vm-dir)/aspects/chain_after.xml
$(O)/vm/plans: $(vm-planned) $(WEFT) $(DB)
	$(Q)for aspect in $(vm-planned); do \
		$(WEFT) plan --db $(DB) $$aspect | \
			sed -n "s/^matched /$$(basename $$aspect .xml): &/p"; \
	done >$@

# One aspect for each kind of splice, in functions that run on top of each other; the advice calls
# these functions once more.
vm-nest-aspects := $(foreach kind,call jump several springboard trap,\
	$(O)/vm/aspects/nest_$(kind).xml)
vm-aspects      += $(vm-nest-aspects)
$(vm-nest-aspects): $(O)/vm/aspects/nest_%.xml: $(vm-dir)/nesting.sh $(WEFT) $(DB)
	@mkdir -p $(@D)
	$(Q)$< $* $(WEFT) $(DB) >$@
vm-aspects += $(O)/vm/aspects/owned.xml
$(O)/vm/aspects/owned.xml: $(vm-dir)/owned.sh $(WEFT) $(DB)
	@mkdir -p $(@D)
	$(Q)$< $(WEFT) $(DB) try_to_wake_up ftrace jump-label static-call >$@
# An aspect whose advice is attached before an instruction. Its joinpoints are in straight code from
# the entry on, in functions that only the traffic runs. The code goes up to a jump label in most of
# the functions, and up to a static call in one.
vm-attached-before := lock_sock_nested udp_queue_rcv_one_skb skb_copy_datagram_iter \
	inet_send_prepare tcp_v4_destroy_sock tcp_rcv_space_adjust
vm-aspects += $(O)/vm/aspects/attached_before.xml
$(O)/vm/aspects/attached_before.xml: $(vm-dir)/attached-before.sh $(vm-dir)/cases/build.mk \
		$(WEFT) $(DB)
	@mkdir -p $(@D)
	$(Q)$< $(WEFT) $(DB) $(vm-attached-before) >$@
NESTING := $(O)/vm/nesting/nesting.ko
$(NESTING): $(wildcard $(vm-dir)/nesting/*.c) $(vm-dir)/nesting/Kbuild | kernel
	@mkdir -p $(@D)
	$(call say,KMOD,$@)
	$(Q)ln -sf $(abspath $^) $(@D)/
	$(Q)$(KBUILD_ENV) make -C $(KERNEL) M=$(@D) KCFLAGS= $(if $(filter 1,$(V)),V=1,-s) modules
	$(Q)touch $@

# The module shapes.ko, which is woven, another build of it, and aspects at its instructions. A
# script writes the aspects' tables, some of which no weaver would write.
SHAPES      := $(O)/vm/modules/shapes.ko
SHAPES_OTHER := $(O)/vm/modules/other/shapes.ko
$(SHAPES) $(SHAPES_OTHER): $(wildcard $(vm-dir)/modules/*.[ch]) $(vm-dir)/modules/Kbuild \
		$(KERNEL_STAMP)
	@mkdir -p $(@D)
	$(call say,KMOD,$@)
	$(Q)ln -sf $(abspath $(filter %.c %.h %/Kbuild,$^)) $(@D)/
	$(Q)$(KBUILD_ENV) make -C $(KERNEL) M=$(@D) KCFLAGS=$(shapes-flags) \
		$(kmod-btf) $(if $(filter 1,$(V)),V=1,-s) modules
	$(Q)touch $@
$(SHAPES_OTHER): shapes-flags := -DOTHER_BUILD
vm-shapes := sum switch again recursive tail locked labels static_call cold user called allocates
vm-shapes := $(vm-shapes:%=shapes_%) shapes_cold.cold run
shapes_every.at    := count $(vm-shapes)
shapes_clobber.at  := clobber $(vm-shapes)
shapes_early.at    := count shapes_early@1
shapes_exact.at    := count shapes_tail@1
shapes_gated.at    := gated shapes_tail@1
shapes_both.at     := count shapes_tail@1 kernel:set_normalized_timespec64@1
shapes_init.at     := count init_module cleanup_module shapes_tail@1
shapes_jump.at     := count shapes_switch@1
shapes_once.at     := once shapes_switch@1
shapes_ever.at     := once shapes_switch@1 cleanup_module@1
# This aspect is in two sections of the module. Every shadow in the second section is refused,
# because a static call's trampoline belongs to the kernel.
shapes_parts.at    := count shapes_tail@1 __SCT__shapes_callee@1
# This aspect is in the same two sections, but its advice is required, so a refusal makes the weave
# fail.
shapes_required.at := count shapes_tail@1 __SCT__shapes_callee@1
shapes_required.required := 1
shapes_none.at     := count shapes_tail@1
shapes_none.forge  := .module = 1
shapes_anchor.at   := count shapes_tail@1
shapes_anchor.forge := .anchor = 13
shapes_beyond.at   := count shapes_tail@1
shapes_beyond.forge := .size = 1 << 20
shapes_before.at   := count shapes_tail@1
shapes_before.forge := .anchor_offset = 0x7fff0000, .size = 0x7fffffff
shapes_size.at     := count shapes_tail@2
shapes_size.forge  := .size = 1
# A joinpoint of the kernel with an offset far beyond the kernel's text, where modules are loaded.
shapes_reach.at    := count kernel:set_normalized_timespec64@1
shapes_reach.reach := 0x40000000
# A joinpoint in the second of two modules that differ in one instruction only.
shapes_alike.at     := count alike_function
shapes_alike.module := $(O)/vm/modules/alike_two.ko
shapes-made       := $(O)/vm/modules/aspects
vm-shapes-names   := $(patsubst %.at,%,$(filter shapes_%.at,$(.VARIABLES)))
vm-shapes-aspects := $(vm-shapes-names:%=$(O)/vm/aspects/%.ko)
vm-shapes-sources := $(vm-shapes-names:%=$(shapes-made)/%.c)
$(vm-shapes-sources): $(shapes-made)/%.c: $(SHAPES) $(vm-dir)/module-aspect.sh \
		$(vm-dir)/cases/build.mk
	@mkdir -p $(@D)
	$(Q)FORGE="$($*.forge)" FORGE_REACH=$($*.reach) REQUIRED=$($*.required) \
		$(vm-dir)/module-aspect.sh $* $(KERNEL)/vmlinux $(or $($*.module),$(SHAPES)) \
			$($*.at) >$@
# One run of kbuild makes all modules of a folder, since each run takes about a second.
vm-make-aspects = $(KBUILD_ENV) make -j$(shell nproc) -C $(KERNEL) M=$(1) KCFLAGS= ASPECTS='$(2)' \
	KBUILD_EXTRA_SYMBOLS=$(1)/weft.symvers $(kmod-btf) $(if $(filter 1,$(V)),V=1,-s) modules
vm-make-needs := $(vm-dir)/modules/aspect.Kbuild $(KMOD_EXPORTS) $(RUNTIME_SRCS)
define vm-make-links
	@mkdir -p $(O)/vm/aspects
	$(Q)ln -sf $(abspath $(vm-dir)/modules/aspect.Kbuild) $(1)/Kbuild
	$(Q)ln -sfn $(O)/runtime $(1)/runtime
	$(Q)ln -sf $(O)/kmod/Module.symvers $(1)/weft.symvers
endef
$(vm-shapes-aspects) &: $(vm-shapes-sources) $(vm-make-needs)
	$(call say,KMODS,$(shapes-made))
	$(call vm-make-links,$(shapes-made))
	$(Q)$(call vm-make-aspects,$(shapes-made),$(vm-shapes-names))
	$(Q)cp $(vm-shapes-names:%=$(shapes-made)/%.ko) $(O)/vm/aspects/

# This aspect counts at every instruction of the function that a live patch brings.
replaced-made := $(O)/vm/nesting/aspects
$(O)/vm/aspects/replaced_every.ko: $(NESTING) $(vm-dir)/module-aspect.sh $(vm-make-needs)
	@mkdir -p $(replaced-made)
	$(call say,KMOD,$@)
	$(call vm-make-links,$(replaced-made))
	$(Q)$(vm-dir)/module-aspect.sh replaced_every $(KERNEL)/vmlinux \
		$(O)/vm/nesting/replaced.ko count replacement >$(replaced-made)/replaced_every.c
	$(Q)$(call vm-make-aspects,$(replaced-made),replaced_every)
	$(Q)cp $(replaced-made)/replaced_every.ko $@

# This goal builds only these modules, for another kernel (tests/kernels/run.sh).
.PHONY: vm-shapes
vm-shapes: $(vm-shapes-aspects) $(SHAPES_OTHER)

# These aspects are compiled from their sources, with a database that includes shapes.ko and the
# module of the live patch.
SHAPES_SOURCE := $(O)/vm/aspects/shapes_source.ko $(O)/vm/aspects/shapes_tags.ko
REPLACED_AROUND := $(O)/vm/aspects/replaced_around.ko
$(O)/vm/modules/shapes.weft: $(SHAPES) $(NESTING) $(WEFT) $(DB)
	$(call say,INDEX,$@)
	$(Q)cp $(DB) $@.new
	$(Q)$(WEFT) index --update $(KERNEL)/vmlinux $(SHAPES) $(O)/vm/nesting/replaced.ko \
		-o $@.new >/dev/null 2>&1
	$(Q)mv $@.new $@
$(REPLACED_AROUND): $(vm-dir)/modules/replaced_around.xml $(O)/vm/modules/shapes.weft \
		$(KMOD_EXPORTS) $(RUNTIME_SRCS)
	@mkdir -p $(@D)
	$(call say,ASPECT,$@)
	$(Q)$(WEFT) compile $< -d $(O)/vm/modules/shapes.weft --kernel $(KERNEL) \
		--modules $(O)/vm/nesting -o $@
$(SHAPES_SOURCE): $(O)/vm/aspects/%.ko: $(vm-dir)/modules/%.xml $(O)/vm/modules/shapes.weft \
		$(KMOD_EXPORTS) $(RUNTIME_SRCS)
	@mkdir -p $(@D)
	$(call say,ASPECT,$@)
	$(Q)$(WEFT) compile $< -d $(O)/vm/modules/shapes.weft --kernel $(KERNEL) \
		--modules $(O)/vm/modules -o $@

# Aspects that count in functions that only the module tests/vm/probed calls: at every instruction,
# and at every fifth. Two more count in system calls whose displaced instructions would break if the
# kernel optimized a kprobe at a certain instruction.
vm-probed := in4_pton in6_pton in_aton inet_pton_with_scope inet_addr_is_any dev_valid_name \
	time64_to_tm set_normalized_timespec64 mktime64 clocks_calc_mult_shift rtc_valid_tm
probed_all.at    := 1 $(vm-probed)
probed_fifth.at  := 5 $(vm-probed)
probed_branch.at := 1 __x64_sys_dup@8
probed_entry.at  := 1 __x64_sys_getcpu@1
vm-probed-aspects := $(patsubst %.at,$(O)/vm/aspects/%.xml,$(filter probed_%.at,$(.VARIABLES)))
vm-aspects += $(vm-probed-aspects)
$(vm-probed-aspects): $(vm-dir)/probed.sh $(vm-dir)/every-instruction.sh \
		$(vm-dir)/cases/build.mk | kernel
	@mkdir -p $(@D)
	$(Q)$< $(basename $(@F)) $$($(vm-dir)/kernel.sh path)/vmlinux $($(basename $(@F)).at) >$@
$(O)/vm/probed.all $(O)/vm/probed.fifth: $(O)/vm/probed.%: $(vm-dir)/probed.sh \
		$(vm-dir)/every-instruction.sh $(vm-dir)/cases/build.mk | kernel
	@mkdir -p $(@D)
	$(Q)$< --places $$($(vm-dir)/kernel.sh path)/vmlinux $(probed_$*.at) >$@
# Two aspects at every instruction of the functions in $(vm-probed): the advice of fault_places
# faults, that of fault_beside calls a C function.
vm-aspects += $(O)/vm/aspects/fault_places.xml $(O)/vm/aspects/fault_beside.xml
$(O)/vm/aspects/fault_places.xml: $(vm-dir)/fault-places.sh $(vm-dir)/every-instruction.sh \
		$(vm-dir)/aspects/fault_any.xml $(vm-dir)/cases/build.mk | kernel
	@mkdir -p $(@D)
	$(Q)$< fault_places $$($(vm-dir)/kernel.sh path)/vmlinux $(vm-dir)/aspects/fault_any.xml \
		$(vm-probed) >$@
$(O)/vm/aspects/fault_beside.xml: $(vm-dir)/every-instruction.sh $(vm-dir)/cases/build.mk | kernel
	@mkdir -p $(@D)
	$(Q)$< fault_beside $$($(vm-dir)/kernel.sh path)/vmlinux 'asm volatile("");' \
		$(vm-probed) >$@
PROBED := $(O)/vm/probed/probed.ko
$(PROBED): $(wildcard $(vm-dir)/probed/*.c) $(vm-dir)/probed/Kbuild | kernel
	@mkdir -p $(@D)
	$(call say,KMOD,$@)
	$(Q)ln -sf $(abspath $^) $(@D)/
	$(Q)$(KBUILD_ENV) make -C $(KERNEL) M=$(@D) KCFLAGS= $(if $(filter 1,$(V)),V=1,-s) modules
	$(Q)touch $@

# Aspects with mistakes in their advice that show only when the advice runs.
vm-abuses-list := tests/refuse/abuses.sh
vm-abuses := $(shell $(vm-abuses-list) rows run check | cut -d' ' -f1)
vm-abuse-aspects := $(vm-abuses:%=$(O)/vm/aspects/abuse_%.xml)
vm-aspects += $(vm-abuse-aspects)
$(vm-abuse-aspects): $(O)/vm/aspects/abuse_%.xml: $(vm-abuses-list)
	@mkdir -p $(@D)
	$(Q)$< xml $* >$@

# A program that is woven, and the aspects for it, which name it by its path.
SHOP := $(O)/vm/shop/shop
vm-shop-aspects := $(patsubst $(vm-dir)/processes/%,$(O)/vm/aspects/%,\
	$(wildcard $(vm-dir)/processes/*.xml))
vm-aspects += $(vm-shop-aspects)
$(SHOP): $(vm-dir)/processes/shop.c $(PLUGIN)
	@mkdir -p $(@D)
	$(call say,CC,$@)
	$(Q)$(CC) -O2 -g -fplugin=$(abspath $(PLUGIN)) -o $@ $<
$(vm-shop-aspects): $(O)/vm/aspects/%.xml: $(vm-dir)/processes/%.xml $(SHOP)
	@mkdir -p $(@D)
	$(Q)sed 's,@SHOP@,$(abspath $(SHOP)),' $< >$@

# Programs that others wrote, compiled with the plugin; and the aspects for them. apt fetches the
# sources, once (tests/vm/others/build.sh).
OTHERS := $(addprefix $(O)/vm/others-built/,sqlite3 nginx)
vm-others-aspects := $(patsubst $(vm-dir)/others/%,$(O)/vm/aspects/%,\
	$(wildcard $(vm-dir)/others/*.xml))
vm-aspects += $(vm-others-aspects)
$(OTHERS): $(O)/vm/others-built/%: $(vm-dir)/others/build.sh $(PLUGIN)
	$(call say,CC,$@)
	$(Q)$< $* $(PLUGIN) $@
$(vm-others-aspects): $(O)/vm/aspects/%.xml: $(vm-dir)/others/%.xml $(OTHERS)
	@mkdir -p $(@D)
	$(Q)sed 's,@SQLITE3@,$(abspath $(O)/vm/others-built/sqlite3),; s,@NGINX@,$(abspath \
		$(O)/vm/others-built/nginx),' $< >$@

# Fills the cache in which the guest's weft finds an aspect compiled when it weaves the aspect's
# source. weft uses no cache that another user could replace, and another user may be able to write
# in a folder above this tree. So the cache is filled in a temporary folder and copied.
vm-fill-cache = cache=$$(mktemp -d) && XDG_CACHE_HOME=$$cache $(1) >$@.new && \
	cp -r $$cache/weft $(@D)/ && rm -r $$cache && mv $@.new $@
$(O)/vm/cache/filled: $(vm-dir)/aspects/reads.xml $(vm-module-needs)
	@mkdir -p $(@D)
	$(call say,CACHE,$<)
	$(Q)export WEFT_DB=$(DB); $(call vm-fill-cache,$(WEFT) compile $< \
		--kernel $$($(vm-dir)/kernel.sh path))

$(O)/vm/cache/oneliners: $(vm-dir)/oneliners.sh $(vm-dir)/oneliners.txt docs/one-liners.md \
		docs/tutorial.md $(vm-module-needs)
	@mkdir -p $(@D)
	$(call say,CACHE,$(vm-dir)/oneliners.txt)
	$(Q)$(call vm-fill-cache,$< $(WEFT) $(DB) $$($(vm-dir)/kernel.sh path))

$(O)/vm/cache/ktrace: $(vm-dir)/oneliners.sh $(vm-dir)/ktrace.txt aspects/ktrace/ktrace.xml \
		$(vm-module-needs)
	@mkdir -p $(@D)
	$(call say,CACHE,$(vm-dir)/ktrace.txt)
	$(Q)$(call vm-fill-cache,$< $(WEFT) $(DB) $$($(vm-dir)/kernel.sh path) $(vm-dir)/ktrace.txt)

# A database with the build-id of another kernel, which weft must refuse.
$(O)/vm/aspects/other.weft: $(DB)
	@mkdir -p $(@D)
	$(call say,FAKE,$@)
	$(Q)cp $< $@ && sqlite3 $@ "UPDATE meta SET value = replace(value, \
		substr(value, 1, 4), '0123') WHERE key = 'build_id'"

# An aspect's module that is signed with a key that no kernel trusts.
STRANGER := $(O)/vm/stranger/entry_first.ko
$(STRANGER): $(vm-dir)/aspects/entry_first.xml $(vm-module-needs)
	@mkdir -p $(@D)
	$(call say,ASPECT,$@)
	$(Q)openssl req -new -x509 -nodes -days 36500 -newkey rsa:2048 -subj /CN=stranger \
		-keyout $(@D)/key -outform DER -out $(@D)/certificate 2>/dev/null
	$(Q)$(vm-compile) --sign-key $(@D)/key --sign-cert $(@D)/certificate $< -o $@

# Compiles the examples of the manual.
$(O)/vm/examples/made: docs/aspect-language.md $(vm-dir)/manual.sh tests/manual-examples.sh \
		$(vm-module-needs)
	$(call say,ASPECTS,$(@D))
	$(Q)$(vm-dir)/manual.sh $(WEFT) $(DB) $$($(vm-dir)/kernel.sh path) $(dir $(KMOD)) \
		$(@D) && touch $@

# lib.sh is not a case: every case sources it.
vm-cases := $(filter-out $(vm-dir)/cases/lib.sh,$(wildcard $(vm-dir)/cases/*.sh))

# `make check` always runs these cases, which together use every part of weaving. Of the others it
# runs a sixth, which the commit selects (tests/shares.mk).
vm-always     := $(addprefix $(vm-dir)/cases/,weave.sh hits.sh records.sh refusals.sh faults.sh \
	modules.sh kprobes.sh)
# The cases that take longest, the longest first, and those that need a guest of their own, are run
# alone. The others run one after the other in shared guests: there a suite's name is a list of
# cases with commas.
vm-longest    := $(addprefix $(vm-dir)/cases/,budget.sh flow.sh displaced.sh metrics.sh smp.sh \
	trust.sh metrics_time.sh fault_times.sh kill.sh force.sh manual.sh)
vm-rest       := $(filter-out $(vm-always) $(vm-longest),$(vm-cases))
vm-own        := $(shell grep -lE '^\# (vm\.sh|alone): ' $(vm-rest))
vm-long-cases := $(vm-dir)/cases/kprobes.sh $(call every-sixth,$(vm-longest))
vm-own-cases  := $(call every-sixth,$(vm-own))
vm-turn-cases := $(filter-out $(vm-long-cases),$(vm-always)) \
	$(call every-sixth,$(filter-out $(vm-own),$(vm-rest)))
vm-guests     := $(if $(filter all,$(SHARE)),6,3)
vm-turns      := $(shell printf '%s\n' $(vm-turn-cases) | \
	awk '{ turn[NR % $(vm-guests)] = turn[NR % $(vm-guests)] \
			(NR > $(vm-guests) ? "," : "") $$0 } \
		END { for (n in turn) print turn[n] }')

# `make check` builds only what its cases name (WEFT_NEEDS=check). Everything is built if all cases
# run, if a suite takes all aspects, and by vm-ready on its own. vm-words: the words of the cases,
# and the cases' own names; empty: everything is built. A word that ends with _, as nest_ does in
# $aspects/nest_$kind.ko, names all aspects that begin with it.
vm-takes-all := $(call in-share,check-oracle-branches)
ifneq ($(WEFT_NEEDS),check)
vm-takes-all := all
endif
comma        := ,
vm-chosen    := $(subst $(comma), ,$(vm-long-cases) $(vm-own-cases) $(vm-turns))
vm-words     := $(if $(vm-takes-all),,$(notdir $(vm-chosen)) \
	$(shell grep -ohE '[a-z][a-z0-9_]*' $(vm-dir)/cases/lib.sh $(vm-chosen) | sort -u))
vm-beginning := $(addsuffix %,$(filter %_,$(vm-words)))
# $(call vm-if,WORD...,TARGET...): the targets, if vm-words has one of the words.
vm-if         = $(if $(vm-words),$(if $(filter $(1),$(vm-words)),$(2)),$(2))
# $(call vm-named,FILE...): those of the aspects that the cases name.
vm-named      = $(if $(vm-words),$(foreach file,$(1),$(if $(filter \
	$(vm-words) $(vm-beginning),$(basename $(notdir $(file)))),$(file))),$(1))

# Makes the modules anew that exist in the build folder though this run does not need them, such as
# those of benchmarks. Otherwise they would no longer fit weft.ko, and nothing would report it.
vm-module    = $(O)/vm/aspects/$(basename $(notdir $(1))).ko
vm-made     := $(filter-out $(foreach aspect,$(vm-aspects),$(call vm-module,$(aspect))),\
	$(wildcard $(O)/vm/aspects/*.ko))

# One run of kbuild makes all other modules, which is more than twice as fast as one run for each.
# It makes those whose aspect has changed or that are missing, or all of them if anything else that
# they depend on has changed.
vm-together := $(call vm-named,$(filter-out \
	$(vm-alone:$(O)/vm/aspects/%.ko=$(vm-dir)/aspects/%.xml),$(vm-aspects)))
vm-absent   := $(foreach aspect,$(vm-together),\
	$(if $(wildcard $(call vm-module,$(aspect))),,$(aspect)))
vm-changed   = $(if $(filter-out %.xml FORCE,$?),$(vm-together),$(filter %.xml,$?) $(vm-absent))
.PHONY: FORCE
# The stamp's name has a checksum of the names, so that a stamp says nothing of other modules.
vm-made-stamp := $(O)/vm/aspects/made$(if $(vm-words),-$(shell \
	echo $(notdir $(vm-together)) | cksum | cut -d ' ' -f 1))
$(vm-made-stamp): $(vm-together) $(vm-module-needs) $(if $(vm-absent),FORCE)
	@mkdir -p $(@D)
	$(call say,ASPECTS,$(@D))
	$(Q)$(if $(strip $(vm-changed)),$(vm-compile) $(sort $(vm-changed)) -o $(@D))
	$(Q)touch $@

# An aspect with the build-id of another kernel, which weft must refuse.
$(O)/vm/aspects/other_kernel.ko: $(vm-made-stamp)
	$(call say,FAKE,$@)
	$(Q)$(vm-dir)/fake-build-id.sh $(@D)/log_skb_destructor.ko $@

# The goal builds what the README's transcript needs.
.PHONY: demo-ready
demo-ready: kernel $(WEFT) $(KMOD) $(RECIPE) $(DB) $(O)/vm/programs/traffic

# The goal builds the aspects that are shipped, for `make vm`.
.PHONY: vm-shipped
vm-shipped: $(patsubst aspects/%.xml,$(O)/vm/aspects/%.ko,$(wildcard aspects/*.xml))

.PHONY: vm-ready
vm-ready: all kernel $(KMOD) $(KMOD_DEBUG) $(vm-programs) $(vm-made-stamp) \
	$(call vm-named,$(vm-alone)) $(vm-made) $(call vm-if,manual.sh,$(O)/vm/examples/made) \
	$(NESTING) $(PROBED) $(O)/vm/probed.all $(O)/vm/probed.fifth \
	$(call vm-if,shapes,$(vm-shapes-aspects) $(SHAPES_OTHER) $(SHAPES_SOURCE)) \
	$(call vm-named,$(O)/vm/aspects/replaced_every.ko $(REPLACED_AROUND)) \
	$(call vm-if,callers.sh flow.sh hotplug.sh,$(O)/vm/plans) \
	$(call vm-if,displaced.sh flow.sh,$(O)/vm/flow.blocks) \
	$(O)/vm/cache/filled $(call vm-if,oneliners.sh,$(O)/vm/cache/oneliners) \
	$(call vm-if,ktrace.sh,$(O)/vm/cache/ktrace) \
	$(O)/vm/aspects/other_kernel.ko $(O)/vm/aspects/other.weft \
	$(call vm-if,enforced.sh,$(STRANGER))

#help   check-guest   the cases in the guest (2); CASES=... for some
CASES ?= $(vm-cases)
#help   bench-kprobes  kprobes and splices at every instruction of the same functions, for ten
#help                 minutes (2)
.PHONY: bench-kprobes
bench-kprobes: vm-ready
	$(Q)WEFT_KPROBES_SECONDS=600 $(vm-dir)/run-cases.sh $(vm-dir)/cases/kprobes.sh
#help   bench-modules  200 rounds of load, weave, unweave, unload of a module under traffic (2)
.PHONY: bench-modules
bench-modules: all kernel $(KMOD_DEBUG) $(vm-programs) vm-shapes
	$(Q)WEFT_MODULE_ROUNDS=200 WEFT_CASE_SECONDS=14400 \
		$(vm-dir)/run-cases.sh $(vm-dir)/cases/modules.sh
#help   bench-faults  10,000 faults of each kind in each context; the time it takes to disable (2)
.PHONY: bench-faults
bench-faults: vm-ready
	$(Q)WEFT_FAULTS=10000 $(vm-dir)/run-cases.sh $(vm-dir)/cases/fault_times.sh \
		$(vm-dir)/cases/faults_everywhere.sh
.PHONY: check-guest
check-guest: vm-ready
	$(Q)$(vm-dir)/run-cases.sh $(CASES)
