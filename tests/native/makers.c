// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Imitates the processors of several makers; see makers.h. An instruction may leave status flags
 * undefined, and what they contain then differs from maker to maker. After each instruction the
 * process gets a signal, whose handler finds the flags that the instruction left undefined, and
 * keeps, clears or sets them. The handler allocates nothing, and calls no function of a library,
 * because such functions may be woven.
 */
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include "x86/status-flags.h"
#include "makers.h"

const char *const maker_names[MAKERS] = {
	"this one", "one that keeps", "one that clears", "one that sets",
};

/*
 * A hash table of decoded instructions by their address, which is 0 in a free entry. The text must
 * not change while the table is used.
 */
static struct known {
	uint64_t address;
	struct wv_flag_effects effects;
	bool syscall;
} known[1 << 19];

static struct {
	struct wv_decoder *decoder; /* Decodes the instructions. */
	enum maker maker; /* The processor that is emulated. */
	uint16_t taken; /* The flags of makers_begin()'s parameter of that name. */
	struct undefined undefined; /* The flags that are undefined now. */
	/* The instruction that is being stepped, and the flags and rcx before it. */
	const struct known *last;
	uint64_t flags, rcx;
	uint64_t r11; /* r11 after the last system call. */
} now;

void makers_begin(struct wv_decoder *decoder, enum maker maker, uint16_t taken)
{
	now.decoder = decoder;
	now.maker = maker;
	now.taken = taken;
}

enum { INSN_MAX = 15, PAGE = 4096 };

static void fill(struct known *entry, uint64_t address)
{
	static const uint8_t syscall_bytes[] = { 0x0f, 0x05 };
	const uint8_t *bytes = (const uint8_t *)(uintptr_t)address;
	/*
	 * An instruction may end before a page that is not mapped, so bytes beyond the page are
	 * read only if needed.
	 */
	const size_t room = PAGE - address % PAGE, n = room < INSN_MAX ? room : INSN_MAX;

	entry->address = address;
	if (!wv_decode_flags(now.decoder, bytes, n, address, &entry->effects) &&
	    !wv_decode_flags(now.decoder, bytes, INSN_MAX, address, &entry->effects))
		/* The decoder does not know the instruction. */
		entry->effects = (struct wv_flag_effects){ 0 };
	entry->syscall = n >= sizeof(syscall_bytes) &&
			 !memcmp(bytes, syscall_bytes, sizeof(syscall_bytes));
}

static const struct known *find(uint64_t address)
{
	const size_t size = sizeof(known) / sizeof(known[0]);
	size_t at = address * 0x9e3779b97f4a7c15 >> 32;

	for (size_t i = 0; i < size; i++) {
		struct known *entry = &known[(at + i) % size];

		if (!entry->address)
			fill(entry, address);
		if (entry->address == address)
			return entry;
	}
	_exit(2); /* The table is full: half a million different instructions. */
}

static uint64_t make_flags(uint64_t flags, uint16_t undefined)
{
	switch (now.maker) {
	case MAKER_KEEPS:
		return (flags & ~undefined) | (now.flags & undefined);
	case MAKER_CLEARS:
		return flags & ~undefined;
	case MAKER_SETS:
		return flags | undefined;
	default:
		return flags;
	}
}

/*
 * Changes the flags after the last instruction to those that the emulated processor (now.maker)
 * would leave, and keeps track of which are undefined.
 */
static void finish(greg_t *registers)
{
	struct wv_flag_effects effects = now.last->effects;

	wv_flag_effects_counted(&effects, now.rcx);
	effects.undefined |= effects.defined & now.taken;
	effects.defined &= ~effects.undefined;
	registers[REG_EFL] = make_flags(registers[REG_EFL], effects.undefined);
	now.undefined.flags = (now.undefined.flags & ~effects.defined) | effects.undefined;
	if (now.last->syscall) {
		now.undefined.r11 = now.undefined.flags;
		now.r11 = registers[REG_R11];
	}
	if (registers[REG_R11] != (greg_t)now.r11)
		now.undefined.r11 = 0;
}

struct undefined makers_step(ucontext_t *context)
{
	greg_t *registers = context->uc_mcontext.gregs;

	if (now.last)
		finish(registers);
	now.last = find(registers[REG_RIP]);
	now.flags = registers[REG_EFL];
	now.rcx = registers[REG_RCX];
	return now.undefined;
}
