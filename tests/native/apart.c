// SPDX-License-Identifier: GPL-2.0-or-later
/* Runs work in child processes and compares registers (declared in apart.h). */
#include <err.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "apart.h"
#include "trap-flag.h"

/* The flags that are compared are the arithmetic ones and the direction flag. */
enum { CHILD_SECONDS = 600, FLAGS_COMPARED = 0xcd5 };

void *apart_shared(size_t size)
{
	void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE,
			    MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (memory == MAP_FAILED)
		err(2, "shared memory");
	return memory;
}

/*
 * Redirects stderr to /dev/null. It does not close stderr, because the next file that is opened
 * would then get number 2, and messages would be written to that file.
 */
static void silence(void)
{
	int nowhere = open("/dev/null", O_WRONLY);

	if (nowhere < 0 || dup2(nowhere, STDERR_FILENO) < 0 || close(nowhere))
		_exit(2);
}

/* Limits processor time and not wall-clock time, which depends on what else the machine does. */
static void limit_time(void)
{
	const struct rlimit limit = { .rlim_cur = CHILD_SECONDS, .rlim_max = CHILD_SECONDS };

	if (setrlimit(RLIMIT_CPU, &limit))
		_exit(2);
}

int apart_child(void (*run)(const struct work *work), const struct work *work, bool quiet)
{
	static const int fatal[] = { SIGSEGV, SIGILL, SIGFPE, SIGBUS, SIGABRT };
	pid_t child = fork();
	int status;

	if (!child) {
		/*
		 * With the inherited handlers of cmocka, a signal would let this child go on with
		 * the parent's tests.
		 */
		for (size_t i = 0; i < sizeof(fatal) / sizeof(fatal[0]); i++)
			signal(fatal[i], SIG_DFL);
		if (quiet)
			silence();
		limit_time();
		run(work);
		_exit(0);
	}
	if (child < 0 || waitpid(child, &status, 0) != child)
		err(2, "child");
	return status;
}

/*
 * Returns whether the register has the same value in both frames. SYSCALL copies the flags to r11,
 * so r11 may differ in undefined flags and in the trap flag, which is set in a child that is
 * stepped.
 */
static bool is_same(unsigned int reg, uint64_t a, uint64_t b, struct undefined undefined)
{
	return a == b || (reg == WR_R11 && !((a ^ b) & ~(uint64_t)(FLAG_TRAP | undefined.r11)));
}

uint32_t apart_differing(const struct weft_frame *a, const struct weft_frame *b, uint32_t live,
			 struct undefined undefined)
{
	uint32_t differ = 0;

	for (unsigned int reg = 0; reg < WR_NR_REGISTERS; reg++)
		if ((live | WR_BIT(WR_RSP)) & WR_BIT(reg) &&
		    !is_same(reg, a->reg[reg], b->reg[reg], undefined))
			differ |= WR_BIT(reg);
	if (live & WR_BIT(WR_FLAGS) && (a->flags ^ b->flags) & FLAGS_COMPARED & ~undefined.flags)
		differ |= WR_BIT(WR_FLAGS);
	return differ;
}

uint32_t apart_leftover(uint64_t address)
{
	enum { REX_FIRST = 0x40, REX_LAST = 0x4f, REX_B = 1, REX_R = 4, POP = 0x58, REGISTERS = 8,
	       LOAD = 0x8b, WITH_SIB = 4, SIB_RSP = 0x24 };
	const uint8_t *bytes = (const uint8_t *)(uintptr_t)address;
	uint8_t rex = *bytes >= REX_FIRST && *bytes <= REX_LAST ? *bytes++ : 0;

	if (*bytes >= POP && *bytes < POP + REGISTERS)
		return WR_BIT(*bytes - POP + (rex & REX_B ? REGISTERS : 0));
	if (*bytes == LOAD && (bytes[1] & 7) == WITH_SIB && bytes[1] >> 6 != 3 &&
	    bytes[2] == SIB_RSP)
		return WR_BIT((bytes[1] >> 3 & 7) + (rex & REX_R ? REGISTERS : 0));
	return 0;
}

/*
 * The stack of apart_run(). Tests read some bytes above the stack pointer; because of MARGIN such
 * bytes exist above the first frame, too.
 */
enum { MARGIN = 256 };
static char stack[(1 << 20) + MARGIN] __attribute__((aligned(16)));
char *const apart_stack_end = stack + sizeof(stack) - MARGIN;
void *apart_caller;

asm(".text\n"
    ".globl apart_run\n"
    "apart_run:	push %rbx\n"
    "		push %rbp\n"
    "		push %r12\n"
    "		push %r13\n"
    "		push %r14\n"
    "		push %r15\n"
    "		mov %rsp, apart_caller(%rip)\n"
    "		mov apart_stack_end(%rip), %rsp\n"
    "		mov %rdi, %rax\n"
    "		mov %esi, %edi\n"
    "		xor %ebx, %ebx\n"
    "		xor %ecx, %ecx\n"
    "		xor %edx, %edx\n"
    "		xor %esi, %esi\n"
    "		xor %ebp, %ebp\n"
    "		xor %r8d, %r8d\n"
    "		xor %r9d, %r9d\n"
    "		xor %r10d, %r10d\n"
    "		xor %r11d, %r11d\n"
    "		xor %r12d, %r12d\n"
    "		xor %r13d, %r13d\n"
    "		xor %r14d, %r14d\n"
    "		xor %r15d, %r15d\n"
    "		call *%rax\n"
    "		mov apart_caller(%rip), %rsp\n"
    "		pop %r15\n"
    "		pop %r14\n"
    "		pop %r13\n"
    "		pop %r12\n"
    "		pop %rbp\n"
    "		pop %rbx\n"
    "		ret\n");
