/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Runs code of the runtime while something interferes: threads, which act as CPUs, or a signal
 * after any of its instructions, which acts as an interrupt. For tests with cmocka.
 */
#ifndef WEFT_TEST_INTERFERENCE_H
#define WEFT_TEST_INTERFERENCE_H

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

/* The most threads that run_threads() can run. */
enum { RUN_THREADS_MAX = 16 };

/*
 * Calls @work in @n threads at the same time, with the elements of the array @workers as arguments,
 * of @size bytes each. Returns when all threads have ended.
 */
static inline void run_threads(void *(*work)(void *worker), void *workers, size_t size, size_t n)
{
	pthread_t threads[RUN_THREADS_MAX];

	assert_true(n <= RUN_THREADS_MAX);
	for (size_t i = 0; i < n; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, work,
						(char *)workers + i * size), 0);
	for (size_t i = 0; i < n; i++)
		pthread_join(threads[i], NULL);
}

/*
 * Calls @interrupt for each instruction @at of some code, counted from 1, until it returns false:
 * the code has ended before that instruction. The code is to be interrupted after @at instructions,
 * and after @later more, by the handler @on_step of SIGTRAP (trap-flag.h). All this is done with
 * some values of @later, and with @nr from 0 to 2, whose meaning is the caller's.
 */
static inline void interrupt_everywhere(void (*on_step)(int signal),
					bool (*interrupt)(unsigned int at, unsigned int later,
							  unsigned int nr))
{
	const struct sigaction action = { .sa_handler = on_step };

	sigaction(SIGTRAP, &action, NULL);
	for (unsigned int nr = 0; nr < 3; nr++) {
		for (unsigned int later = 1; later < 60; later += 13) {
			unsigned int at = 1;

			while (interrupt(at, later, nr))
				at++;
			assert_true(at > 40);
		}
	}
	signal(SIGTRAP, SIG_DFL);
}

#endif /* WEFT_TEST_INTERFERENCE_H */
