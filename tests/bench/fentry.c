// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * `fentry FUNCTION`: attaches a BPF program that does nothing to the entry of a kernel function
 * (BPF_TRACE_FENTRY), says so, and holds it until its input ends. By the bare system call: the
 * program is two instructions, and the function's number is looked up in the kernel's BTF.
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

/* Bytes that follow a struct btf_type. */
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

int main(int argc, char **argv)
{
	static const struct bpf_insn program[] = {
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_0 }, /* r0 = 0 */
		{ .code = BPF_JMP | BPF_EXIT },
	};
	union bpf_attr load = {
		.prog_type = BPF_PROG_TYPE_TRACING,
		.expected_attach_type = BPF_TRACE_FENTRY,
		.insns = (unsigned long)program,
		.insn_cnt = sizeof(program) / sizeof(program[0]),
		.license = (unsigned long)"GPL",
	};
	union bpf_attr attach = { 0 };
	char *btf = read_btf();
	int id = argc == 2 && btf ? number_of(btf, argv[1]) : -1;
	char byte;

	if (id < 0) {
		fprintf(stderr, "fentry: no BTF, or no such function in it\n");
		return 1;
	}
	load.attach_btf_id = id;
	attach.raw_tracepoint.prog_fd = bpf(BPF_PROG_LOAD, &load);
	if ((int)attach.raw_tracepoint.prog_fd < 0 || bpf(BPF_RAW_TRACEPOINT_OPEN, &attach) < 0) {
		perror("fentry");
		return 1;
	}
	printf("attached\n");
	fflush(stdout);
	while (read(STDIN_FILENO, &byte, 1) > 0)
		;
	free(btf);
	return 0;
}
