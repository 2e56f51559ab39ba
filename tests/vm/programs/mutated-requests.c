// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Sends requests to weft.ko that were sensible and then changed at random: members, buffers, plans,
 * commands. Each request must end, with 0 or with an error that runtime/abi.h documents for it. The
 * caller has to check that the kernel is well and its text unchanged. At the end nothing is woven.
 * The program ends with `N passed, N failed, N skipped`.
 *
 * Usage: mutated-requests [--blind] [--parts] N SEED NAME... sends N requests of all kinds from
 * each of two processes. The NAMEs are aspects that are loaded and not woven; some of the requests
 * weave and unweave them. With --parts at least one of the aspects must have a joinpoint in a
 * loaded module. Then the program tests that some weaves reach that joinpoint, and that each member
 * of the request for parts was changed, and prints how often one of the processes has done so.
 *
 * If the kernel reports which code of weft.ko a request has run (kcov), requests that have run new
 * code are kept, and half of all requests are kept ones, changed once more. With --blind new code
 * is reported, but no request is kept.
 */
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "coverage.h"
#include "part-base.h"
#include "runtime/abi.h"
#include "verdict.h"

enum { ASPECTS = 8, TRUTHS = 4, PAGES = 4, PAGE = 4096, ERRORS = 16, SHOWN = 10, KEPT = 4096 };

/* The errors that a request of each kind may return, besides ENOTTY, EFAULT and ENOMEM. */
static const struct kind {
	const char *name;
	unsigned int command;
	int errors[ERRORS];
} kinds[] = {
	{ "INFO", WEFT_IOC_INFO, { 0 } },
	{ "TEXT", WEFT_IOC_TEXT, { EINVAL, E2BIG } },
	{ "WEAVE",
	  WEFT_IOC_WEAVE,
	  { ENOENT, ESTALE, EEXIST, EBUSY, EINVAL, EAGAIN, ECANCELED, ESRCH, EOPNOTSUPP, E2BIG } },
	{ "UNWEAVE", WEFT_IOC_UNWEAVE, { ENOENT, ENODATA, EBUSY } },
	{ "LIST", WEFT_IOC_LIST, { ENOENT } },
	{ "SHADOWS", WEFT_IOC_SHADOWS, { ENOENT } },
	{ "READ", WEFT_IOC_READ, { ENOENT, EMSGSIZE, EBUSY } },
	{ "JOINPOINT", WEFT_IOC_JOINPOINT, { ENOENT, ERANGE } },
	{ "METRIC", WEFT_IOC_METRIC, { ENOENT, ERANGE } },
	{ "METRIC_ROWS", WEFT_IOC_METRIC_ROWS, { ENOENT, ERANGE, EMSGSIZE } },
	{ "METRIC_RESET", WEFT_IOC_METRIC_RESET, { ENOENT } },
	{ "ONCE", WEFT_IOC_ONCE, { ENOENT, ENODATA } },
	{ "FAULT", WEFT_IOC_FAULT, { ENOENT, ENODATA } },
	{ "PARTS", WEFT_IOC_PARTS, { ENOENT } },
	{ "METRIC_OPEN", WEFT_IOC_METRIC_OPEN, { ENOENT, ERANGE, EMSGSIZE } },
	{ "RECORD", WEFT_IOC_RECORD, { ENOENT, EBUSY, EINVAL } },
	{ "SPANS", WEFT_IOC_SPANS, { ENODATA, EMSGSIZE } },
	{ "STATEMENT", WEFT_IOC_STATEMENT, { ENOENT, ENODATA, ERANGE, EMSGSIZE } },
	{ "PUBLISH", WEFT_IOC_PUBLISH, { ENOENT, ENODATA, EINVAL } },
	{ "TAG", WEFT_IOC_TAG, { ENOENT, ERANGE } },
};

enum { TEXT = 1, WEAVE = 2, KINDS = sizeof(kinds) / sizeof(kinds[0]) };

static struct aspect {
	const char *name; /* The aspect's name. */
	unsigned long long content; /* The hash of its module's content. */
	struct weft_splice truths[TRUTHS]; /* Splices that weft.ko accepts. */
	/* For each truth, the live address of the part that it is in. */
	unsigned long long base[TRUTHS];
	unsigned int nr_truths; /* The number of truths. */
} aspects[ASPECTS];
static unsigned int nr_aspects;

static int device;
static unsigned int woven; /* How often something was woven. */
/* How many checks, and how many weaves, had a splice in a module. */
static unsigned int in_modules[2];
/*
 * How many requests for parts were sent, and how often each member was changed: name, buffer, size,
 * reserved.
 */
