// SPDX-License-Identifier: GPL-2.0-or-later
/* Gives each thread a struct cpu (declared in cpu.h). */
#include <asm/prctl.h>
#include <err.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "cpu.h"
#include "runtime/trampoline.h"

struct cpu *cpu_create(void)
{
	struct cpu *cpu = mmap(NULL, sizeof(*cpu), PROT_READ | PROT_WRITE,
			       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (cpu == MAP_FAILED || syscall(SYS_arch_prctl, ARCH_SET_GS, cpu))
		err(2, "per-thread variables");
	cpu->preempt_count = NOT_IDLE;
	cpu->guard = WR_GUARD_IDLE;
	cpu->self = cpu;
	cpu->seed = 1;
	return cpu;
}

void cpu_destroy(struct cpu *cpu)
{
	munmap(cpu, sizeof(*cpu));
}

void cpu_reset(struct cpu *cpu)
{
	memset(cpu->counts, 0, sizeof(cpu->counts));
	cpu->trapped = 0;
}
