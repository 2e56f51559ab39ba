// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Produces a known amount of activity of one kind, which the tests compare with what the library's
 * aspects count. While it is active, and only then, the program has the unique name `active-KIND`.
 * It prints what the kernel counts for that time (getrusage, /proc/self/schedstat) and what it
 * knows itself, in lines "KEY VALUE".
 *
 * The kernel's counts are read before and after the activity, and the difference is printed. The
 * first reading is before the program gets its name, the second while it still has the name. For
 * outer-KEY the second reading is after the program has lost the name, so the difference contains
 * all of the named time and is never too small. For inner-KEY, which is 0 except for sched, both
 * readings are while the program has the name, so the difference is never too large.
 *
 *	active faults		touches new pages
 *	active io		reads and writes: read BYTES, written BYTES
 *	active sched		sleeps and works
 *	active futex		waits for a futex until a timeout: sleeps COUNT, inner NS,
 *	outer NS
 *	active timers		periods of a timerfd: expirations COUNT
 *	active signals		sends signals to itself, which are blocked for a while: sent COUNT,
 *	inner NS, outer NS
 *	active files FOLDER	creates, finds, misses, removes files: created COUNT, found COUNT,
 *	missing COUNT
 *	active tcp		a conversation over loopback: rtt US, measured at NS
 *	active udp		datagrams that wait in the queue: datagrams COUNT, inner NS,
 *				outer NS
 *	active locks		two threads that write to and read from one pipe, then read one file
 *	by one descriptor, one at a time
 */
#include <arpa/inet.h>
#include <err.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/futex.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

enum { ROUNDS = 20, PAGES = 200, PAGE = 4096, REST_US = 3000, WORK_US = 6000, MESSAGES = 100,
       TURNS = 40, TURN = 1 << 20, FOUND = 3, MISSING = 5 };

static unsigned long long now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec * 1000000000ull + time.tv_nsec;
}

/* What the kernel counts for this process. */
struct books {
	unsigned long long faults, voluntary, involuntary, running, waiting, times;
};

/*
 * Reads a file into @buffer, without the C library's buffers: the second reading must not touch a
 * page for the first time.
 */
static void read_text(const char *path, char *buffer, size_t size)
{
	int fd = open(path, O_RDONLY);
	ssize_t n = read(fd, buffer, size - 1);

	if (fd < 0 || n <= 0 || close(fd))
		err(1, "%s", path);
	buffer[n] = 0;
}

static void read_schedstat(struct books *books)
{
	static char text[512];

	read_text("/proc/self/schedstat", text, sizeof(text));
	if (sscanf(text, "%llu %llu %llu", &books->running, &books->waiting, &books->times) != 3)
		errx(1, "schedstat");
}

static void read_usage(struct books *books)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	books->faults = usage.ru_minflt + usage.ru_majflt;
	books->voluntary = usage.ru_nvcsw;
	books->involuntary = usage.ru_nivcsw;
}

static void read_books(struct books *books)
{
	read_schedstat(books);
	read_usage(books);
}

static void print_difference(const char *which, const struct books *before,
			     const struct books *after)
{
	printf("%sfaults %llu\n", which, after->faults - before->faults);
	printf("%svoluntary %llu\n", which, after->voluntary - before->voluntary);
	printf("%sinvoluntary %llu\n", which, after->involuntary - before->involuntary);
	printf("%srunning %llu\n", which, after->running - before->running);
	printf("%swaiting %llu\n", which, after->waiting - before->waiting);
	printf("%stimes %llu\n", which, after->times - before->times);
}

static struct books inner_begin, inner_end;

