/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The file of a program or shared library that an aspect has joinpoints in. While it is open here,
 * nobody can write to the file, so its text stays what it was found to be. Process context; may
 * sleep.
 */
#ifndef WK_PROGRAM_H
#define WK_PROGRAM_H

#include <linux/types.h>

struct file;
struct inode;

struct wk_program {
	struct file *file; /* NULL: not open */
	/* the file's inode, by which the kernel finds mappings of the file in processes */
	struct inode *inode;
	/* bytes from the start of the file: of its first executable segment, and of its end */
	loff_t text, text_end;
};

/* Is @name, that of a part (struct weft_text_part.module), the path of a program? */
static inline bool wk_program_is(const char *name)
{
	return name[0] == '/';
}

/*
 * Opens the file @path as the calling process sees it. Errors:
 * -ESTALE: its build-id is not @build_id
 * -ENOEXEC: it is no 64-bit ELF file with executable text
 * -ETXTBSY: somebody has it open for writing
 * -ENOENT, -EACCES and others: it cannot be opened
 * -EOPNOTSUPP: the kernel has no uprobes
 */
int wk_program_open(struct wk_program *program, const char *path, const u8 *build_id,
		    unsigned int build_id_size);
void wk_program_close(struct wk_program *program);

#endif /* WK_PROGRAM_H */
