/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The file of a program or shared library that an aspect has joinpoints in. While it is open here,
 * nobody can write to the file, so its text stays as it is. Process context. To open and to read
 * the file may take any time, for example if it is on a server that does not answer; so
 * wk_program_open() is called without wk_mutex.
 */
#ifndef WK_PROGRAM_H
#define WK_PROGRAM_H

#include <linux/list.h>
#include <linux/types.h>

#include "runtime/abi.h"

struct file;
struct inode;

struct wk_program {
	struct file *file; /* NULL: not open */
	char path[WEFT_NAME_MAX]; /* for messages: cut off if it is longer */
	/*
	 * the inode by which the kernel finds mappings of the file in processes: the file's, or of
	 * a file in an overlay that of the file below, which is mapped in its place
	 */
	struct inode *inode;
	struct list_head condemned; /* see wk_program_condemn(); empty: it was not called */
	/* offsets in the file, in bytes: where its first executable segment begins and ends */
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
 * -EOWNERDEAD: wk_program_condemn() was called for it
 */
int wk_program_open(struct wk_program *program, const char *path, const u8 *build_id,
		    unsigned int build_id_size);

/* Does nothing if the file is not open, or condemned. */
void wk_program_close(struct wk_program *program);

/*
 * Called when an uprobe in @program can never be unregistered. The file stays open, so nobody can
 * write to it, and wk_program_open() does not open it any more: the kernel would wait for ever if
 * another uprobe were registered at the same instruction. @program must stay in memory.
 */
void wk_program_condemn(struct wk_program *program);

#endif /* WK_PROGRAM_H */
