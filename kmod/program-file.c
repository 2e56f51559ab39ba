// SPDX-License-Identifier: GPL-2.0-or-later
/* Opens programs, and reads what is needed of their ELF headers; see program-file.h. */
#include <linux/align.h>
#include <linux/elf.h>
#include <linux/err.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/kconfig.h>
#include <linux/list.h>
#include <linux/lockdep.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/string.h>

#include "base/lock.h"
#include "program-file.h"

/* Limits of what is read: program headers, and bytes of one segment of notes. */
enum { HEADERS_MAX = 128, NOTES_MAX = 4096 };

enum { TYPE_BUILD_ID = 3, NOTE_ALIGN = 4 };

static const char owner[] = "GNU";

/* Reads @size bytes at @offset of the file. -ENOEXEC: the file ends before. */
static int read_bytes(struct file *file, loff_t offset, void *to, size_t size)
{
	ssize_t n = kernel_read(file, to, size, &offset);

	if (n < 0)
		return n;
	return n == size ? 0 : -ENOEXEC;
}

/* Returns whether the @size bytes of @notes have the build-id @id. */
static bool notes_have(const u8 *notes, size_t size, const u8 *id, unsigned int id_size)
{
	size_t at = 0;

	while (size - at >= sizeof(struct elf64_note)) {
		const struct elf64_note *note = (const void *)(notes + at);
		u64 name = at + sizeof(*note);
		u64 bytes = name + ALIGN((u64)note->n_namesz, NOTE_ALIGN);
		u64 next = bytes + ALIGN((u64)note->n_descsz, NOTE_ALIGN);

		if (next > size)
			return false;
		if (note->n_type == TYPE_BUILD_ID && note->n_namesz == sizeof(owner) &&
		    !memcmp(notes + name, owner, sizeof(owner)))
			return note->n_descsz == id_size && !memcmp(notes + bytes, id, id_size);
		at = next;
	}
	return false;
}

/* Returns 1 if the segment of notes @header has the build-id, 0 if not, or a negative error. */
static int segment_has(struct file *file, const struct elf64_phdr *header, const u8 *id,
		       unsigned int id_size)
{
	u8 *notes;
	int ret;

	if (!header->p_filesz || header->p_filesz > NOTES_MAX)
		return 0;
	notes = kmalloc(header->p_filesz, GFP_KERNEL);
	if (!notes)
		return -ENOMEM;
	ret = read_bytes(file, header->p_offset, notes, header->p_filesz);
	if (!ret)
		ret = notes_have(notes, header->p_filesz, id, id_size);
	kfree(notes);
	return ret;
}

static bool is_elf(const struct elf64_hdr *header)
{
	return !memcmp(header->e_ident, ELFMAG, SELFMAG) &&
	       header->e_ident[EI_CLASS] == ELFCLASS64 && header->e_machine == EM_X86_64 &&
	       (header->e_type == ET_EXEC || header->e_type == ET_DYN) &&
	       header->e_phentsize == sizeof(struct elf64_phdr) && header->e_phnum <= HEADERS_MAX;
}

/* Finds the text of @program, and compares its build-id. */
static int read_headers(struct wk_program *program, const u8 *id, unsigned int id_size)
{
	struct elf64_phdr segment;
	struct elf64_hdr header;
	int same = 0, ret = read_bytes(program->file, 0, &header, sizeof(header));

	if (!ret && !is_elf(&header))
		ret = -ENOEXEC;
	for (unsigned int i = 0; !ret && i < header.e_phnum; i++) {
		ret = read_bytes(program->file, header.e_phoff + i * sizeof(segment), &segment,
				 sizeof(segment));
		if (ret)
			break;
		if (segment.p_type == PT_NOTE && !same) {
			same = segment_has(program->file, &segment, id, id_size);
			ret = min(same, 0);
		} else if (segment.p_type == PT_LOAD && segment.p_flags & PF_X &&
			   !program->text_end) {
			program->text = segment.p_offset;
			program->text_end = segment.p_offset + segment.p_filesz;
		}
	}
	if (!ret && !same)
		ret = -ESTALE;
	return ret || program->text_end > program->text ? ret : -ENOEXEC;
}

/* The programs that wk_program_condemn() was called for, linked by .condemned; under `lock`. */
static LIST_HEAD(condemned);
static DEFINE_SPINLOCK(lock);

static bool is_condemned(const struct inode *inode)
{
	const struct wk_program *program;
	bool found = false;

	spin_lock(&lock);
	list_for_each_entry(program, &condemned, condemned)
		found |= program->inode == inode;
	spin_unlock(&lock);
	return found;
}

void wk_program_condemn(struct wk_program *program)
{
	spin_lock(&lock);
	if (list_empty(&program->condemned))
		list_add(&program->condemned, &condemned);
	spin_unlock(&lock);
}

/*
 * Denies writing to the file. A file of an overlay (overlayfs) has two inodes: its own, and that of
 * the file below, which processes map, and which may be written to directly.
 */
static int deny_writing(const struct wk_program *program)
{
	int ret = deny_write_access(program->file);

	if (ret || program->inode == file_inode(program->file) ||
	    atomic_dec_unless_positive(&program->inode->i_writecount))
		return ret;
	allow_write_access(program->file);
	return -ETXTBSY;
}

static void allow_writing(const struct wk_program *program)
{
	if (program->inode != file_inode(program->file))
		atomic_inc(&program->inode->i_writecount);
	allow_write_access(program->file);
}

int wk_program_open(struct wk_program *program, const char *path, const u8 *build_id,
		    unsigned int build_id_size)
{
	struct file *file;
	int ret;

	lockdep_assert_not_held(&wk_mutex);
	memset(program, 0, sizeof(*program));
	INIT_LIST_HEAD(&program->condemned);
	if (!IS_ENABLED(CONFIG_UPROBES))
		return -EOPNOTSUPP;
	file = filp_open(path, O_RDONLY | O_LARGEFILE | O_NONBLOCK, 0);
	if (IS_ERR(file))
		return PTR_ERR(file);
	program->file = file;
	program->inode = d_real_inode(file->f_path.dentry);
	if (!S_ISREG(program->inode->i_mode))
		ret = -ENOEXEC;
	else if (is_condemned(program->inode))
		ret = -EOWNERDEAD;
	else
		ret = deny_writing(program);
	if (ret) {
		fput(file);
		program->file = NULL;
		return ret;
	}
	strscpy(program->path, path, sizeof(program->path));
	ret = read_headers(program, build_id, build_id_size);
	if (ret)
		wk_program_close(program);
	return ret;
}

void wk_program_close(struct wk_program *program)
{
	if (!program->file || !list_empty(&program->condemned))
		return;
	allow_writing(program);
	fput(program->file);
	program->file = NULL;
}
