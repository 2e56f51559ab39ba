/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A kernel for code of kmod/ that is compiled for a process: declares what the kernel's
 * <linux/...> and <asm/...> headers would declare. This header is included before everything else;
 * in place of the kernel's headers there are empty files (../build.mk). The promises are those of
 * the kernel, kept in this way:
 *
 * - A CPU is a thread that runs woven code (cpu.h). %gs leads to what is per CPU.
 * - Kernel text is the text of the woven libraries. It is not writable where it runs; text_poke()
 *   and vmap() write to a second mapping of the same memory (text.c).
 * - An interrupt of all CPUs is a signal that every such thread answers. The SIGTRAP handler, which
 *   handles int3s, blocks that signal, so waiting for the answers waits for the handlers too.
 *   membarrier() makes the processors forget the instructions that they have fetched (cpu.c).
 * - A task has left woven code when its thread says so (cpu.h).
 * - A work queue is a thread (work.c).
 * - Freed memory is overwritten or unmapped at once (memory.c).
 */
#ifndef SHIM_KERNEL_H
#define SHIM_KERNEL_H

#include <assert.h>
#include <errno.h>
#include <linux/types.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* ---- types, and features of the compiler ----------------------------------------------------- */

typedef __u8 u8;
typedef __s8 s8;
typedef __u16 u16;
typedef __s16 s16;
typedef __u32 u32;
typedef __s32 s32;
typedef __u64 u64;
typedef __s64 s64;
typedef struct {
	__u32 val;
} kgid_t;

#define LINUX_VERSION_CODE KERNEL_VERSION(6, 12, 0)
#define KERNEL_VERSION(a, b, c) (((a) << 16) + ((b) << 8) + (c))
#define IS_ENABLED(option) 0

#define __percpu
#define __user
#define __init
#define __ro_after_init
#define notrace
#define __packed __attribute__((packed))
#define __printf(format, first)
#ifndef __always_inline
#define __always_inline inline __attribute__((always_inline))
#endif
#define noinline __attribute__((noinline))
#define likely(x) __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)
#define READ_ONCE(x) (*(const volatile typeof(x) *)&(x))
#define WRITE_ONCE(x, value) (*(volatile typeof(x) *)&(x) = (value))
#define smp_wmb() __asm__ volatile("" ::: "memory")
#define smp_rmb() __asm__ volatile("" ::: "memory")
#define barrier() __asm__ volatile("" ::: "memory")

#define ENOTSUPP 524

/* For inline functions of runtime/measure.h that nothing calls here. */
#define BUILD_BUG_ON(condition) ((void)(condition))

/* A static call is a call through a pointer; text.c defines the pointers. */
#define DECLARE_STATIC_CALL(name, type) extern typeof(type) *shim_static_call_##name
#define static_call(name) (*shim_static_call_##name)
#define static_call_query(name) shim_static_call_##name

#define ARRAY_SIZE(array) (sizeof(array) / sizeof(*(array)))
#define ALIGN(x, to) (((x) + (to) - 1) & -(typeof(x))(to))
#define container_of(pointer, type, member) \
	((type *)((char *)(pointer) - offsetof(type, member)))
#define min_t(type, a, b) ({ type min_a = (a), min_b = (b); min_a < min_b ? min_a : min_b; })
#define max_t(type, a, b) ({ type max_a = (a), max_b = (b); max_a > max_b ? max_a : max_b; })
#define min(a, b) min_t(typeof(a), a, b)
#define max(a, b) max_t(typeof(a), a, b)

enum { PAGE_SHIFT = 12 };
#define PAGE_SIZE (1ul << PAGE_SHIFT)
#define PAGE_MASK (-PAGE_SIZE)
#define PAGE_ALIGN(x) ALIGN((unsigned long)(x), PAGE_SIZE)

#include "kernel-shim/list.h"

static inline u32 hash_long(unsigned long value, unsigned int bits)
{
	return value * 0x61c8864680b583ebull >> (64 - bits);
}

