// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Shows why vm.sh's emulated processors have no cmpxchg16b: after it, QEMU 7.2 may have wrong
 * flags. QEMU does not compute flags at each instruction. It keeps the operands, and a variable
 * that says which operation they are from, and computes the flags when they are needed. It also
 * writes this variable as late as it can. The code that emulates cmpxchg16b reads the variable too
 * early, while it still has an old value, which may say that the kept operand is the flags. Then
 * all bits of an operand of `add` become flags, the trap flag and the direction flag among them.
 * Code that only asks whether the exchange was made does not notice. But if a trap or an interrupt
 * comes before the next arithmetic instruction, the wrong flags are saved on the stack and restored
 * from it. SLUB allocates with cmpxchg16b: after a trap there, the kernel single-stepped itself,
 * copied backwards, and crashed.
 *
 * Exits with 1 if there are flags that the processor cannot have had. What it prints:
 * vm.sh --cpu max,la57=off,+cx16 flags: 0x7ffffeff, which is an operand
 * on a processor: 0x242
 */
#include <cpuid.h>
#include <stdint.h>
#include <stdio.h>

/*
 * Flags that may be set in user space: arithmetic flags, ID, AC, IF, and a bit that is always set.
 * The trap and direction flags are clear here.
 */
enum { POSSIBLE = 0x200000 | 0x40000 | 0x8d5 | 0x200 | 0x2 };

static uint64_t flags_after_cmpxchg16b(void)
{
	static unsigned __int128 cell;
	uint64_t flags;

	/*
	 * popfq makes QEMU write the variable with an operation that says that the operand is the
	 * flags. The jump ends a block of code that QEMU translates at once. The load between add
	 * and xor makes QEMU write the operand.
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
