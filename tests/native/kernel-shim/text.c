// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Writes the text of woven libraries, which stands for kernel text. The text is in a file of memory
 * that is mapped twice. Where it runs it is executable and cannot be written. At another address,
 * the alias, it can be written and is not executable. vmap() adds one more mapping.
 */
#include <err.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/unexported.h"
#include "kernel-shim/text.h"
#include "text/module-text.h"

enum { TEXTS_MAX = 4, INT3 = 0xcc, JUMP = 0xe9, JUMP_SIZE = 5 };

static struct text {
	unsigned long start; /* The address where the text runs. */
	size_t size; /* The size of the text in bytes. */
	int file; /* The file that is mapped. */
	u8 *alias; /* The writable mapping of the whole text. */
} texts[TEXTS_MAX];

static unsigned int nr_texts;

void shim_text_add(unsigned long start, size_t size)
{
	struct text *text = &texts[nr_texts++];
	unsigned long first = start & PAGE_MASK;

	if (nr_texts > TEXTS_MAX)
		errx(2, "more than %d texts", TEXTS_MAX);
	text->start = first;
	text->size = PAGE_ALIGN(start + size) - first;
	text->file = memfd_create("text", 0);
	if (text->file < 0 || ftruncate(text->file, text->size))
		err(2, "text");
	text->alias = mmap(NULL, text->size, PROT_READ | PROT_WRITE, MAP_SHARED, text->file, 0);
	if (text->alias == MAP_FAILED)
		err(2, "text");
	memcpy(text->alias, (void *)first, text->size);
	if (mmap((void *)first, text->size, PROT_READ | PROT_EXEC, MAP_SHARED | MAP_FIXED,
		 text->file, 0) == MAP_FAILED)
		err(2, "text");
}

void shim_text_deinit(void)
{
	for (struct text *text = texts; text < texts + nr_texts; text++) {
		if (mmap((void *)text->start, text->size, PROT_READ | PROT_WRITE | PROT_EXEC,
			 MAP_PRIVATE | MAP_FIXED, text->file, 0) == MAP_FAILED)
			err(2, "text");
		munmap(text->alias, text->size);
		close(text->file);
	}
	nr_texts = 0;
}

/* Says that an address is in no module: for weft.ko's code the libraries are vmlinux. */
unsigned long wk_module_text_end(unsigned long address)
{
	return 0;
}

static const struct text *text_at(unsigned long address)
{
	for (const struct text *text = texts; text < texts + nr_texts; text++)
		if (address - text->start < text->size)
			return text;
	return NULL;
}

/* ---- functions that write text at once ------------------------------------------------------- */

/* A pointer to a struct page is the address of the page. */
struct page *virt_to_page(const void *address)
{
	return (struct page *)((unsigned long)address & PAGE_MASK);
}

static size_t mapped_size;

static bool is_text(const struct page *page, const struct text *text)
{
	return (unsigned long)page - text->start < text->size;
}

/*
 * Maps pages of text at another address, where they can be written. Only one such mapping exists at
 * a time. Pages that are not text are left out.
 */
void *vmap(struct page **pages, unsigned int n, unsigned long flags, int protection)
{
	u8 *base = mmap(NULL, n * PAGE_SIZE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
			-1, 0);

	if (base == MAP_FAILED)
		err(2, "mapping of text");
	mapped_size = n * PAGE_SIZE;
	for (unsigned int i = 0, end; i < n; i = end) {
		const struct text *text = text_at((unsigned long)pages[i]);

		end = i + 1;
		if (!text)
			continue;
		while (end < n && is_text(pages[end], text))
			end++;
		if (mmap(base + i * PAGE_SIZE, (end - i) * PAGE_SIZE, PROT_READ | PROT_WRITE,
			 MAP_SHARED | MAP_FIXED, text->file,
			 (unsigned long)pages[i] - text->start) == MAP_FAILED)
			err(2, "mapping of text");
	}
	return base;
}

void vunmap(const void *base)
{
	munmap((void *)base, mapped_size);
}

/*
 * Writes to text through its alias. Any other address is in a trampoline, whose own mapping is made
 * writable for a moment: no attacker has to be kept out here.
 */
void *text_poke(void *address, const void *bytes, size_t size)
{
	unsigned long at = (unsigned long)address, page = at & PAGE_MASK;
	size_t pages = PAGE_ALIGN(at + size) - page;
	const struct text *text = text_at(at);

	if (text) {
		memcpy(text->alias + (at - text->start), bytes, size);
		return address;
	}
	if (mprotect((void *)page, pages, PROT_READ | PROT_WRITE | PROT_EXEC))
		err(2, "trampoline");
	memcpy(address, bytes, size);
	if (mprotect((void *)page, pages, PROT_READ | PROT_EXEC))
		err(2, "trampoline");
	return address;
}

/* ---- functions that write text while CPUs run it --------------------------------------------- */

enum { QUEUE_MAX = 256 };