/* ---- functions that print messages (memory.c) ------------------------------------------------ */

/* Prints a message (memory.c). "%pS" prints the address only, as %p does. */
void shim_print(const char *format, ...);
/* Reports a bug of the code under test: prints it and ends the process. */
void __attribute__((noreturn)) shim_bug(const char *format, ...);

/* Each file that prints defines pr_fmt() before it includes headers, as in the kernel. */
#define pr_info(format, ...) shim_print(pr_fmt(format), ##__VA_ARGS__)
#define pr_err(format, ...) shim_print(pr_fmt(format), ##__VA_ARGS__)
#define pr_warn(format, ...) shim_print(pr_fmt(format), ##__VA_ARGS__)
#define WARN(condition, ...) ((condition) ? (shim_bug(__VA_ARGS__), true) : false)

/* ---- functions that allocate memory (memory.c) ----------------------------------------------- */

enum { GFP_KERNEL = 0, __GFP_NOWARN = 0, __GFP_RETRY_MAYFAIL = 0 };

/* The size of a machine with 16 GiB, so that no plan is refused for lack of memory. */
#define totalram_pages() (16ul << (30 - PAGE_SHIFT))
#define S64_MAX INT64_MAX
#define div_u64(n, by) ((n) / (by))
/* A product that does not fit becomes the largest size, as in the kernel. */
static inline size_t array_size(size_t n, size_t size)
{
	size_t bytes;

	return __builtin_mul_overflow(n, size, &bytes) ? SIZE_MAX : bytes;
}

struct rcu_head {
	void *unused;
};

void *shim_alloc(size_t size);
void shim_free(const void *memory);

#define kmalloc(size, flags) shim_alloc(size)
#define kzalloc(size, flags) shim_alloc(size)
#define kvzalloc(size, flags) shim_alloc(size)
#define struct_size(pointer, member, n) \
	(sizeof(*(pointer)) + (size_t)(n) * sizeof((pointer)->member[0]))
#define kvcalloc(n, size, flags) shim_alloc((size_t)(n) * (size))
#define kvmalloc_array(n, size, flags) shim_alloc((size_t)(n) * (size))
#define __vmalloc(size, flags) shim_alloc(size)
#define vfree(memory) shim_free(memory)
#define kfree(memory) shim_free(memory)
#define kvfree(memory) shim_free(memory)
#define kfree_rcu(memory, member) shim_free(memory)

#define copy_from_kernel_nofault(to, from, size) (memcpy(to, from, size), 0)

/* ---- per-CPU variables are plain variables here ---------------------------------------------- */

#define DECLARE_PER_CPU(type, name) extern type name
#define preempt_count() 0
#define preempt_disable() barrier()
#define preempt_enable() barrier()
#define preempt_disable_notrace() barrier()
#define preempt_enable_notrace() barrier()
#define this_cpu_read(variable) (variable)
#define this_cpu_write(variable, value) ((variable) = (value))
#define cond_resched() ((void)0)

/* ---- declarations that runtime/advice.h needs to compile ------------------------------------- */

enum { TASK_COMM_LEN = 16, BITS_PER_LONG = 64 };
enum { NMI_MASK = 0xf00000, HARDIRQ_MASK = 0xf0000, SOFTIRQ_OFFSET = 0x100 };

struct task_struct {
	u64 start_time;
	u32 pid, tgid;
	struct task_struct *real_parent;
	char comm[TASK_COMM_LEN];
};

extern __thread struct task_struct shim_task; /* Defined in cpu.c. */
#define current (&shim_task)
#define rcu_dereference_raw(pointer) READ_ONCE(pointer)
#define cmpxchg(at, from, to) __sync_val_compare_and_swap(at, from, to)
#define current_uid() 0
#define __kuid_val(uid) (uid)
#define arch_irqs_disabled_flags(flags) ((void)(flags), false)
#define this_cpu_or(variable, value) ((variable) |= (value))
u64 rdtsc(void);
u64 ktime_get_mono_fast_ns(void);
unsigned int interrupt_context_level(void);