static unsigned int sent_parts, changed_parts[4];
static unsigned long long random_state;
static struct weft_info info;
/*
 * Pages for the requests' buffers, the last of which is not mapped. They are far from everything
 * else in the process, so that a changed address does not make the kernel overwrite the program.
 */
#define FAR_AWAY 0x10000000000
static unsigned char *memory;

union argument {
	struct weft_info info;
	struct weft_text text;
	struct weft_weave weave;
	struct weft_unweave unweave;
	struct weft_status status;
	struct weft_shadows shadows;
	struct weft_read read;
	struct weft_joinpoint_text joinpoint;
	struct weft_metric_info metric;
	struct weft_metric_rows rows;
	struct weft_metric_reset reset;
	struct weft_once_states once;
	struct weft_parts parts;
	struct weft_fault fault;
	struct weft_recorder recorder;
	struct weft_spans spans;
	struct weft_statement_text statement;
	struct weft_publish publish;
	struct weft_tag_info tag;
	unsigned char bytes[2048];
};

/*
 * A request as it was sent. .memory is the beginning of the plan or the pieces that its pointers
 * lead to.
 */
static struct request {
	unsigned int kind, command;
	union argument argument;
	unsigned char memory[TRUTHS * sizeof(struct weft_splice)];
} kept[KEPT];
static unsigned int nr_kept;
static int is_blind;

/* Returns a random number, by xorshift64: the same seed gives the same run. */
static unsigned long long random_bits(void)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return random_state;
}

static unsigned int below(unsigned int n)
{
	return (random_bits() >> 20) % n;
}

/* ---- functions that make sensible requests --------------------------------------------------- */

static struct weft_status status_of(const char *name)
{
	struct weft_status status = { 0 };

	for (; !ioctl(device, WEFT_IOC_LIST, &status); status.index++)
		if (!strcmp(status.name, name))
			return status;
	errx(2, "%s is not loaded", name);
}

static int is_true(const struct aspect *aspect, struct weft_splice *splice)
{
	struct weft_piece piece = { .address = splice->address, .size = splice->length };
	struct weft_text text = { .pieces = (unsigned long)&piece,
				  .nr_pieces = 1,
				  .buffer = (unsigned long)splice->old,
				  .flags = WEFT_TEXT_ORIGINAL };
	struct weft_weave weave = { .content = aspect->content,
				    .splices = (unsigned long)splice,
				    .nr_splices = 1,
				    .flags = WEFT_WEAVE_CHECK };

	snprintf(weave.name, sizeof(weave.name), "%s", aspect->name);
	return !ioctl(device, WEFT_IOC_TEXT, &text) && !ioctl(device, WEFT_IOC_WEAVE, &weave) &&
	       !splice->refusal;
}

/*
 * Finds splices for the first joinpoints of an aspect, in the order of a plan: traps, and jumps
 * over a single instruction.
 */
static void find_truths(struct aspect *aspect)
{
	struct weft_joinpoint_text joinpoint = { 0 };

	snprintf(joinpoint.name, sizeof(joinpoint.name), "%s", aspect->name);
	for (; aspect->nr_truths < TRUTHS; joinpoint.index++) {
		unsigned long long base;

		if (ioctl(device, WEFT_IOC_JOINPOINT, &joinpoint))
			break;
		base = part_base(device, aspect->name, &joinpoint);
		aspect->base[aspect->nr_truths] = base;
		for (unsigned int length = 1; length <= WEFT_INSN_MAX; length++) {
			struct weft_splice *truth = &aspect->truths[aspect->nr_truths];

			*truth = (struct weft_splice){ .address = base + joinpoint.text_offset,
						       .joinpoint = joinpoint.index,
						       .kind = length >= WEFT_JUMP_SIZE,
						       .length = length };
			if (!is_true(aspect, truth))
				continue;
			if (!aspect->nr_truths || truth->address > truth[-1].address)
				aspect->nr_truths++;
			break;
		}
	}
	if (!aspect->nr_truths)
		errx(2, "%s has no good joinpoint", aspect->name);
}

/*
 * Updates the address of the aspect's right splice number @index, since its module may have been
 * unloaded and loaded at another address.
 */
static void follow_module(struct aspect *aspect, unsigned int index)
{
	struct weft_joinpoint_text joinpoint = { .index = aspect->truths[index].joinpoint };
	unsigned long long base;

	snprintf(joinpoint.name, sizeof(joinpoint.name), "%s", aspect->name);
	if (ioctl(device, WEFT_IOC_JOINPOINT, &joinpoint))
		return;
	base = part_base(device, aspect->name, &joinpoint);
	if (!base)
		return;
	aspect->truths[index].address += base - aspect->base[index];
	aspect->base[index] = base;
}

