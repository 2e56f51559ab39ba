// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Attaches empty BPF programs to kernel functions and reports how often they have run, for tests
 * beside weft. `fentry FUNCTION[%exit]...` attaches a program to the entry of each function
 * (BPF_TRACE_FENTRY) or to its exit (BPF_TRACE_FEXIT), prints "attached", and keeps the programs
 * until its input ends. For each line of its input it prints "FUNCTION RUNS" for each program, and
 * then an empty line; runs are counted while kernel.bpf_stats_enabled is set. The programs are
 * loaded by the bare system call: each has two instructions, and the function's number is looked up
 * in the kernel's BTF.
 */
#include <fcntl.h>
#include <linux/bpf.h>
#include <linux/btf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static long bpf(enum bpf_cmd command, union bpf_attr *attributes)
{
	return syscall(SYS_bpf, command, attributes, sizeof(*attributes));
}

static char *read_btf(void)
{
	int fd = open("/sys/kernel/btf/vmlinux", O_RDONLY);
	struct stat stat;
	char *bytes;
	ssize_t n = 0, got = 1;

	if (fd < 0 || fstat(fd, &stat))
		return NULL;
	bytes = malloc(stat.st_size);
	while (bytes && got > 0 && n < stat.st_size) {
		got = read(fd, bytes + n, stat.st_size - n);
		n += got;
	}
	close(fd);
	return n == stat.st_size ? bytes : NULL;
}

/* Returns the number of bytes that belong to a type and come after its struct btf_type. */
static size_t extra_of(const struct btf_type *type)
{
	size_t n = BTF_INFO_VLEN(type->info);

	switch (BTF_INFO_KIND(type->info)) {
	case BTF_KIND_INT: case BTF_KIND_VAR: case BTF_KIND_DECL_TAG:
		return 4;
	case BTF_KIND_ARRAY:
		return sizeof(struct btf_array);
	case BTF_KIND_STRUCT: case BTF_KIND_UNION:
		return n * sizeof(struct btf_member);
	case BTF_KIND_ENUM:
		return n * sizeof(struct btf_enum);
	case BTF_KIND_ENUM64: case BTF_KIND_DATASEC:
		return n * 12;
	case BTF_KIND_FUNC_PROTO:
		return n * sizeof(struct btf_param);
	default:
		return 0;
	}
}

static int number_of(const char *btf, const char *name)
{
	const struct btf_header *header = (const void *)btf;
	const char *types = btf + header->hdr_len + header->type_off;
	const char *strings = btf + header->hdr_len + header->str_off;
	int id = 1;

	for (size_t at = 0; at < header->type_len; id++) {
		const struct btf_type *type = (const void *)(types + at);

		if (BTF_INFO_KIND(type->info) == BTF_KIND_FUNC &&
		    !strcmp(strings + type->name_off, name))
			return id;
		at += sizeof(*type) + extra_of(type);
	}
	return -1;
}

static const struct bpf_insn program[] = {
	{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_0 }, /* r0 = 0 */
	{ .code = BPF_JMP | BPF_EXIT },
};

/* Attaches a program to the function that @where names. Returns its file descriptor, or -1. */
static int attach(const char *btf, const char *where)
{
	char name[128];
	union bpf_attr load = {
		.prog_type = BPF_PROG_TYPE_TRACING,
		.expected_attach_type = strchr(where, '%') ? BPF_TRACE_FEXIT : BPF_TRACE_FENTRY,
		.insns = (unsigned long)program,
		.insn_cnt = sizeof(program) / sizeof(program[0]),
		.license = (unsigned long)"GPL",
	};
	union bpf_attr open = { 0 };
	int id, fd;

	snprintf(name, sizeof(name), "%.*s", (int)strcspn(where, "%"), where);
	id = number_of(btf, name);
	if (id < 0) {
		fprintf(stderr, "fentry: %s: not in the kernel's BTF\n", name);
		return -1;
	}
	load.attach_btf_id = id;
	open.raw_tracepoint.prog_fd = fd = bpf(BPF_PROG_LOAD, &load);
	if (fd < 0 || bpf(BPF_RAW_TRACEPOINT_OPEN, &open) < 0) {
		perror(name);
		return -1;
	}
	return fd;
}

static unsigned long long runs_of(int fd)
{
	struct bpf_prog_info info = { 0 };
	union bpf_attr ask = {
		.info = { .bpf_fd = fd, .info_len = sizeof(info), .info = (unsigned long)&info },
	};

	return bpf(BPF_OBJ_GET_INFO_BY_FD, &ask) ? 0 : info.run_cnt;
}

int main(int argc, char **argv)
{
	char *btf = read_btf();
	int *fds = calloc(argc, sizeof(*fds));
	char byte;

	if (argc < 2 || !btf || !fds) {
		fprintf(stderr, "fentry: no functions, or no BTF\n");
		return 1;
	}
	for (int i = 1; i < argc; i++) {
		fds[i] = attach(btf, argv[i]);
		if (fds[i] < 0)
			return 1;
	}
	free(btf);
	printf("attached\n");
	fflush(stdout);
	while (read(STDIN_FILENO, &byte, 1) > 0) {
		for (int i = 1; byte == '\n' && i < argc; i++)
			printf("%s %llu\n", argv[i], runs_of(fds[i]));
		if (byte == '\n')
			printf("\n");
		fflush(stdout);
	}
	return 0;
}