static void faults(void)
{
	volatile char *pages = mmap(NULL, PAGES * PAGE, PROT_READ | PROT_WRITE,
				    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	for (int i = 0; i < PAGES; i++)
		pages[i * PAGE] = 1;
	munmap((void *)pages, PAGES * PAGE);
}

static void io(void)
{
	static char buffer[8 * PAGE];
	int zero = open("/dev/zero", O_RDONLY), null = open("/dev/null", O_WRONLY);

	for (int i = 1; i <= ROUNDS; i++)
		if (read(zero, buffer, i * 1000) != i * 1000 ||
		    write(null, buffer, i * 900) != i * 900)
			err(1, "read and write");
	printf("read %d\nwritten %d\n", ROUNDS * (ROUNDS + 1) / 2 * 1000,
	       ROUNDS * (ROUNDS + 1) / 2 * 900);
}

static void sched(void)
{
	read_books(&inner_begin);
	for (int i = 0; i < ROUNDS; i++) {
		unsigned long long until;

		usleep(REST_US);
		for (until = now() + WORK_US * 1000ull; now() < until;)
			;
	}
	read_books(&inner_end);
}

static void futexes(void)
{
	const struct timespec rest = { .tv_nsec = REST_US * 1000 };
	unsigned long long begin = now(), outer = 0;
	uint32_t word = 0;

	for (int i = 0; i < ROUNDS; i++) {
		begin = now();
		syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, &rest, NULL, 0);
		outer += now() - begin;
	}
	printf("sleeps %d\ninner %llu\nouter %llu\n", ROUNDS, ROUNDS * REST_US * 1000ull, outer);
}

static void timers(void)
{
	const struct itimerspec period = { { 0, REST_US * 1000 }, { 0, REST_US * 1000 } };
	uint64_t expirations, sum = 0;
	int fd = timerfd_create(CLOCK_MONOTONIC, 0);

	if (fd < 0 || timerfd_settime(fd, 0, &period, NULL))
		err(1, "timerfd");
	while (sum < ROUNDS && read(fd, &expirations, sizeof(expirations)) == sizeof(expirations))
		sum += expirations;
	close(fd);
	printf("expirations %llu\n", (unsigned long long)sum);
}

static void on_signal(int signal)
{
	(void)signal;
}

static void signals(void)
{
	const struct sigaction action = { .sa_handler = on_signal };
	unsigned long long inner = 0, outer = 0;
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	sigaction(SIGUSR1, &action, NULL);
	for (int i = 0; i < ROUNDS; i++) {
		unsigned long long before, after;

		sigprocmask(SIG_BLOCK, &set, NULL);
		before = now();
		kill(getpid(), SIGUSR1);
		after = now();
		usleep(REST_US);
		inner += now() - after;
		sigprocmask(SIG_UNBLOCK, &set, NULL);
		outer += now() - before;
	}
	printf("sent %d\ninner %llu\nouter %llu\n", ROUNDS, inner, outer);
}

static void files(void)
{
	struct stat status;
	char name[64];

	for (int i = 0; i < ROUNDS; i++) {
		int fd;

		snprintf(name, sizeof(name), "file-%d", i);
		fd = open(name, O_CREAT | O_EXCL | O_RDWR, 0600);
		if (fd < 0 || close(fd))
			err(1, "%s", name);
		for (int j = 0; j < FOUND; j++)
			if (stat(name, &status))
				err(1, "%s", name);
		if (unlink(name))
			err(1, "%s", name);
		/*
		 * The first look-up leaves a negative dentry, and the look-ups after it find that
		 * dentry.
		 */
		for (int j = 0; j < MISSING; j++)
			if (!stat("nowhere", &status))
				errx(1, "a file nowhere");
	}
	printf("created %d\nfound %d\nmissing %d\n", ROUNDS, FOUND * ROUNDS, MISSING * ROUNDS);
}

static int listen_at(int type, struct sockaddr_in *ret)
{
	socklen_t size = sizeof(*ret);
	int fd = socket(AF_INET, type, 0);

	*ret = (struct sockaddr_in){
		.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)
	};
	if (fd < 0 || bind(fd, (struct sockaddr *)ret, size) ||
	    getsockname(fd, (struct sockaddr *)ret, &size) ||
	    (type == SOCK_STREAM && listen(fd, 1)))
		err(1, "socket");
	return fd;
}

