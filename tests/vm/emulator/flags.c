// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Why vm.sh's emulated processors have no cmpxchg16b: QEMU 7.2 returns wrong flags from it. Which
 * operation flags are to be computed from it keeps in a variable that it writes late, and the
 * helper of cmpxchg16b reads the variable as it was: `add` has left its operand where flags would
 * be, and all of the operand's bits are flags then, the trap flag and the direction flag among
 * them. Nobody sees them who only asks whether the exchange was made; who traps, or is interrupted,
 * before the next arithmetic gets them back from the stack. SLUB allocates with cmpxchg16b: a trap
 * behind it made the kernel step, and copy backwards, and it crashed.
 *
 * Exits 1 when flags come that the processor cannot have had.
 *	vm.sh --cpu max,la57=off,+cx16 flags	0x7ffffeff, an operand
 *	on a processor				0x242
 */
#include <cpuid.h>
#include <stdint.h>
#include <stdio.h>

/*
 * What user space may have: arithmetic flags, ID, IF, and a bit that is always set. The trap and
 * direction flags are clear here.
 */
enum { POSSIBLE = 0x200000 | 0x40000 | 0x8d5 | 0x200 | 0x2 };

static uint64_t flags_after_cmpxchg16b(void)
{
	static unsigned __int128 cell;
	uint64_t flags;

	/*
	 * popfq has the flags' operation written, the jump ends a translation, the load between add
	 * and xor has the operand written.
	 */
	asm volatile("xor %%eax, %%eax\n\t"
		     "xor %%edx, %%edx\n\t"
		     "xor %%ebx, %%ebx\n\t"
		     "xor %%ecx, %%ecx\n\t"
		     "mov $0x7ffffeff, %%r10d\n\t"
		     "mov $5, %%r9d\n\t"
		     "pushfq\n\t"
		     "popfq\n\t"
		     "jmp 1f\n"
		     "1:\n\t"
		     "add %%r10, %%r9\n\t"
		     "xor %1, %%r9\n\t"
		     "cmpxchg16b %1\n\t"
		     "pushfq\n\t"
		     "pop %0"
		     : "=r"(flags), "+m"(cell)
		     :
		     : "rax", "rbx", "rcx", "rdx", "r9", "r10", "cc", "memory");
	return flags;
}

int main(void)
{
	unsigned int a, b, c, d;
	uint64_t flags;

	if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & bit_CMPXCHG16B)) {
		puts("no cmpxchg16b");
		return 0;
	}
	flags = flags_after_cmpxchg16b();
	printf("%#llx\n", (unsigned long long)flags);
	return (flags & ~(uint64_t)POSSIBLE) != 0;
}