static unsigned long place(void)
{
	return (unsigned long)memory + below((PAGES - 1) * PAGE);
}

static void fill_text(struct weft_text *text)
{
	struct weft_piece *pieces = (void *)memory;

	text->nr_pieces = 1 + below(8);
	for (unsigned int i = 0; i < text->nr_pieces; i++)
		pieces[i] = (struct weft_piece){
			.address = info.text + below(info.etext - info.text), .size = below(256)
		};
	text->pieces = (unsigned long)pieces;
	text->buffer = (unsigned long)memory + PAGE;
	text->flags = below(2);
}

static void fill_weave(struct weft_weave *weave, struct aspect *aspect)
{
	unsigned int n = 1 + below(aspect->nr_truths);

	for (unsigned int i = 0; i < n; i++)
		if (aspect->base[i] != info.text)
			follow_module(aspect, i);
	weave->content = aspect->content;
	memcpy(memory, aspect->truths, n * sizeof(*aspect->truths));
	weave->splices = (unsigned long)memory;
	weave->nr_splices = n;
	weave->flags = below(4) ? WEFT_WEAVE_CHECK
				 : below(2) * WEFT_WEAVE_BOUND +
					   below(2) * WEFT_WEAVE_BALANCE +
					   below(2) * WEFT_WEAVE_PENDING;
	weave->lasts = below(4) ? 0 : below(1000000);
}

static void fill(union argument *argument, unsigned int kind)
{
	struct aspect *aspect = &aspects[below(nr_aspects)];
	unsigned long buffer = place();

	memset(argument, 0, sizeof(*argument));
	/* In all requests that have a name, it is the first member. */
	if (kind >= WEAVE && kinds[kind].command != WEFT_IOC_LIST)
		snprintf((char *)argument->bytes, WEFT_NAME_MAX, "%s", aspect->name);
	switch (kinds[kind].command) {
	case WEFT_IOC_TEXT:
		fill_text(&argument->text);
		break;
	case WEFT_IOC_WEAVE:
		fill_weave(&argument->weave, aspect);
		break;
	case WEFT_IOC_LIST:
		argument->status.index = below(nr_aspects + 1);
		break;
	case WEFT_IOC_SHADOWS:
		argument->shadows.buffer = buffer;
		argument->shadows.size = below(8);
		break;
	case WEFT_IOC_READ:
		argument->read.buffer = buffer;
		argument->read.size = below(PAGE);
		break;
	case WEFT_IOC_METRIC:
		argument->metric.index = below(3);
		break;
	case WEFT_IOC_TAG:
		argument->tag.index = below(3);
		break;
	case WEFT_IOC_METRIC_OPEN:
	case WEFT_IOC_METRIC_ROWS:
		argument->rows.index = below(3);
		argument->rows.cpu = kinds[kind].command == WEFT_IOC_METRIC_ROWS ? below(3) : 0;
		argument->rows.size = below(PAGE);
		argument->rows.buffer = buffer;
		break;
	case WEFT_IOC_PARTS:
		argument->parts.buffer = buffer;
		argument->parts.size = below(4);
		break;
	case WEFT_IOC_ONCE:
		argument->once.buffer = buffer;
		argument->once.size = below(64);
		break;
	case WEFT_IOC_RECORD:
		argument->recorder.size = below(4) ? 0 : below(1 << 20);
		break;
	case WEFT_IOC_SPANS:
		argument->spans.buffer = buffer;
		argument->spans.nr = below(256);
		argument->spans.flags = below(2);
		break;
	case WEFT_IOC_PUBLISH:
		/*
		 * In most of these requests the name is of no aspect, because publishing an aspect
		 * takes a grace period.
		 */
		if (below(16))
			argument->publish.name[0] = '\0';
		argument->publish.flags = below(4);
		argument->publish.group = below(10);
		break;
	case WEFT_IOC_STATEMENT:
		argument->statement.index = below(3);
		argument->statement.buffer = buffer;
		argument->statement.size = below(PAGE);
		break;
	}
}

/* ---- functions that change a request at random ----------------------------------------------- */

/*
 * Returns a value that a check may mistake: a small one, a type's limit, or an address of some
 * sort.
 */