/* ---- modules, of which there are none -------------------------------------------------------- */

struct module;

#define THIS_MODULE ((struct module *)NULL)
#define module_put(module) ((void)(module))
#define __module_get(module) ((void)(module))
#define module_param(name, type, mode)
#define MODULE_PARM_DESC(name, text)

/*
 * A parameter with functions of its own keeps its first value, since nothing calls these functions
 * here.
 */
struct kernel_param;
struct kernel_param_ops {
	int (*set)(const char *text, const struct kernel_param *param);
	int (*get)(char *text, const struct kernel_param *param);
};
#define module_param_cb(name, ops, variable, mode) \
	static const void *const shim_param_##name __attribute__((unused)) = (ops)
#define param_set_uint_minmax(text, param, least, most) \
	((void)(text), (void)(param), (void)(least), (void)(most), -EINVAL)

static inline int param_get_uint(char *text, const struct kernel_param *param)
{
	(void)text;
	(void)param;
	return -EINVAL;
}

/* ---- locks and work queues (work.c) ---------------------------------------------------------- */

/* Some structs have a member of this type, which the code that is compiled here never touches. */
typedef struct {
	int counter;
} atomic_t;
typedef struct {
	s64 counter;
} atomic64_t;

#define atomic64_read(value) READ_ONCE((value)->counter)
#define atomic64_add_return(n, value) __sync_add_and_fetch(&(value)->counter, (s64)(n))
#define atomic64_sub(n, value) ((void)__sync_sub_and_fetch(&(value)->counter, (s64)(n)))

struct mutex {
	pthread_mutex_t lock;
};

#define DEFINE_MUTEX(name) struct mutex name = { PTHREAD_MUTEX_INITIALIZER }
#define mutex_lock(mutex) ((void)pthread_mutex_lock(&(mutex)->lock))
#define mutex_unlock(mutex) ((void)pthread_mutex_unlock(&(mutex)->lock))
#define lockdep_assert_held(mutex) ((void)(mutex)) /* The callers also check mutex_is_locked(). */

static inline bool mutex_is_locked(struct mutex *mutex)
{
	if (pthread_mutex_trylock(&mutex->lock))
		return true;
	pthread_mutex_unlock(&mutex->lock);
	return false;
}

/* The lock of the readers of records. Only test_views runs their code (readers.h). */
typedef struct {
	bool held;
} spinlock_t;

static inline bool spin_is_locked(const spinlock_t *lock)
{
	return lock->held;
}

struct work_struct {
	struct list_head list; /* The entry in the queue's list while the item is pending. */
	void (*function)(struct work_struct *work); /* Runs the item. */
	u64 due; /* When the item is to run, in milliseconds of CLOCK_MONOTONIC. */
	bool pending; /* Set while the item is on the queue's list. */
};

struct delayed_work {
	struct work_struct work;
};

struct workqueue_struct;

#define DECLARE_WORK(name, does) struct work_struct name = { .function = (does) }
#define INIT_DELAYED_WORK(delayed, does) \
	(*(delayed) = (struct delayed_work){ .work.function = (does) })

struct workqueue_struct *alloc_ordered_workqueue(const char *name, unsigned int flags);
void destroy_workqueue(struct workqueue_struct *queue);
bool queue_work(struct workqueue_struct *queue, struct work_struct *work);
/* Delays are in jiffies, which are milliseconds here. */
bool queue_delayed_work(struct workqueue_struct *queue, struct delayed_work *delayed,
			unsigned long ms);
bool mod_delayed_work(struct workqueue_struct *queue, struct delayed_work *delayed,
		      unsigned long ms);
bool cancel_delayed_work(struct delayed_work *delayed);
#define delayed_work_pending(delayed) READ_ONCE((delayed)->work.pending)
#define msecs_to_jiffies(ms) (ms)

/* ---- functions for CPUs and grace periods (cpu.c) -------------------------------------------- */