static struct poke {
	unsigned long address; /* The address to be written. */
	/* Where a CPU goes on if it meets the int3 before the write is complete. */
	unsigned long target;
	u8 bytes[JUMP_SIZE]; /* The bytes to be written. */
	u8 size; /* How many of them. */
} queue[QUEUE_MAX];

static unsigned int nr_queued;
/* The number of entries of queue[], from queue[0] on, whose text may begin with an int3. */
static atomic_uint nr_poked;

bool shim_poke_int3(struct pt_regs *regs)
{
	unsigned int n = atomic_load(&nr_poked);

	for (unsigned int i = 0; i < n; i++) {
		if (queue[i].address != regs->ip - 1)
			continue;
		int3_emulate_jmp(regs, queue[i].target);
		return true;
	}
	return false;
}

static unsigned long target_of(unsigned long address, const u8 *jump)
{
	s32 distance;

	if (jump[0] != JUMP)
		shim_bug("%p: only a jump can be emulated\n", (void *)address);
	memcpy(&distance, jump + 1, sizeof(distance));
	return address + JUMP_SIZE + distance;
}

void text_poke_queue(void *address, const void *bytes, size_t size, const void *emulate)
{
	struct poke *poke;

	if (size != JUMP_SIZE)
		shim_bug("%p: not the size of a jump\n", address);
	/* Like the kernel's queue, which is searched by bisection, this one must ascend. */
	if (nr_queued == QUEUE_MAX ||
	    (nr_queued && queue[nr_queued - 1].address >= (unsigned long)address))
		text_poke_finish();
	poke = &queue[nr_queued++];
	poke->address = (unsigned long)address;
	poke->size = size;
	poke->target = target_of(poke->address, emulate ? emulate : bytes);
	memcpy(poke->bytes, bytes, size);
}

void text_poke_finish(void)
{
	static const u8 int3 = INT3;

	if (!nr_queued)
		return;
	atomic_store(&nr_poked, nr_queued);
	for (const struct poke *poke = queue; poke < queue + nr_queued; poke++)
		text_poke((void *)poke->address, &int3, sizeof(int3));
	text_poke_sync();
	for (const struct poke *poke = queue; poke < queue + nr_queued; poke++)
		text_poke((void *)(poke->address + 1), poke->bytes + 1, poke->size - 1);
	text_poke_sync();
	for (const struct poke *poke = queue; poke < queue + nr_queued; poke++)
		text_poke((void *)poke->address, poke->bytes, 1);
	text_poke_sync();
	atomic_store(&nr_poked, 0);
	nr_queued = 0;
}

/* ---- the kernel's functions and variables that weft.ko finds by name ------------------------- */

static DEFINE_MUTEX(text_mutex);
static DEFINE_MUTEX(kprobe_mutex);
static struct hlist_head kprobes;

void register_kprobe(struct kprobe *probe)
{
	mutex_lock(&kprobe_mutex);
	hlist_add_head_rcu(&probe->hlist, &kprobes);
	mutex_unlock(&kprobe_mutex);
}

void unregister_kprobe(struct kprobe *probe)
{
	mutex_lock(&kprobe_mutex);
	hlist_del_rcu(&probe->hlist);
	mutex_unlock(&kprobe_mutex);
}

static struct kprobe *get_kprobe(void *address)
{
	struct kprobe *probe;

	hlist_for_each_entry(probe, &kprobes, hlist)
		if (probe->addr == address)
			return probe;
	return NULL;
}

pte_t *lookup_address(unsigned long address, unsigned int *level)
{
	static pte_t writable = { _PAGE_RW };

	*level = 1;
	return &writable;
}

/*
 * Defines the pointers that wk_call() calls through. set_calls() sets those that are used here; the
 * others stay NULL, as in a kernel that lacks the function.
 */
#define SHIM_CALL(type, name, parameters) wk_type_##name *shim_static_call_wk_##name;
WK_REQUIRED_FUNCTIONS(SHIM_CALL)
WK_OPTIONAL_FUNCTIONS(SHIM_CALL)
#undef SHIM_CALL

static void __attribute__((constructor)) set_calls(void)
{
	shim_static_call_wk_text_poke = text_poke;
	shim_static_call_wk_text_poke_sync = text_poke_sync;
	shim_static_call_wk_text_poke_queue = text_poke_queue;
	shim_static_call_wk_text_poke_finish = text_poke_finish;
	shim_static_call_wk_text_alloc = execmem_alloc;
	shim_static_call_wk_text_free = execmem_free;
	shim_static_call_wk_set_memory_ro = set_memory_ro;
	shim_static_call_wk_set_memory_x = set_memory_x;
	shim_static_call_wk_get_kprobe = get_kprobe;
}

/* Sets only the members that are used here. live_init() sets the addresses of the text. */
struct wk_unexported wk_unexported = {
	.text_mutex = &text_mutex,
	.kprobe_mutex = &kprobe_mutex,
	.kprobes = &kprobes,
	.kprobe_lists = 1,
};