static unsigned long long odd_value(void)
{
	const unsigned long long values[] = {
		0, 1, 8, 0x7f, 0x80, 0xff, 0x7fff, 0xffff, 0x7fffffff, 0x80000000, 0xffffffff,
		0x100000000, WEFT_TIME_MAX, WEFT_TIME_MAX + 1, 1ull << 63, ~0ull, WEFT_PLAN_MAX,
		WEFT_PLAN_MAX + 1, WEFT_PIECES_MAX, WEFT_TEXT_MAX, 0x7fffffffffff, 0x800000000000,
		0xffff888000000000, info.text, info.etext, info.etext - 1, info.text - 1,
		(unsigned long)memory, (unsigned long)memory + (PAGES - 1) * PAGE - below(64),
		(unsigned long)memory + (PAGES - 1) * PAGE,
	};

	return values[below(sizeof(values) / sizeof(values[0]))] + (below(4) ? 0 : below(9) - 4ull);
}

/*
 * Changes one, two, four or eight bytes, or a bit, of the @size bytes at @bytes. Returns the offset
 * of the first changed byte.
 */
static unsigned int change(unsigned char *bytes, unsigned int size)
{
	unsigned int width = 1u << below(4), at;
	unsigned long long value = below(4) ? odd_value() : random_bits();

	if (width > size)
		width = size;
	at = below(size / width) * width;
	if (below(3))
		memcpy(bytes + at, &value, width);
	else
		bytes[at] ^= 1u << below(8);
	return at;
}

static void count_parts(unsigned int at)
{
	changed_parts[at < offsetof(struct weft_parts, buffer)	? 0 :
		      at < offsetof(struct weft_parts, size)	? 1 :
		      at < offsetof(struct weft_parts, reserved) ? 2 : 3]++;
}

/* Returns whether weft.ko has accepted at least one splice of the plan that is in a module. */
static int reaches_module(const struct weft_weave *weave)
{
	const struct weft_splice *splices = (const void *)memory;

	if (weave->splices != (unsigned long)memory)
		return 0;
	for (unsigned int i = 0; i < weave->nr_splices && i < TRUTHS; i++)
		if (splices[i].address >= info.etext && !splices[i].refusal)
			return 1;
	return 0;
}

/* Returns whether a request of this @command may end with @error. */
static int is_error_of(int error, unsigned int command)
{
	for (unsigned int kind = 0; kind < KINDS; kind++)
		for (unsigned int i = 0; i < ERRORS && kinds[kind].command == command; i++)
			if (kinds[kind].errors[i] && error == kinds[kind].errors[i])
				return 1;
	return 0;
}

/*
 * Makes a request that starts a recorder, and then one for the recorder's spans. Opens the device
 * once more for both: the recorder lasts until that file is closed, and as long as an aspect has a
 * recorder, every READ of it fails. Returns the errno of the first request.
 */
static int send_recorder(unsigned int command, unsigned long address)
{
	const int file = open(WEFT_DEVICE, O_RDWR);
	struct weft_spans spans = { .buffer = place(), .nr = 256, .flags = below(2) };
	int error = ioctl(file, command, address) ? errno : 0;

	if (!error) {
		memcpy(spans.name, (const void *)address, sizeof(spans.name));
		ioctl(file, WEFT_IOC_SPANS, &spans);
	}
	close(file);
	return error;
}

static void send_one(union argument *argument, unsigned int kind, unsigned int command)
{
	unsigned long address = (unsigned long)argument;
	char found[128];
	int error, known;

	/* Sometimes the argument itself is not mapped, or only in part. */
	if (!below(32))
		address = below(2) ? odd_value() : (unsigned long)memory + (PAGES - 1) * PAGE - 24;
	coverage_clear();
	if (command == WEFT_IOC_RECORD)
		error = send_recorder(command, address);
	else
		error = ioctl(device, command, address) ? errno : 0;
	if (!error && kind == WEAVE) {
		int checked = argument->weave.flags & WEFT_WEAVE_CHECK;

		woven += !checked;
		in_modules[!checked] += reaches_module(&argument->weave);
	}
	known = !error || error == ENOTTY || error == EFAULT || error == ENOMEM;
	known |= is_error_of(error, command) || is_error_of(error, kinds[kind].command);
	if (error == ENOTTY && command == kinds[kind].command)
		known = 0;
	if (known)
		return;
	snprintf(found, sizeof(found), "errno %d", error);
	if (failed < SHOWN)
		report(kinds[kind].name, 0, found);
	else
		failed++;
}