void cpus_read_lock(void);
void cpus_read_unlock(void);
void kick_all_cpus_sync(void);
void synchronize_rcu(void);
void synchronize_rcu_tasks(void);

/*
 * Here one work item stands for the work items on all CPUs. Its function never runs, since the
 * function does nothing in a kernel either: weft.ko only waits for it. flush_work() waits until
 * each thread has left the SIGTRAP handler once. In a kernel, every CPU has left the int3 handler
 * when a work item has run on every CPU.
 */
#define DEFINE_PER_CPU(type, name) type name
#define per_cpu_ptr(pointer, cpu) ((void)(cpu), (pointer))
#define for_each_possible_cpu(cpu) for ((cpu) = 0; (cpu) < 1; (cpu)++)
#define for_each_online_cpu(cpu) for_each_possible_cpu(cpu)
#define INIT_WORK(work, does) ((void)((work)->function = (does)))
#define schedule_work_on(cpu, work) ((void)(cpu), (void)(work))
void flush_work(struct work_struct *work);

/* ---- kernel text, and functions that write it (text.c) --------------------------------------- */

enum execmem_type { EXECMEM_FTRACE };

/*
 * Has only the bit that weft.ko looks at, which says whether the page is writable. lookup_address()
 * sets it for every page, since memory from execmem_alloc() is writable at first.
 */
typedef struct {
	unsigned long flags;
} pte_t;
enum { _PAGE_RW = 2 };
static inline unsigned long pte_flags(pte_t entry) { return entry.flags; }
pte_t *lookup_address(unsigned long address, unsigned int *level);

struct page;

enum { MAX_INSN_SIZE = 16 };
enum { PERF_RECORD_KSYMBOL_TYPE_OOL = 2 };

enum { KPROBE_FLAG_GONE = 1 };

struct kprobe {
	struct hlist_node hlist;
	void *addr;
	u32 flags;
};

/*
 * There is at most one kprobe at a time. It is only registered and not armed, so the text does not
 * change.
 */
void register_kprobe(struct kprobe *probe);
void unregister_kprobe(struct kprobe *probe);

enum { VM_MAP = 0, PAGE_KERNEL = 0 };

struct page *virt_to_page(const void *address);
void *vmap(struct page **pages, unsigned int n, unsigned long flags, int protection);
void vunmap(const void *base);
#define vm_unmap_aliases() ((void)0)

struct bpf_ksym {
	unsigned long start, end;
	char name[64];
	struct list_head lnode;
};

#define strscpy(to, from, size) ((void)strncpy(to, from, (size) - 1))

/* ---- functions that handle int3s (int3-hook.c) ----------------------------------------------- */

/* Has only the registers that the int3 handler reads or writes. */
struct pt_regs {
	unsigned long ip, sp;
};

struct die_args {
	struct pt_regs *regs;
};

struct notifier_block {
	int (*notifier_call)(struct notifier_block *block, unsigned long event, void *data);
	int priority;
};

enum { DIE_INT3 = 1, NOTIFY_DONE = 0, NOTIFY_STOP = 1 };
#ifndef INT_MAX
#define INT_MAX __INT_MAX__
#endif

#define NOKPROBE_SYMBOL(name)
#define user_mode(regs) false
/* weft.ko needs no die notifier, since its int3 hook always works here. */
#define register_die_notifier(block) (-ENOTSUPP)
#define unregister_die_notifier(block) ((void)(block))

static inline void int3_emulate_jmp(struct pt_regs *regs, unsigned long target)
{
	regs->ip = target;
}

static inline void int3_emulate_ret(struct pt_regs *regs)
{
	regs->ip = *(unsigned long *)regs->sp;
	regs->sp += sizeof(long);
}

enum { CALL_INSN_SIZE = 5 };

static inline void int3_emulate_push(struct pt_regs *regs, unsigned long value)
{
	regs->sp -= sizeof(long);
	*(unsigned long *)regs->sp = value;
}

#endif /* SHIM_KERNEL_H */