static void tcp(void)
{
	struct sockaddr_in address;
	int listener = listen_at(SOCK_STREAM, &address), client = socket(AF_INET, SOCK_STREAM, 0),
	    server;
	struct tcp_info info;
	socklen_t size = sizeof(info);
	char byte = 0;

	if (connect(client, (struct sockaddr *)&address, sizeof(address)) ||
	    (server = accept(listener, NULL, NULL)) < 0)
		err(1, "connect");
	for (int i = 0; i < ROUNDS; i++)
		if (write(client, &byte, 1) != 1 || read(server, &byte, 1) != 1 ||
		    write(server, &byte, 1) != 1 || read(client, &byte, 1) != 1)
			err(1, "conversation");
	if (getsockopt(client, IPPROTO_TCP, TCP_INFO, &info, &size))
		err(1, "TCP_INFO");
	printf("rtt %u\nat %llu\n", info.tcpi_rtt, now());
	close(client);
	close(server);
	close(listener);
}

static void udp(void)
{
	struct sockaddr_in address;
	int receiver = listen_at(SOCK_DGRAM, &address), sender = socket(AF_INET, SOCK_DGRAM, 0);
	unsigned long long inner = 0, outer = 0;
	char byte = 0;

	for (int i = 0; i < ROUNDS; i++) {
		unsigned long long before = now(), after;

		if (sendto(sender, &byte, 1, 0, (struct sockaddr *)&address, sizeof(address)) != 1)
			err(1, "sendto");
		after = now();
		usleep(REST_US);
		inner += now() - after;
		if (recv(receiver, &byte, 1, 0) != 1)
			err(1, "recv");
		outer += now() - before;
	}
	printf("datagrams %d\ninner %llu\nouter %llu\n", ROUNDS, inner, outer);
}

static int ends[2], file;

static void take_turns(void)
{
	char *buffer = malloc(TURN);

	for (int i = 0; i < TURNS; i++)
		if (!buffer || read(file, buffer, TURN) != TURN)
			err(1, "file");
	free(buffer);
}

static void *reader(void *unused)
{
	char byte;

	for (int i = 0; i < MESSAGES; i++)
		if (read(ends[0], &byte, 1) != 1)
			err(1, "pipe");
	take_turns();
	return unused;
}

static void locks(void)
{
	pthread_t thread;

	char path[32];
	int made = memfd_create("turns", MFD_CLOEXEC);

	/*
	 * A descriptor that was opened by a path, unlike that of memfd_create(), has a lock for its
	 * position.
	 */
	snprintf(path, sizeof(path), "/proc/self/fd/%d", made);
	file = open(path, O_RDONLY | O_CLOEXEC);
	if (file < 0 || ftruncate(made, 2 * TURNS * TURN))
		err(1, "file");
	if (pipe(ends) || pthread_create(&thread, NULL, reader, NULL))
		err(1, "pipe");
	for (int i = 0; i < MESSAGES; i++)
		if (write(ends[1], "", 1) != 1)
			err(1, "pipe");
	take_turns();
	pthread_join(thread, NULL);
}

static const struct kind {
	const char *name;
	void (*run)(void);
} kinds[] = {
	{ "faults", faults }, { "io", io },	      { "sched", sched }, { "futex", futexes },
	{ "timers", timers }, { "signals", signals }, { "files", files }, { "tcp", tcp },
	{ "udp", udp },	      { "locks", locks },
};

/*
 * A reading of the kernel's counts has two parts (getrusage and schedstat), and each part adds to
 * what the other counts. So getrusage, whose counts must be exact, is the last call before the
 * activity and the first one after it. Of the three readings before the activity, the first two
 * only touch the pages and look up the paths that a reading needs.
 */
static void observe(const struct kind *kind)
{
	struct books before, after, outside;
	char name[16];

	snprintf(name, sizeof(name), "active-%.8s", kind->name);
	for (int i = 0; i < 3; i++) {
		prctl(PR_SET_NAME, "active");
		read_books(&before);
	}
	prctl(PR_SET_NAME, name);
	kind->run();
	read_usage(&after);
	read_schedstat(&after);
	prctl(PR_SET_NAME, "active");
	read_books(&outside);
	print_difference("", &before, &after);
	print_difference("outer-", &before, &outside);
	print_difference("inner-", &inner_begin, &inner_end);
}

int main(int argc, char **argv)
{
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		if (argc < 2 || strcmp(argv[1], kinds[i].name))
			continue;
		if (argc > 2 && chdir(argv[2]))
			err(1, "%s", argv[2]);
		observe(&kinds[i]);
		return 0;
	}
	errx(2, "which kind? See the head of active.c");
}