/* Makes a new request, or takes a kept one that had run new code. */
static void begin(struct request *request)
{
	if (nr_kept && !is_blind && below(2)) {
		*request = kept[below(nr_kept)];
		memcpy(memory, request->memory, sizeof(request->memory));
		return;
	}
	request->kind = below(KINDS);
	request->command = kinds[request->kind].command;
	fill(&request->argument, request->kind);
}

static void try_one(void)
{
	struct request request;
	union argument argument;

	begin(&request);
	sent_parts += kinds[request.kind].command == WEFT_IOC_PARTS;
	for (unsigned int changes = below(4); changes; changes--) {
		unsigned int at = change(request.argument.bytes,
					 _IOC_SIZE(kinds[request.kind].command));

		if (kinds[request.kind].command == WEFT_IOC_PARTS)
			count_parts(at);
	}
	if ((request.kind == WEAVE || request.kind == TEXT) && below(2))
		change(memory, sizeof(request.memory));
	if (!below(64))
		request.command ^= 1u << below(32);
	/* The kernel overwrites the argument with its answer, so a copy is sent. */
	argument = request.argument;
	memcpy(request.memory, memory, sizeof(request.memory));
	send_one(&argument, request.kind, request.command);
	if (coverage_is_new() && nr_kept < KEPT)
		kept[nr_kept++] = request;
}

static void unweave_all(void)
{
	for (unsigned int i = 0; i < nr_aspects; i++) {
		struct weft_unweave unweave = { 0 };

		snprintf(unweave.name, sizeof(unweave.name), "%s", aspects[i].name);
		ioctl(device, WEFT_IOC_UNWEAVE, &unweave);
	}
}

static void report_parts(void)
{
	int all = 1;
	char text[128];

	for (unsigned int i = 0; i < 4; i++)
		all &= changed_parts[i] > 0;
	snprintf(text, sizeof(text),
		 "%u requests for parts: changed name %u, buffer %u, size %u, reserved %u",
		 sent_parts, changed_parts[0], changed_parts[1], changed_parts[2],
		 changed_parts[3]);
	report(text, all, "one of them was not");
	snprintf(text, sizeof(text), "plans for a module: %u are found right, %u are woven",
		 in_modules[0], in_modules[1]);
	report(text, in_modules[0] + in_modules[1] > 0, "none is");
}

int main(int argc, char **argv)
{
	unsigned int wanted;
	char text[64];
	int child, status, has_coverage, has_parts = 0;

	for (; argc > 1 && argv[1][0] == '-'; argc--, argv++) {
		is_blind |= !strcmp(argv[1], "--blind");
		has_parts |= !strcmp(argv[1], "--parts");
	}
	if (argc < 4 || argc - 3 > ASPECTS)
		errx(2, "usage: mutated-requests [--blind] [--parts] N SEED NAME...");
	wanted = atoi(argv[1]);
	random_state = strtoull(argv[2], NULL, 0) * 2 + 1;
	device = open(WEFT_DEVICE, O_RDWR);
	if (device < 0 || ioctl(device, WEFT_IOC_INFO, &info))
		err(2, WEFT_DEVICE);
	memory = mmap((void *)FAR_AWAY, PAGES * PAGE, PROT_READ | PROT_WRITE,
		      MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
	if (memory == MAP_FAILED || munmap(memory + (PAGES - 1) * PAGE, PAGE))
		err(2, "memory");
	for (; nr_aspects < (unsigned int)argc - 3; nr_aspects++) {
		aspects[nr_aspects].name = argv[3 + nr_aspects];
		aspects[nr_aspects].content = status_of(argv[3 + nr_aspects]).content;
		find_truths(&aspects[nr_aspects]);
	}
	has_coverage = coverage_setup();
	child = fork();
	if (has_coverage && coverage_begin())
		err(2, COVERAGE_DEVICE);
	random_state += child ? 0 : 0x10000;
	for (unsigned int i = 0; i < wanted / 2; i++)
		try_one();
	if (!child)
		return failed || !woven;
	report("the second process's end as they should",
	       waitpid(child, &status, 0) == child && !status, "see above");
	unweave_all();
	snprintf(text, sizeof(text), "%u mutated requests end as they should", wanted);
	report(text, !failed, "see above");
	report("some of them weave", woven, "none did");
	if (has_parts)
		report_parts();
	if (has_coverage)
		printf("       %u places and %u ways between two of weft.ko run, %s\n",
		       coverage_known->nr_places, coverage_known->nr_edges,
		       is_blind ? "blindly" : "guided by them");
	printf("%u passed, %u failed, 0 skipped\n", passed, failed);
	return failed != 0;
}
