// SPDX-License-Identifier: GPL-2.0-or-later
/* Replaces a section's content in an ELF file; see grow-section.h. */
#include <elf.h>
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "module/grow-section.h"

enum { NAME_MAX_BYTES = 64 };

struct file {
	FILE *stream;
	const char *path;
	Elf64_Ehdr header;
	struct wv_error *error;
};

static int fail(const struct file *file)
{
	return wv_fail_at(file->error, WV_E_FORMAT, file->path, 0, 0,
			  "not a module whose sections can be changed");
}

static bool read_at(const struct file *file, uint64_t offset, void *buffer, size_t size)
{
	return !fseeko(file->stream, (off_t)offset, SEEK_SET) &&
	       fread(buffer, 1, size, file->stream) == size;
}

static int write_at(const struct file *file, uint64_t offset, const void *data, size_t size)
{
	if (fseeko(file->stream, (off_t)offset, SEEK_SET) ||
	    fwrite(data, 1, size, file->stream) != size)
		return wv_fail_errno(file->error, errno, "%s", file->path);
	return 0;
}

static uint64_t offset_of(const struct file *file, unsigned int section)
{
	return file->header.e_shoff + (uint64_t)section * sizeof(Elf64_Shdr);
}

/* Returns the number of section @name, and its header in @ret; 0 if there is no such section. */
static unsigned int find(const struct file *file, const char *name, Elf64_Shdr *ret)
{
	Elf64_Shdr names;

	if (!read_at(file, offset_of(file, file->header.e_shstrndx), &names, sizeof(names)))
		return 0;
	for (unsigned int i = 1; i < file->header.e_shnum; i++) {
		char found[NAME_MAX_BYTES];

		if (read_at(file, offset_of(file, i), ret, sizeof(*ret)) &&
		    read_at(file, names.sh_offset + ret->sh_name, found, strlen(name) + 1) &&
		    !memcmp(found, name, strlen(name) + 1))
			return i;
	}
	return 0;
}

static int grow(const struct file *file, const char *name, const void *data, size_t size)
{
	static const char padding[16];
	Elf64_Shdr section;
	unsigned int i = find(file, name, &section);
	off_t end;
	int failed;

	if (!i || fseeko(file->stream, 0, SEEK_END))
		return fail(file);
	end = ftello(file->stream);
	section.sh_offset = (end + sizeof(padding) - 1) / sizeof(padding) * sizeof(padding);
	section.sh_size = size;
	failed = write_at(file, end, padding, section.sh_offset - end);
	if (!failed)
		failed = write_at(file, section.sh_offset, data, size);
	if (!failed)
		failed = write_at(file, offset_of(file, i), &section, sizeof(section));
	if (!failed && fflush(file->stream))
		failed = wv_fail_errno(file->error, errno, "%s", file->path);
	return failed;
}

int wv_grow_section(const char *path, const char *name, const void *data, size_t size,
		    struct wv_error *error)
{
	_cleanup_fclose_ FILE *stream = fopen(path, "r+e");
	struct file file = { .stream = stream, .path = path, .error = error };

	if (!stream)
		return wv_fail_errno(error, errno, "%s", path);
	if (!read_at(&file, 0, &file.header, sizeof(file.header)) ||
	    memcmp(file.header.e_ident, ELFMAG, SELFMAG) || file.header.e_type != ET_REL ||
	    file.header.e_shentsize != sizeof(Elf64_Shdr) || strlen(name) >= NAME_MAX_BYTES)
		return fail(&file);
	return grow(&file, name, data, size);
}
