// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The CPUs and grace periods of the process (declared in cpu.h).
 *
 * In a kernel, an interrupt of all CPUs serialises them and waits for those in the int3 handler,
 * which runs with interrupts off. Here membarrier() serialises, and a signal takes the place of the
 * interrupt. A thread that met an int3 before the signal may be on its way to the SIGTRAP handler,
 * in it, or on its way back. SIGTRAP is caused by the thread itself, so Linux delivers it before
 * any other signal, and its handler blocks all others. So a thread that has answered the later
 * signal has left the SIGTRAP handler.
 *
 * Some of these signals also preempt the thread: the signal handler stands still for a while. A
 * thread that is in the middle of displaced instructions is always preempted, because optimizing
 * has to wait for such a thread, and the test shows whether it does.
 */
#include <err.h>
#include <linux/futex.h>
#include <linux/membarrier.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#include "base/unexported.h"
#include "kernel-shim/cpu.h"
#include "kernel-shim/text.h"
#include "splice/splice.h"

enum { CPUS_MAX = 8 };

static struct shim_cpu {
	pthread_t thread; /* The thread that acts as this CPU. */
	atomic_bool up; /* Set while the thread is a CPU. */
	atomic_uint answered; /* The number of the last interrupt that this CPU has answered. */
	atomic_ulong passes; /* How often the thread has called shim_cpu_quiescent(). */
	atomic_ulong ip; /* Where the thread was preempted last. */
	unsigned int interrupted; /* Counts interrupts: one in PREEMPTS preempts the thread. */
	bool stands; /* Set while the thread is preempted. */
} cpus[CPUS_MAX];

__thread struct task_struct shim_task;

static __thread struct shim_cpu *this;
static atomic_uint interrupts;
static atomic_bool preempting; /* If set, the next interrupt preempts every thread that gets it. */
static pthread_rwlock_t hotplug = PTHREAD_RWLOCK_INITIALIZER;

bool shim_no_grace;
unsigned long shim_syncs, shim_grace_periods;

static void futex(atomic_uint *word, int operation, unsigned int value)
{
	syscall(SYS_futex, word, operation, value, NULL, NULL, 0);
}

static u64 now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec * 1000000000ull + time.tv_nsec;
}

/*
 * Lets the thread stand still, as a task that is preempted in a displaced range, in a trampoline or
 * in advice while other tasks run on its CPU. Returns after some more interrupts, or after a
 * limited time. It is called in the signal handler; the thread has answered that signal, and
 * answers further ones while it stands.
 */
static void stand(void)
{
	enum { SYNCS = 12, NS = 50000000, NAP_NS = 20000 };
	const struct timespec nap = { .tv_nsec = NAP_NS };
	unsigned int from = atomic_load(&interrupts);
	u64 until = now() + NS;
	sigset_t interrupt, before;

	sigemptyset(&interrupt);
	sigaddset(&interrupt, SHIM_INTERRUPT);
	pthread_sigmask(SIG_UNBLOCK, &interrupt, &before);
	while (atomic_load(&interrupts) - from < SYNCS && now() < until)
		nanosleep(&nap, NULL);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
}

/* Returns whether @ip is in the displaced range of a splice, after its first byte. */
static bool is_inside(unsigned long ip)
{
	for (unsigned int i = 1; i < WEFT_DISPLACED_MAX; i++) {
		const struct wk_splice *splice = wk_splice_find(ip - i);

		if (splice)
			return i < splice->length;
	}
	return false;
}

/* Handles the signal that stands for the interrupt. It calls no function that may be woven. */
static void answer(int signal_number, siginfo_t *info, void *data)
{
	enum { PREEMPTS = 8 };
	const ucontext_t *context = data;
	unsigned long ip = context->uc_mcontext.gregs[REG_RIP];
	int saved = errno;

	if (!this->stands)
		atomic_store(&this->ip, ip);
	atomic_store(&this->answered, atomic_load(&interrupts));
	futex(&this->answered, FUTEX_WAKE_PRIVATE, CPUS_MAX);
	if (!this->stands &&
	    (atomic_load(&preempting) || ++this->interrupted % PREEMPTS == 0 || is_inside(ip))) {
		this->stands = true;
		stand();
		this->stands = false;
	}
	errno = saved;
}

static struct shim_cpu *find_unused(void)
{
	for (struct shim_cpu *cpu = cpus; cpu < cpus + CPUS_MAX; cpu++)
		if (!atomic_load(&cpu->up))
			return cpu;
	errx(2, "more than %d CPUs", CPUS_MAX);
}

void shim_cpu_up(void)
{
	const struct sigaction action = { .sa_sigaction = answer,
					  .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART };

	if (syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED_SYNC_CORE, 0, 0) ||
	    sigaction(SHIM_INTERRUPT, &action, NULL))
		err(2, "CPU");
	pthread_rwlock_wrlock(&hotplug);
	this = find_unused();
	this->thread = pthread_self();
	atomic_store(&this->up, true);
	pthread_rwlock_unlock(&hotplug);
}

void shim_cpu_down(void)
{
	pthread_rwlock_wrlock(&hotplug);
	atomic_store(&this->up, false);
	pthread_rwlock_unlock(&hotplug);
}

void shim_cpus_wait(unsigned int n)
{
	unsigned int up;

	do {
		up = 0;
		for (const struct shim_cpu *cpu = cpus; cpu < cpus + CPUS_MAX; cpu++)
			up += atomic_load(&cpu->up);
		sched_yield();
	} while (up < n);
}

void shim_cpu_quiescent(void)
{
	atomic_fetch_add(&this->passes, 1);
}

void shim_cpus_preempt(void)
{
	atomic_store(&preempting, true);
	text_poke_sync();
	atomic_store(&preempting, false);
}

unsigned long shim_cpu_ip(unsigned int cpu)
{
	return atomic_load(&cpus[cpu % CPUS_MAX].ip);
}

void cpus_read_lock(void)
{
	pthread_rwlock_rdlock(&hotplug);
}

void cpus_read_unlock(void)
{
	pthread_rwlock_unlock(&hotplug);
}

void text_poke_sync(void)
{
	unsigned int mine, answered;

	if (syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED_SYNC_CORE, 0, 0))
		err(2, "membarrier");
	mine = atomic_fetch_add(&interrupts, 1) + 1;
	for (struct shim_cpu *cpu = cpus; cpu < cpus + CPUS_MAX; cpu++)
		if (atomic_load(&cpu->up))
			pthread_kill(cpu->thread, SHIM_INTERRUPT);
	for (struct shim_cpu *cpu = cpus; cpu < cpus + CPUS_MAX; cpu++)
		while (atomic_load(&cpu->up) &&
		       (int)((answered = atomic_load(&cpu->answered)) - mine) < 0)
			futex(&cpu->answered, FUTEX_WAIT_PRIVATE, answered);
	shim_syncs++;
}

void kick_all_cpus_sync(void)
{
	text_poke_sync();
}

/*
 * Waits until all threads have left the SIGTRAP handler, the only code here that reads under RCU.
 */
void synchronize_rcu(void)
{
	text_poke_sync();
}

void flush_work(struct work_struct *work)
{
	if (!shim_no_grace)
		text_poke_sync();
}

void synchronize_rcu_tasks(void)
{
	unsigned long before[CPUS_MAX];

	shim_grace_periods++;
	if (shim_no_grace)
		return;
	for (unsigned int i = 0; i < CPUS_MAX; i++)
		before[i] = atomic_load(&cpus[i].passes);
	for (unsigned int i = 0; i < CPUS_MAX; i++)
		while (atomic_load(&cpus[i].up) && atomic_load(&cpus[i].passes) == before[i])
			sched_yield();
}
